/** Too much at once for people: what is collapsed, what is heard all the same, and when it is over. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Explanation } from '../../src/model/explanation.ts';
import type { Severity } from '../../src/model/severity.ts';
import type { Traits } from '../../src/model/traits.ts';
import { fc } from '../fast-check.ts';
import { at, explanation, finding, isAbout, isSummary, provider, settingsWith, simulation } from './helpers.ts';

const pagers: Traits = new Map([['pagerduty', { plain: 'alert', family: 'pager', closesByKey: true }]]);

/** A Deployment with one failing Pod, due at once. */
function failing(namespace: string, name: string, since = 0, severity: Severity = 'high'): Explanation {
  const members = [finding(`Pod/${namespace}/${name}-1`, { since, severity })];
  return explanation(`Deployment/${namespace}/${name}`, { severity, members });
}
const many = (count: number, namespace = 'shop', since = 0): Explanation[] =>
  Array.from({ length: count }, (_, index) => failing(namespace, `app-${index}`, since));

test('a critical opening is heard at once in a storm, and the storm ends although openings go on to trickle', () => {
  const sim = simulation();
  sim.start();
  let open = many(25);
  assert.deepEqual(sim.step(100, open), ['overview/opening 25 → oncall']);
  for (let round = 0; round < 72; round += 1) {
    const seconds = 110 + round * 100;
    const critical = failing('shop', `late-${round}`, seconds - 40, 'critical');
    open = [...open, critical];
    assert.deepEqual(sim.step(seconds, open), [`open ${critical.root.ref} Settled → oncall`], `after ${seconds} s`);
  }
});

test('a storm of openings that are not critical ends within minutes although one more comes every 50 s', () => {
  const sim = simulation();
  sim.start();
  let open = many(25);
  sim.step(100, open);
  const told: string[][] = [];
  for (let round = 0; round < 10; round += 1) {
    const seconds = 110 + round * 50;
    open = [...open, failing('shop', `late-${round}`, seconds - 75)];
    told.push(sim.step(seconds, open));
  }
  assert.deepEqual(told[0], [], 'in the storm');
  assert.deepEqual(
    told[1],
    ['open Deployment/shop/late-1 Settled → oncall', 'overview/opening 1 → oncall'],
    'calm again',
  );
  for (const [round, lines] of told.slice(2).entries())
    assert.deepEqual(lines, [`open Deployment/shop/late-${round + 2} Settled → oncall`]);
});

test('the storm of one namespace swallows nothing of what another team is told', () => {
  const sim = simulation();
  sim.start();
  const other = failing('pay', 'ledger', 0);
  assert.deepEqual(sim.step(100, [...many(25), other]), [
    'open Deployment/pay/ledger Settled → oncall',
    'overview/opening 25 → oncall',
  ]);
  const next = failing('pay', 'cards', 40);
  assert.deepEqual(sim.step(120, [...many(40), other, next]), ['open Deployment/pay/cards Settled → oncall']);
});

test('one fault that hits many namespaces a little is one overview', () => {
  const sim = simulation();
  sim.start();
  const everywhere = Array.from({ length: 60 }, (_, index) => failing(`team-${index}`, 'api'));
  assert.deepEqual(sim.step(100, everywhere), ['overview/opening 60 → oncall']);
});

test('as long as a storm lasts, what comes in its course is listed every two minutes', () => {
  const sim = simulation();
  sim.start();
  let open: Explanation[] = [];
  const listedAt: number[] = [];
  for (let seconds = 100; seconds < 1_000; seconds += 1) {
    open = [...open, failing('shop', `app-${seconds}`, seconds - 75)];
    if (sim.step(seconds, open).some((line) => line.startsWith('overview'))) listedAt.push(seconds);
  }
  const [first = 0, ...others] = listedAt;
  assert.ok(first <= 121, `the first at ${first}`);
  assert.equal(others.length, 7);
  assert.deepEqual(
    others,
    others.map((_, index) => first + (index + 1) * 120),
  );
});

test('more critical openings at once than anybody can read: twenty alone, the rest listed at once', () => {
  const sim = simulation();
  sim.start();
  const critical = Array.from({ length: 30 }, (_, index) => failing('shop', `app-${index}`, 0, 'critical'));
  const told = sim.step(100, critical);
  assert.equal(told.filter((line) => line.startsWith('open')).length, 20);
  assert.equal(told.at(-1), 'overview/opening 10 → oncall');
  const more = failing('shop', 'more', 60, 'critical');
  sim.step(101, [...critical, more]);
  assert.deepEqual(sim.step(110, [...critical, more]), ['overview/opening 1 → oncall']);
});

