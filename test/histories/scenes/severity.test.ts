import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Arena } from '../kit/arena.ts';
import { rankOf, type Severity } from '../kit/transcript.ts';

const minute = 60;
const hour = 60 * minute;

/** The worst that a product has taken of an incident by itself. */
function worst(arena: Arena, name: string): Severity | undefined {
  const own = arena.products.requests.filter(({ provider, taken }) => provider === name && taken);
  return own.map(({ severity }) => severity).sort((a, b) => rankOf(b) - rankOf(a))[0];
}

for (const [how, changes, repaired] of [
  ['suspended', { suspended: true }, { suspended: false }],
  ['invalid', { invalid: true }, { invalid: false }],
] as const)
  test(`a rise while a pager is ${how} is paged as soon as that is over`, async () => {
    const arena = new Arena();
    arena.create('pagerduty', 'pager');
    arena.create('slack', 'chat');
    arena.begin();
    arena.fail('shop/api', 'high');
    await arena.pass(2 * minute);
    arena.edit('pagerduty', changes);
    await arena.pass(30);
    arena.fail('shop/api', 'critical');
    await arena.pass(100);
    assert.equal(worst(arena, 'slack'), 'critical');
    arena.edit('pagerduty', repaired);
    await arena.pass(2 * minute);
    assert.equal(worst(arena, 'pagerduty'), 'critical');
  });

test('a rise while a pager was not chosen on Community is paged as soon as it is chosen again', async () => {
  const arena = new Arena({ edition: 'Community' });
  arena.create('pagerduty', 'pager');
  arena.create('slack', 'chat');
  arena.license('Community', 'pagerduty');
  arena.begin();
  arena.fail('shop/api', 'high');
  await arena.pass(2 * minute);
  arena.license('Community', 'slack');
  await arena.pass(30);
  arena.fail('shop/api', 'critical');
  await arena.pass(100);
  arena.license('Community', 'pagerduty');
  await arena.pass(2 * minute);
  assert.equal(worst(arena, 'pagerduty'), 'critical');
});

test('a rise that was refused is told once the Secret is mended', async () => {
  const arena = new Arena();
  arena.create('pagerduty', 'pager');
  arena.begin();
  arena.fail('shop/api', 'high');
  await arena.pass(2 * minute);
  arena.products.set('pagerduty', 'revoked');
  arena.fail('shop/api', 'critical');
  await arena.pass(100);
  arena.products.heal();
  arena.rotate('pagerduty');
  await arena.pass(90);
  assert.equal(worst(arena, 'pagerduty'), 'critical');
});

test('a rise that a pager could not be told of, and a fallback was, reaches the pager when it is back', async () => {
  const arena = new Arena();
  arena.create('pagerduty', 'pager', { fallback: 'slack' });
  arena.create('slack', 'chat');
  arena.begin();
  arena.fail('shop/api', 'high');
  await arena.pass(2 * minute);
  arena.products.set('pagerduty', 'unavailable');
  arena.fail('shop/api', 'critical');
  await arena.pass(10 * minute);
  arena.products.heal();
  await arena.pass(10 * minute);
  assert.equal(worst(arena, 'pagerduty'), 'critical');
});

test('who was told high, and not of a rise and fall under a Silence, is told when it rises after that', async () => {
  const arena = new Arena();
  arena.create('slack', 'chat');
  arena.begin();
  arena.fail('shop/api', 'high');
  await arena.pass(2 * minute);
  arena.mute('api', 15 * minute);
  await arena.pass(2 * minute);
  arena.fail('shop/api', 'critical');
  await arena.pass(2 * minute);
  arena.fail('shop/api', 'high');
  await arena.pass(20 * minute);
  assert.equal(worst(arena, 'slack'), 'high');
  arena.fail('shop/api', 'critical');
  await arena.pass(2 * minute);
  assert.equal(worst(arena, 'slack'), 'critical');
});

test('what is critical when its Silence ends is told as that to who heard high before', async () => {
  const arena = new Arena();
  arena.create('slack', 'chat');
  arena.begin();
  arena.fail('shop/api', 'high');
  await arena.pass(2 * minute);
  arena.mute('api', 15 * minute);
  await arena.pass(2 * minute);
  arena.fail('shop/api', 'critical');
  await arena.pass(20 * minute);
  assert.equal(worst(arena, 'slack'), 'critical');
});

for (const refused of [false, true])
  test(`a low incident that a digest named (${refused ? 'refused' : 'taken'}) and that becomes critical while the chat is suspended is told as that`, async () => {
    const arena = new Arena();
    arena.create('chat', 'chat');
    arena.begin();
    arena.fail('shop/api', 'low');
    await arena.pass(28 * minute);
    if (refused) arena.products.set('chat', 'revoked', ['digest']);
    await arena.pass(5 * minute);
    arena.products.heal();
    arena.edit('chat', { suspended: true });
    await arena.pass(3 * minute);
    arena.fail('shop/api', 'critical');
    await arena.pass(2 * minute);
    arena.edit('chat', { suspended: false });
    await arena.pass(5 * minute);
    assert.equal(worst(arena, 'chat'), 'critical');
  });

test('what only the overview of a storm named, and becomes critical while the chat is suspended, is told as that', async () => {
  const arena = new Arena();
  arena.create('chat', 'chat');
  arena.begin();
  const pods = Array.from({ length: 25 }, (_, index) => `shop/app-${index}` as const);
  arena.failAll(pods);
  await arena.pass(5 * minute);
  assert.ok(arena.taken('chat').includes('overview'));
  arena.edit('chat', { suspended: true });
  await arena.pass(minute);
  arena.fail('shop/app-3', 'critical');
  await arena.pass(2 * minute);
  arena.edit('chat', { suspended: false });
  await arena.pass(2 * hour);
  assert.equal(worst(arena, 'chat'), 'critical');
});

test('a pager that is made anew while an incident is high is told of its rise', async () => {
  const arena = new Arena();
  arena.create('pagerduty', 'pager');
  arena.begin();
  arena.fail('shop/api', 'low');
  await arena.pass(2 * minute);
  arena.create('pagerduty', 'pager');
  await arena.pass(2 * minute);
  arena.fail('shop/api', 'critical');
  await arena.pass(2 * minute);
  assert.equal(worst(arena, 'pagerduty'), 'critical');
});
