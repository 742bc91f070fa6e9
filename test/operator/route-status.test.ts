import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutLicense } from '../../src/model/license.ts';
import type { RouteCount } from '../../src/model/routes.ts';
import { defaultSettings, type ProviderSettings, type Settings } from '../../src/model/settings.ts';
import { configStatus } from '../../src/operator/config-status.ts';
import { RouteProblems, type RouteRows, routeState } from '../../src/operator/route-status.ts';
import { provider as settingsOf } from '../delivery/stage.ts';
import { explanation, settingsWith, simulation } from '../incident/helpers.ts';
import { brief, conditionsOf, config, createdAt, noFacts, views } from './objects.ts';

const now = Date.parse(createdAt);
const pro: Settings = { ...defaultSettings, edition: 'Pro' };
const routed = (...routes: NonNullable<ProviderSettings['routes']>) => settingsOf('oncall', { routes });
const state = (
  provider: ProviderSettings,
  counts?: readonly (RouteCount | undefined)[],
  before?: RouteRows,
  settings = pro,
) => routeState(provider, settings, new RouteProblems(), counts, before);

test('each route is a row: what it picks in words, what it took, and why it takes nothing', () => {
  const provider = routed(
    { severities: ['critical', 'high'], namespaces: ['team-*', '!team-test'] },
    { labels: { team: 'payments' } },
    { severities: ['high'], namespaces: ['team-a'] },
    {},
  );
  const shown = state(provider, [{ incidents: 3, lastMatchAt: now }, undefined, undefined, undefined]);
  assert.deepEqual(
    shown?.rows.map(({ problem, ...row }) => row),
    [
      {
        ...{ index: 0, selector: 'severities critical, high; namespaces team-*, not team-test' },
        ...{ incidents: 3, lastMatchTime: createdAt },
      },
      { index: 1, selector: 'labels team=payments', incidents: 0 },
      { index: 2, selector: 'severities high; namespaces team-a', incidents: 0 },
      { index: 3, selector: 'everything', incidents: 0 },
    ],
  );
  assert.deepEqual(
    shown?.rows.map(({ problem }) => problem !== undefined),
    [false, false, true, false],
  );
  assert.match(shown?.rows[2]?.problem ?? '', /^`spec\.routes\[2\]` does nothing, since `spec\.routes\[0\]`/);
  assert.deepEqual([shown?.problems, shown?.says], [[], 'What its 4 routes pick comes here.']);
});

test('a route that can never match needs somebody to act; a provider of which none can says that nothing comes', () => {
  const one = state(routed({ reasons: ['OOMKiled'] }, { kinds: ['Node'] }), []);
  assert.deepEqual(
    one?.problems.map(({ reason }) => reason),
    ['UnreachableRoute'],
  );
  assert.equal(one?.says, 'What its 2 routes pick comes here. 1 of them can never match: see `status.routes`.');
  assert.match(state(routed({ namespaces: ['Shop'] }), [])?.says ?? '', /nothing comes here/);
});

test('what the AlertConfig keeps from a route is shown where the route is, and follows the AlertConfig', () => {
  const provider = routed({ severities: ['critical'] });
  const verdicts = new RouteProblems();
  const capped: Settings = {
    ...pro,
    detection: { ...pro.detection, overrides: [{ selector: {}, maxSeverity: 'high' }] },
  };
  const problemIn = (settings: Settings) => routeState(provider, settings, verdicts, [], undefined)?.rows[0]?.problem;
  assert.equal(problemIn(pro), undefined);
  assert.match(problemIn(capped) ?? '', /`detection\.overrides`/);
  assert.equal(problemIn(pro), undefined);
});

test('until anything is counted, what the status said stays, by what each route says', () => {
  const before: RouteRows = [{ index: 0, selector: 'kinds Node', incidents: 7, lastMatchTime: createdAt }];
  assert.deepEqual(state(routed({ names: ['api'] }, { kinds: ['Node'] }), undefined, before)?.rows, [
    { index: 0, selector: 'names api', incidents: 0 },
    { index: 1, selector: 'kinds Node', incidents: 7, lastMatchTime: createdAt },
  ]);
});

test('without a licence, and without routes, there are no rows', () => {
  assert.equal(state(routed({ kinds: ['Node'] }), [], undefined, defaultSettings), undefined);
  assert.equal(state(routed(), []), undefined);
});

test('fifty of the worst routes are shown cut, within what the schema takes, in a moment', () => {
  const globs = Array.from({ length: 100 }, (_, index) => `*a${'?'.repeat(index % 50)}*b${index}*`);
  const provider = routed(...Array.from({ length: 50 }, (_, index) => ({ names: globs, nodes: [`n${index}*`] })));
  const began = process.cpuUsage();
  const shown = state(provider, []);
  const { user } = process.cpuUsage(began);
  assert.ok(user < 2_000_000, `${user / 1000} ms of processor time`);
  assert.equal(shown?.rows.length, 50);
  assert.ok(shown?.rows.every(({ selector }) => selector.length === 512 && selector.endsWith('…')));
});

test('what is open and reaches nobody for want of a route is said in the AlertConfig, and marked', () => {
  const pager = settingsOf('pager', { routes: [{ severities: ['critical'] }] });
  const delivered = { lastDelivery: { time: now, stream: 's', act: 'open' as const, attempts: 1, durationMs: 1 } };
  const sim = simulation(settingsWith({ edition: 'Pro', providers: [pager] }));
  sim.start();
  sim.step(15, [explanation('Deployment/shop/api'), explanation('Deployment/shop/web', { severity: 'critical' })]);
  const statusWith = (providers: readonly ProviderSettings[], edition: 'Pro' | 'Community' = 'Pro') =>
    configStatus(config(), {
      license: { ...withoutLicense, edition },
      ...{ problems: [], providers, now },
      views: views({ incidents: () => sim.all(), provider: () => ({ ...noFacts, ...delivered }) }),
    });
  const alone = statusWith([pager]);
  assert.ok(brief(alone).includes('Delivering=False/NoRoute'), brief(alone).join());
  assert.match(conditionsOf(alone).find(({ type }) => type === 'Delivering')?.message ?? '', /nobody is told of them/);
  const marked = (alone.status as { incidents?: readonly { root: string; unrouted?: boolean }[] }).incidents;
  assert.deepEqual(
    marked?.map(({ root, unrouted }) => [root, unrouted]),
    [
      ['Deployment/shop/web', undefined],
      ['Deployment/shop/api', true],
    ],
  );
  for (const fine of [statusWith([pager, settingsOf('chat')]), statusWith([pager], 'Community')])
    assert.ok(brief(fine).includes('Delivering=True/Delivered'), brief(fine).join());
});
