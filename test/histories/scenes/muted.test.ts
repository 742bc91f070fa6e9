import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Arena } from '../kit/arena.ts';
import { judge } from '../kit/oracle.ts';

const minute = 60;

test('an overview of a storm does not name what has been silenced since', async () => {
  const arena = new Arena();
  arena.create('chat', 'chat');
  arena.begin();
  await arena.pass(100);
  const pods = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => `shop/app-${from + index}` as const);
  arena.failAll(pods(0, 25));
  await arena.pass(30);
  arena.failAll(pods(25, 45));
  // They have settled, and wait for the next overview.
  await arena.pass(85);
  for (const pod of pods(30, 45)) arena.mute(pod.split('/')[1] ?? '', 24 * 60 * minute);
  await arena.pass(10 * minute);
  const faults = judge({ ...arena.transcript(), settledAt: arena.clock.now() });
  assert.deepEqual(
    faults.filter(({ rule }) => rule.startsWith('O9')),
    [],
  );
});
