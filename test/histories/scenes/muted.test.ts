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

test('a catch-up list and a page leave out what is muted since it could not be told', async () => {
  for (const family of ['chat', 'pager'] as const)
    for (const kind of ['Silence', 'MaintenanceWindow'] as const) {
      const arena = new Arena();
      arena.create('reader', family);
      arena.begin();
      arena.products.set('reader', 'revoked');
      arena.fail('shop/api', 'critical');
      await arena.pass(5 * minute);
      arena.mute('api', 60 * minute, kind);
      await arena.pass(minute);
      arena.products.heal();
      arena.rotate('reader');
      await arena.pass(10 * minute);
      assert.deepEqual(arena.taken('reader'), [], `${family}, ${kind}`);
    }
});

test('what a refused summary of the start named is told after the Silence that began meanwhile, though the chat is well long before', async () => {
  const arena = new Arena();
  arena.create('slack', 'chat');
  arena.fail('shop/api', 'high', 'CrashLoopBackOff', 600);
  arena.products.set('slack', 'refusing');
  arena.begin();
  await arena.pass(minute);
  arena.mute('api', 50 * minute);
  arena.products.heal();
  await arena.pass(49 * minute);
  assert.deepEqual(arena.taken('slack'), []);
  await arena.pass(30 * minute);
  assert.deepEqual(arena.taken('slack'), ['startup']);
});