test('who makes criticals of his own all hour rings forty times, the rest is listed every two minutes, and nobody else waits', () => {
  const pager = provider('pager', { type: 'pagerduty' });
  const sim = simulation(settingsWith({ providers: [provider('chat'), pager] }), pagers);
  sim.start();
  let open: Explanation[] = [];
  const told: string[] = [];
  for (let minute = 1; minute <= 60; minute += 1) {
    const fresh = Array.from({ length: 50 }, (_, index) =>
      failing('shop', `${minute}-${index}`, minute * 60, 'critical'),
    );
    open = [...open, ...fresh];
    if (minute === 30) open.push(failing('pay', 'checkout', minute * 60, 'critical'));
    for (const seconds of [10, 20, 40]) told.push(...sim.step(minute * 60 + seconds, open));
  }
  told.push(...sim.step(63 * 60, open));
  for (const name of ['chat', 'pager']) {
    const own = told.filter((line) => line.split(' → ')[1]?.split(',').includes(name));
    const rings = own.filter((line) => line.startsWith('open') && line.includes('shop/'));
    assert.equal(rings.length, 40, name);
    assert.ok(own.length <= 80, `${own.length} messages an hour`);
    const listed = own.flatMap((line) => /overview\/opening (\d+)/.exec(line)?.[1] ?? []);
    if (name === 'chat') assert.equal(rings.length + listed.reduce((all, one) => all + Number(one), 0), 3_000);
    assert.ok(own.some((line) => line.startsWith('open Deployment/pay/checkout')));
  }
});

test('of criticals of many namespaces at once each has its share of the minute', () => {
  const sim = simulation();
  sim.start();
  const critical = Array.from({ length: 30 }, (_, index) => failing('shop', `app-${index}`, 0, 'critical'));
  const pay = failing('pay', 'checkout', 50, 'critical');
  assert.equal(sim.step(40, critical).filter((line) => line.startsWith('open')).length, 20);
  const told = sim.step(90, [...critical, pay]);
  assert.deepEqual(told, [`open ${pay.root.ref} Settled → oncall`]);
});

test('what got critical while it waited for the overview is told by itself and not listed again', () => {
  const sim = simulation();
  sim.start();
  sim.step(100, many(25));
  const late = failing('shop', 'late', 20);
  assert.deepEqual(sim.step(110, [...many(25), late]), []);
  const worse = { ...late, severity: 'critical' } as const;
  assert.deepEqual(sim.step(115, [...many(25), worse]), ['open Deployment/shop/late SeverityRaised → oncall']);
  assert.deepEqual(sim.step(400, [...many(25), worse]), []);
});

test('whatever opens when, everybody hears of it within two minutes, and of what is critical at once', () => {
  const arrivals = fc.array(
    fc.record({
      wait: fc.integer({ min: 0, max: 3 }),
      namespace: fc.constantFrom('shop', 'pay', 'web'),
      severity: fc.constantFrom<Severity>('high', 'high', 'high', 'medium', 'critical'),
    }),
    { minLength: 30, maxLength: 200 },
  );
  fc.assert(
    fc.property(arrivals, (stories) => {
      const sim = simulation(settingsWith({ providers: [provider('oncall'), provider('other')] }));
      sim.start();
      const heardAt = new Map<string, number>();
      const listen = (seconds: number): void => {
        for (const told of sim.told.splice(0)) {
          if (isAbout(told) && !heardAt.has(told.incident.id)) heardAt.set(told.incident.id, seconds);
          if (!isSummary(told)) continue;
          for (const { id, hearings } of sim.all())
            for (const { listed = [] } of Object.values(hearings))
              if (listed.some((one) => one.id === told.id) && !heardAt.has(id)) heardAt.set(id, seconds);
        }
      };
      let seconds = 100;
      let open: Explanation[] = [];
      for (const [index, { wait, namespace, severity }] of stories.entries()) {
        seconds += wait;
        open = [...open, failing(namespace, `app-${index}`, seconds - 75, severity)];
        sim.step(seconds, open);
        listen(seconds);
      }
      for (let rest = 0; rest < 20; rest += 1) {
        const { wakeAt } = sim.last();
        seconds = wakeAt === undefined ? seconds + 60 : Math.max(seconds + 1, (wakeAt - at(0)) / 1000);
        sim.step(seconds, open);
        listen(seconds);
      }
      for (const {
        id,
        openedAt = 0,
        explanation: { severity },
      } of sim.all()) {
        const late = (heardAt.get(id) ?? Number.POSITIVE_INFINITY) - (openedAt - at(0)) / 1000;
        // Between steps that a story takes, none is run: the longest wait is added.
        assert.ok(late <= (severity === 'critical' ? 10 : 120) + 3, `${id} (${severity}) after ${late} s`);
      }
    }),
    { numRuns: 40, seed: 2026 },
  );
});

test('a flood of what was there at the start, which routes come to pick only now, is listed', () => {
  const ops = provider('ops', { routes: [{ names: ['other'] }] });
  const sim = simulation(settingsWith({ edition: 'Pro', providers: [ops] }));
  const old = Array.from({ length: 25 }, (_, index) =>
    explanation(`Deployment/shop/app-${index}`, { members: [finding(`Pod/shop/app-${index}-1`, { since: -600 })] }),
  );
  assert.deepEqual([...sim.start(old), ...sim.step(10, old)], []);
  sim.set({ providers: [{ ...ops, routes: [{ namespaces: ['shop'] }] }] });
  assert.deepEqual([...sim.step(100, old), ...sim.step(101, old)], ['overview/opening 25 → ops']);
});
