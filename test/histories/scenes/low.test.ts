import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Arena } from '../kit/arena.ts';

const minute = 60;

test('what comes back as low after its end was told is in the next digest', async () => {
  const arena = new Arena();
  arena.create('chat', 'chat');
  arena.begin();
  arena.fail('shop/api', 'critical');
  await arena.pass(10 * minute);
  arena.mend();
  await arena.pass(5 * minute);
  assert.deepEqual(arena.taken('chat'), ['open', 'resolve']);
  arena.fail('shop/api', 'low');
  await arena.pass(60 * minute);
  assert.deepEqual(arena.taken('chat'), ['open', 'resolve', 'digest']);
});
