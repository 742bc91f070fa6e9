import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runs } from '../../runs.ts';
import { Arena } from '../kit/arena.ts';

const minute = 60;

/** PagerDuty's. */
const pagersPace = { perSecond: 2, burst: 20 };

/** `teams`: so many other namespaces share them; what one has less than a flood of is paged one by one. What is critical settles for 10 s. */
const floods = [
  { others: 200, teams: 20, are: 'high', mine: 'critical', within: 20 },
  { others: 3_000, teams: 200, are: 'high', mine: 'critical', within: 20 },
  { others: 300, teams: 15, are: 'critical', mine: 'critical', within: 40 },
  { others: 500, teams: 50, are: 'high', mine: 'high', within: 120 },
  // 2,000 with PROPERTY_RUNS=2.
  { others: runs(1_000), teams: 1, are: 'high', mine: 'critical', within: 20 },
  { others: runs(1_000), teams: 1, are: 'critical', mine: 'critical', within: 30 },
] as const;

for (const { others, teams, are, mine, within } of floods)
  test(`what is ${mine} in one namespace is paged within ${within} s of its failing though ${others} of ${teams} others that are ${are} wait at the pager's pace`, async () => {
    const arena = new Arena({ pacing: pagersPace });
    arena.create('pagerduty', 'pager');
    arena.begin();
    await arena.pass(minute);
    const pods = Array.from({ length: others }, (_, index) => `shop-${index % teams}/app-${index}` as const);
    arena.failAll(pods, are);
    // By then they have settled.
    await arena.pass(90);
    arena.fail('pay/checkout', mine);
    await arena.pass(within);
    const paged = arena.products.requests.some(({ title, taken }) => taken && title.includes('pay/checkout'));
    assert.ok(paged, `${arena.taken('pagerduty').length} others were`);
    if (teams === 1) assert.ok(arena.taken('pagerduty').length < 60, `${arena.taken('pagerduty').length} pages`);
  });

test('what rises to critical while its own opening waits behind 500 others at the pager is paged as critical within 20 s', async () => {
  const arena = new Arena({ pacing: pagersPace });
  arena.create('pagerduty', 'pager');
  arena.begin();
  await arena.pass(minute);
  const pods = Array.from({ length: 500 }, (_, index) => `shop-${index % 50}/app-${index}` as const);
  arena.failAll(pods);
  await arena.pass(90);
  arena.fail('shop-49/app-499', 'critical');
  await arena.pass(20);
  const paged = arena.products.requests.filter(({ title, taken }) => taken && title.includes('shop-49/app-499'));
  assert.equal(paged.at(-1)?.severity, 'critical', `${arena.taken('pagerduty').length} others were paged`);
});

test('what is critical is told first after an hour that a chat was down, and 120 messages wait at the pace of one in 4 s', async () => {
  const arena = new Arena({ pacing: { perSecond: 0.25, burst: 4 } });
  arena.create('jira', 'tracker');
  arena.begin();
  await arena.pass(minute);
  arena.products.set('jira', 'unavailable');
  arena.failAll(Array.from({ length: 120 }, (_, index) => `shop/app-${index}` as const));
  await arena.pass(60 * minute);
  arena.fail('pay/checkout', 'critical');
  await arena.pass(30);
  arena.products.heal();
  await arena.pass(6 * minute);
  const taken = arena.products.requests.filter((request) => request.taken);
  const place = taken.findIndex(({ title }) => title.includes('pay/checkout'));
  assert.ok(place >= 0 && place <= 2, `it came as number ${place + 1}`);
});
