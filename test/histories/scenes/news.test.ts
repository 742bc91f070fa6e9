import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Arena } from '../kit/arena.ts';

const minute = 60;

function told(): Arena {
  const arena = new Arena();
  arena.create('slack', 'chat');
  arena.create('pagerduty', 'pager');
  arena.begin();
  return arena;
}

test('another reason at the same object is told once to who was told of the first', async () => {
  const arena = told();
  arena.fail('shop/api', 'high', 'CrashLoopBackOff');
  await arena.pass(20 * minute);
  arena.fail('shop/api', 'high', 'ImagePullBackOff');
  await arena.pass(60 * minute);
  for (const name of ['slack', 'pagerduty']) {
    const reasons = arena.products.requests
      .filter(({ provider }) => provider === name)
      .map(({ act, reason }) => `${act} ${reason}`);
    assert.deepEqual(reasons, ['open CrashLoopBackOff', 'update ImagePullBackOff']);
  }
});

test('what goes to and fro between two reasons is told once in ten minutes at most', async () => {
  const arena = told();
  arena.fail('shop/api', 'high', 'CrashLoopBackOff');
  await arena.pass(20 * minute);
  for (let minutes = 0; minutes < 60; minutes += 2) {
    arena.fail('shop/api', 'high', minutes % 4 === 0 ? 'ImagePullBackOff' : 'CrashLoopBackOff');
    await arena.pass(2 * minute);
  }
  const updates = arena.taken('slack').filter((act) => act === 'update').length;
  assert.ok(updates >= 1 && updates <= 7, `${updates} updates within an hour`);
});

test('a rise is told at once though there was an update just before', async () => {
  const arena = told();
  arena.fail('shop/api', 'high', 'CrashLoopBackOff');
  await arena.pass(20 * minute);
  arena.fail('shop/api', 'high', 'ImagePullBackOff');
  await arena.pass(2 * minute);
  arena.fail('shop/api', 'critical', 'ImagePullBackOff');
  await arena.pass(minute);
  const last = arena.products.requests.filter(({ provider }) => provider === 'pagerduty').at(-1);
  assert.deepEqual([last?.act, last?.severity], ['update', 'critical']);
});

test('another reason that a pager could not be told of is told when it is back', async () => {
  const arena = told();
  arena.fail('shop/api', 'high', 'CrashLoopBackOff');
  await arena.pass(20 * minute);
  arena.edit('pagerduty', { suspended: true });
  arena.fail('shop/api', 'high', 'ImagePullBackOff');
  await arena.pass(20 * minute);
  arena.edit('pagerduty', { suspended: false });
  await arena.pass(15 * minute);
  const last = arena.products.requests.filter(({ provider }) => provider === 'pagerduty').at(-1);
  assert.equal(last?.reason, 'ImagePullBackOff');
});

test('who perhaps read of another reason, in vain tried again and given up, is told that it is the first one again', async () => {
  const arena = told();
  arena.fail('shop/api', 'high', 'CrashLoopBackOff');
  await arena.pass(20 * minute);
  arena.products.set('slack', 'resetAfter');
  arena.fail('shop/api', 'high', 'ImagePullBackOff');
  await arena.pass(3 * minute);
  arena.products.set('slack', 'refusing');
  await arena.pass(20 * minute);
  arena.fail('shop/api', 'high', 'CrashLoopBackOff');
  await arena.pass(20 * minute);
  arena.products.heal();
  await arena.pass(120 * minute);
  const last = arena.products.requests.filter(({ provider, taken }) => taken && provider === 'slack').at(-1);
  assert.deepEqual([last?.act, last?.reason], ['update', 'CrashLoopBackOff']);
});
