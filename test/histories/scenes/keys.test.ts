import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runs } from '../../runs.ts';
import { Arena } from '../kit/arena.ts';
import { judge } from '../kit/oracle.ts';
import type { Mood } from '../kit/products.ts';
import { randomOf } from '../kit/random.ts';
import type { Family } from '../kit/transcript.ts';

const minute = 60;
/** Longer than an incident is held before it is resolved, and than its cooldown. */
const untilAnother = 20 * minute;

/** Six times as many with PROPERTY_RUNS=6. */
const outages = runs(100);

/** What stands at the product under the key of the incident that is open now. */
function alertOf(arena: Arena): 'open' | 'closed' | 'never opened' {
  const { facts, requests } = arena.transcript();
  const open = facts.findLast(({ state }) => state === 'Open');
  const last = requests.filter(({ taken, key }) => taken && key === open?.key).at(-1);
  if (!requests.some(({ taken, stream, act }) => taken && stream === open?.incident && act === 'open'))
    return 'never opened';
  return last?.act === 'resolve' ? 'closed' : 'open';
}

function oncall(random?: () => number, family: Family = 'pager'): Arena {
  const arena = new Arena(random ? { random } : {});
  arena.create('pagerduty', family);
  arena.begin();
  return arena;
}

test('a page stays open though the end of the incident before it is still owed since the AlertProvider was suspended', async () => {
  const arena = oncall();
  arena.fail('shop/api', 'critical');
  await arena.pass(minute);
  arena.edit('pagerduty', { suspended: true });
  arena.mend();
  await arena.pass(untilAnother);
  arena.fail('shop/api', 'critical');
  await arena.pass(2 * minute);
  arena.edit('pagerduty', { suspended: false });
  await arena.pass(10 * minute);
  assert.equal(alertOf(arena), 'open');
  arena.mend();
  await arena.pass(10 * minute);
  assert.equal(arena.taken('pagerduty').at(-1), 'resolve');
});

test('a page stays open though the end of the incident before it is still owed since the token was revoked', async () => {
  const arena = oncall();
  arena.fail('shop/api', 'critical');
  await arena.pass(minute);
  arena.products.set('pagerduty', 'revoked');
  arena.mend();
  await arena.pass(untilAnother);
  arena.fail('shop/api', 'critical');
  await arena.pass(2 * minute);
  arena.products.heal();
  arena.rotate('pagerduty');
  await arena.pass(10 * minute);
  assert.equal(alertOf(arena), 'open');
});

for (const mood of ['unavailable', 'timeoutBefore', 'resetAfter'] as const satisfies readonly Mood[])
  for (const jitter of [0.2, 0.5, 0.8])
    test(`a page stays open though its pager was ${mood} from the end of one incident to the next (jitter ${jitter})`, async () => {
      const arena = oncall(() => jitter);
      arena.fail('shop/api', 'critical');
      await arena.pass(minute);
      arena.mend();
      await arena.pass(179);
      arena.products.set('pagerduty', mood);
      await arena.pass(1_100);
      arena.fail('shop/api', 'critical');
      await arena.pass(100);
      arena.products.heal();
      await arena.pass(60 * minute);
      assert.equal(alertOf(arena), 'open');
    });

test(`of ${outages} outages of a pager over the end of one incident and the begin of the next, none leaves a page closed or not made`, async () => {
  const bad: Record<string, number> = {};
  const moods = ['unavailable', 'hangsBefore', 'hangsAfter', 'resetBefore', 'resetAfter', 'timeoutBefore'] as const;
  for (let seed = 1; seed <= outages; seed += 1) {
    const random = randomOf(seed);
    const arena = oncall(random.next);
    arena.fail('shop/api', 'critical');
    await arena.pass(minute);
    arena.mend();
    await arena.pass(170);
    const mood = random.pick(moods);
    arena.products.set('pagerduty', mood);
    await arena.pass(10 + 15 * minute + 80 + random.below(300));
    arena.fail('shop/api', 'critical');
    await arena.pass(random.below(400));
    arena.products.heal();
    await arena.pass(30 * minute);
    const alert = alertOf(arena);
    if (alert !== 'open') bad[`${mood}: ${alert}`] = (bad[`${mood}: ${alert}`] ?? 0) + 1;
  }
  assert.deepEqual(bad, {});
});

test('two pagers of two namespaces never know their alerts of the startup summary by one key', async () => {
  const arena = new Arena();
  arena.create('ops', 'pager');
  arena.create('team', 'pager', { home: 'shop' });
  arena.failAll(['shop/a', 'pay/b'], 'critical', 'CrashLoopBackOff', 10 * minute);
  arena.begin();
  await arena.pass(5 * minute);
  const alerts = arena.products.requests.filter(({ act }) => act === 'startup');
  assert.deepEqual(alerts.map(({ provider }) => provider).sort(), ['ops', 'team']);
  assert.equal(new Set(alerts.map(({ key }) => key)).size, 2);
  arena.mend('shop/a');
  await arena.pass(60 * minute);
  const closed = arena.products.requests.filter(({ act }) => act === 'resolve').map(({ key }) => key);
  const ofOps = alerts.find(({ provider }) => provider === 'ops')?.key ?? '';
  assert.ok(!closed.includes(ofOps), 'what is still broken elsewhere is not closed');
});

test('of two incidents of one object that are open together the end of one does not close the page of the other', async () => {
  const arena = oncall();
  arena.fail('shop/api', 'critical', 'CreateContainerConfigError');
  await arena.pass(2 * minute);
  arena.fail('shop/api', 'critical', 'ImagePullBackOff');
  await arena.pass(20 * minute);
  arena.mend();
  await arena.pass(4 * minute);
  arena.fail('shop/api', 'high', 'CreateContainerConfigError');
  await arena.pass(minute);
  arena.mend();
  await arena.pass(10);
  arena.fail('shop/api', 'high', 'ImagePullBackOff');
  await arena.pass(10 * minute);
  assert.deepEqual(
    judge({ ...arena.transcript(), settledAt: arena.clock.now() }).filter(({ rule }) => rule.startsWith('O3')),
    [],
  );
});
