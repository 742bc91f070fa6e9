import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Arena } from '../kit/arena.ts';
import { judge } from '../kit/oracle.ts';
import type { Mood } from '../kit/products.ts';

const minute = 60;
const hour = 60 * minute;

function oncall(): Arena {
  const arena = new Arena();
  arena.create('pagerduty', 'pager');
  arena.begin();
  return arena;
}

for (const hours of [20, 25, 72])
  test(`a quiet cluster's only incident is paged within the hour after an outage of ${hours} h, though nothing else happens`, async () => {
    const arena = oncall();
    arena.products.set('pagerduty', 'unavailable');
    arena.fail('shop/api', 'critical');
    await arena.pass(hours * hour);
    arena.products.heal();
    await arena.pass(hour);
    assert.deepEqual(arena.taken('pagerduty'), ['open']);
  });

test('an end that fell into an outage of 26 h closes its page within the hour after it', async () => {
  const arena = oncall();
  arena.fail('shop/api', 'critical');
  await arena.pass(minute);
  arena.products.set('pagerduty', 'unavailable');
  arena.mend();
  await arena.pass(26 * hour);
  arena.products.heal();
  await arena.pass(hour);
  assert.deepEqual(arena.taken('pagerduty'), ['open', 'resolve']);
});

const afterDoubt = [
  { how: 'is refused', moods: ['revoked'], seconds: 15 * minute },
  { how: 'times out once and is then refused', moods: ['timeoutBefore', 'revoked'], seconds: 15 * minute },
  { how: 'times out for 25 h', moods: ['timeoutBefore'], seconds: 25 * hour },
] as const satisfies readonly { readonly how: string; readonly moods: readonly Mood[]; readonly seconds: number }[];

for (const act of ['open', 'resolve'] as const)
  for (const { how, moods, seconds } of afterDoubt)
    test(`the ${act} of a page that ${how} arrives once the token is mended`, async () => {
      const arena = oncall();
      if (act === 'open') {
        for (const mood of moods.slice(0, 1)) arena.products.set('pagerduty', mood);
        arena.fail('shop/api', 'critical');
      } else {
        arena.fail('shop/api', 'critical');
        await arena.pass(2 * minute);
        for (const mood of moods.slice(0, 1)) arena.products.set('pagerduty', mood);
        arena.mend();
        await arena.pass(170);
      }
      await arena.pass(25);
      for (const mood of moods.slice(1)) arena.products.set('pagerduty', mood);
      await arena.pass(seconds);
      arena.products.heal();
      arena.rotate('pagerduty');
      await arena.pass(hour);
      assert.deepEqual(arena.taken('pagerduty'), act === 'open' ? ['open'] : ['open', 'resolve']);
    });

test('a page that was taken without an answer, and refused from then on, is closed', async () => {
  const arena = oncall();
  arena.products.set('pagerduty', 'resetAfter');
  arena.fail('shop/api', 'critical');
  await arena.pass(12);
  arena.products.set('pagerduty', 'revoked');
  await arena.pass(15 * minute);
  arena.mend();
  await arena.pass(hour);
  arena.products.heal();
  arena.rotate('pagerduty');
  await arena.pass(hour);
  assert.deepEqual(new Set(arena.taken('pagerduty')), new Set(['open', 'resolve']));
  assert.equal(arena.taken('pagerduty').at(-1), 'resolve');
});

for (const mood of ['refusing', 'revoked', 'unavailable'] as const)
  test(`a digest that a chat answers with "${mood}" is not sent again and again`, async () => {
    const arena = new Arena();
    arena.create('chat', 'chat');
    arena.begin();
    arena.fail('shop/api', 'low');
    await arena.pass(28 * minute);
    arena.products.set('chat', mood);
    for (let second = 0; second < 12 * minute && arena.products.requests.length < 100; second += 1) await arena.pass(1);
    const asked = arena.products.requests.length;
    assert.ok(asked <= (mood === 'unavailable' ? 12 : 2), `${asked} requests within 10 minutes`);
  });

test('a digest that was refused is told when its half hour has passed, or as soon as the chat is mended', async () => {
  const arena = new Arena();
  arena.create('chat', 'chat');
  arena.begin();
  arena.fail('shop/api', 'low');
  await arena.pass(28 * minute);
  arena.products.set('chat', 'refusing');
  for (let second = 0; second < 4 * minute && arena.products.requests.length < 20; second += 1) await arena.pass(1);
  arena.products.heal();
  await arena.pass(35 * minute);
  assert.deepEqual(arena.taken('chat'), ['digest']);
});

test('whose product refuses the opening for good hears an opening later, no update of what it knows nothing of', async () => {
  const arena = oncall();
  arena.products.set('pagerduty', 'unavailable');
  arena.fail('shop/api', 'high', 'CrashLoopBackOff');
  await arena.pass(10 * minute);
  arena.fail('shop/api', 'critical', 'CrashLoopBackOff');
  await arena.pass(minute);
  arena.products.set('pagerduty', 'refusing', ['open']);
  await arena.pass(10 * minute);
  arena.products.heal();
  await arena.pass(120 * minute);
  assert.deepEqual(arena.taken('pagerduty'), ['open']);
  const last = arena.products.requests.findLast(({ taken }) => taken);
  assert.equal(last?.severity, 'critical');
});

test('the alert of a flood that a pager refuses is owed like any other: all of it is known once the pager is well, and closed in the end', async () => {
  const arena = oncall();
  await arena.pass(minute);
  arena.products.set('pagerduty', 'refusing');
  const pods = Array.from({ length: 25 }, (_, index) => `shop/app-${index}` as const);
  arena.failAll(pods);
  await arena.pass(20 * minute);
  arena.products.heal();
  await arena.pass(120 * minute);
  const told = arena.products.requests.filter(({ taken }) => taken);
  // One by which it was found out that the pager takes messages again, and one alert of all the others.
  assert.deepEqual(told.map(({ act, list }) => [act, list?.total]).toSorted(), [
    ['open', undefined],
    ['startup', 24],
  ]);
  arena.mend(...pods);
  await arena.pass(20 * minute);
  assert.deepEqual(judge(arena.transcript()), []);
});

for (const mood of ['unavailable', 'hangsBefore', 'timeoutBefore', 'resetBefore'] as const)
  test(`whose product was away (${mood}) for all of a time that something failed is not woken for it half an hour later`, async () => {
    const arena = oncall();
    arena.products.set('pagerduty', mood);
    arena.fail('shop/api', 'critical');
    arena.failAll(Array.from({ length: 25 }, (_, index) => `pay/app-${index}` as const));
    await arena.pass(10 * minute);
    arena.mend();
    await arena.pass(30 * minute);
    arena.products.heal();
    await arena.pass(2 * hour);
    assert.deepEqual(
      arena.taken('pagerduty').filter((act) => act !== 'resolve'),
      [],
    );
  });
