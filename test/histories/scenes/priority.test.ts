import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Arena } from '../kit/arena.ts';

const minute = 60;

/** A zone is lost: that many fail at once; half a minute later something critical begins. Seconds until it is paged. */
async function secondsUntilPaged(
  others: number,
  pacing: { perSecond: number; burst: number },
  namespace: string,
): Promise<number> {
  const arena = new Arena({ pacing });
  arena.create('pagerduty', 'pager');
  arena.begin();
  await arena.pass(minute);
  arena.failAll(Array.from({ length: others }, (_, index) => `${namespace}/app-${index}` as const));
  // They are told after they have settled.
  await arena.pass(80);
  arena.fail('pay/checkout', 'critical');
  const began = arena.seconds;
  const paged = (): boolean =>
    arena.products.requests.some(({ title, taken }) => taken && title.includes('pay/checkout'));
  for (let seconds = 0; seconds < 60 * minute && !paged(); seconds += 5) await arena.pass(5);
  // What is critical settles for 10 s.
  return arena.seconds - began - 10;
}

for (const others of [200, 1_000])
  test(`what is critical is paged within 10 s though ${others} that are high wait at the pager's own pace`, async () => {
    assert.ok((await secondsUntilPaged(others, { perSecond: 2, burst: 20 }, 'shop')) <= 15);
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
