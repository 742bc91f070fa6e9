import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../../src/model/raw-object.ts';
import type { Ref } from '../../../src/model/ref.ts';
import { defaultSettings, type Settings } from '../../../src/model/settings.ts';
import { aboutOf } from '../../../src/runtime/watching/alert-about.ts';
import { alertFate } from '../../../src/runtime/watching/alert-object.ts';
import { AlertsIn } from '../../../src/runtime/watching/alerts-in.ts';
import type { PostedAlert } from '../../../src/server/alerts.ts';
import { virtualClock } from '../../kube/support/virtual-clock.ts';
import { namespace } from '../../world/control-objects.ts';
import { service } from '../../world/network-objects.ts';
import { job, node, pod, start, workload } from '../../world/objects.ts';
import { story } from '../../world/story.ts';

/** A cluster with kube-state-metrics and a node exporter beside a shop. */
function cluster() {
  const k8s = story();
  k8s.put(
    start,
    ...[node('n1'), namespace('shop'), namespace('monitoring'), workload('Deployment', 'api'), service('api')],
    ...[pod('api-1'), job('nightly')],
    pod('kube-state-metrics-x', { namespace: 'monitoring' }),
    pod('node-exporter-y', { namespace: 'monitoring' }),
  );
  return k8s;
}

const exported = { namespace: 'monitoring', pod: 'kube-state-metrics-x', job: 'kube-state-metrics' };

/** What labels, as the common rule sets and scrape configurations have them, are about. */
const cases: readonly {
  readonly is: string;
  readonly labels: Record<string, string>;
  readonly about: readonly Ref[];
}[] = [
  {
    is: 'a Pod, with honor_labels (KubePodCrashLooping)',
    labels: { namespace: 'shop', pod: 'api-1', container: 'api', job: 'kube-state-metrics' },
    about: ['Pod/shop/api-1'],
  },
  {
    is: 'a Pod, without honor_labels: the labels of the target stand where those of the metric should',
    labels: { ...exported, exported_namespace: 'shop', exported_pod: 'api-1' },
    about: ['Pod/shop/api-1'],
  },
  {
    is: 'a Deployment, beside the Pod of the exporter that was asked',
    labels: { ...exported, exported_namespace: 'shop', deployment: 'api' },
    about: ['Deployment/shop/api'],
  },
  {
    is: 'a Node, beside the Pod of the exporter (KubeNodeNotReady)',
    labels: { ...exported, node: 'n1' },
    about: ['Node//n1'],
  },
  {
    is: 'the exporter itself, where nothing else is named',
    labels: exported,
    about: ['Pod/monitoring/kube-state-metrics-x'],
  },
  {
    is: 'the machine of a node exporter (NodeFilesystemAlmostOutOfSpace)',
    labels: { job: 'node-exporter', namespace: 'monitoring', pod: 'node-exporter-y', instance: '10.0.0.1:9100' },
    about: ['Node//n1'],
  },
  {
    is: 'a Service, and no Job of the name of what is scraped',
    labels: { namespace: 'shop', service: 'api', job: 'api' },
    about: ['Service/shop/api'],
  },
  {
    is: 'a Job (KubeJobFailed)',
    labels: { namespace: 'shop', job_name: 'nightly', job: 'kube-state-metrics' },
    about: ['Job/shop/nightly'],
  },
  {
    is: 'a Namespace, where that is all (KubeQuotaFullyUsed)',
    labels: { namespace: 'shop', resourcequota: 'q', job: 'x' },
    about: ['Namespace//shop'],
  },
  { is: 'nothing, where the Pod is gone', labels: { namespace: 'shop', pod: 'api-0' }, about: [] },
  { is: 'nothing, where no label names an object (Watchdog)', labels: { alertname: 'Watchdog' }, about: [] },
  {
    is: 'nothing, where a name is none',
    labels: { namespace: 'shop', pod: '../../api-1', node: '$(reboot)' },
    about: [],
  },
  {
    is: 'what several labels name, best first',
    labels: { namespace: 'shop', deployment: 'api', pod: 'api-1' },
    about: ['Deployment/shop/api', 'Pod/shop/api-1'],
  },
];

for (const { is, labels, about } of cases)
  test(`an alert is about ${is}`, () => {
    assert.deepEqual(aboutOf(labels, [], cluster().world), about);
  });

test('a rule of the AlertConfig goes before the usual ones', () => {
  const rules = [{ label: 'app', kind: 'Deployment', namespaceLabel: 'team' }] as const;
  const labels = { app: 'api', team: 'shop', namespace: 'shop', pod: 'api-1' };
  assert.deepEqual(aboutOf(labels, rules, cluster().world)[0], 'Deployment/shop/api');
});

const { alertsIn: preset } = defaultSettings;
const labelsOf = (more: Record<string, string> = {}) => ({
  alertname: 'RequestsFail',
  namespace: 'shop',
  deployment: 'api',
  ...more,
});
const posted = (labels: Record<string, string>, parts: Partial<PostedAlert> = {}): PostedAlert => ({
  ...{ status: 'firing', labels, annotations: {}, startsAt: '2026-06-01T11:00:00Z', endsAt: '0001-01-01T00:00:00Z' },
  ...parts,
});
const fateOf = (alert: PostedAlert, settings: Partial<Settings['alertsIn']> = {}) =>
  alertFate(alert, { ...preset, ...settings }, cluster().world, start);
const objectOf = (
  alert: PostedAlert,
  settings: Partial<Settings['alertsIn']> = {},
): RawObject & Record<string, unknown> => {
  const fate = fateOf(alert, settings);
  assert.ok('raw' in fate, fate.is);
  return { ...fate.raw };
};

test('an alert without an end is over once nobody has repeated it for expireSeconds; one with an end is over then', () => {
  assert.equal(objectOf(posted(labelsOf()), { expireSeconds: 600 }).expiresAt, '2026-06-01T12:10:00.000Z');
  const endsAt = '2026-06-01T12:03:00Z';
  assert.equal(objectOf(posted(labelsOf(), { endsAt }), { expireSeconds: 600 }).expiresAt, '2026-06-01T12:03:00.000Z');
  assert.equal(fateOf(posted(labelsOf(), { endsAt: '2026-06-01T11:59:00Z' })).is, 'ended');
  assert.equal(fateOf(posted(labelsOf(), { status: 'resolved' })).is, 'ended');
});

test('times that are none, or still to come, are now', () => {
  for (const startsAt of ['', 'yesterday', '0001-01-01T00:00:00Z', '2126-01-01T00:00:00Z'])
    assert.equal(objectOf(posted(labelsOf(), { startsAt })).startsAt, '2026-06-01T12:00:00.000Z', startsAt);
});

test('the severity is by a table: a word that nobody knows is medium, none is no alert, and the AlertConfig adds to it', () => {
  const of = (severity: string, severities: Settings['alertsIn']['severities'] = {}) =>
    objectOf(posted(labelsOf({ severity })), { severities }).severity;
  assert.deepEqual(
    ['critical', 'Critical', 'warning', 'info', 'P9', '__proto__', 'constructor'].map((word) => of(word)),
    ['critical', 'critical', 'medium', 'low', 'medium', 'medium', 'medium'],
  );
  assert.deepEqual([of('P9', { p9: 'low' }), of('warning', { warning: 'high' })], ['low', 'high']);
  assert.equal(fateOf(posted(labelsOf({ severity: 'none' }))).is, 'ignored');
});

test('only alerts of the names that are asked for are taken', () => {
  assert.equal(fateOf(posted(labelsOf()), { names: ['!Requests*'] }).is, 'ignored');
  assert.equal(fateOf(posted(labelsOf()), { names: ['Requests*'] }).is, 'taken');
  assert.equal(fateOf(posted({ namespace: 'shop', deployment: 'api' })).is, 'ignored');
});

test('what Tocsin itself told Alertmanager does not come back', () => {
  assert.equal(fateOf(posted(labelsOf({ tocsin_key: '04458fef095c886e' }))).is, 'ignored');
});

test('what an alert says is cut, on one line, and without control characters and credentials', () => {
  const summary = `password=hunter22hunter22\u0000\u202e\n${'x'.repeat(5_000)}`;
  const raw = objectOf(posted(labelsOf({ alertname: `A\u001b[31m${'n'.repeat(500)}` }), { annotations: { summary } }));
  const { alert, summary: said } = raw as unknown as { readonly alert: string; readonly summary: string };
  assert.ok(alert.length <= 80 && said.length <= 300);
  assert.doesNotMatch(`${alert}${said}`, /hunter22|\p{Cc}|\u202e/u);
});

/** A door with its world: what is pushed is taken in at once. */
function door(settings: Partial<Settings['alertsIn']> = {}) {
  const clock = virtualClock(start);
  const k8s = cluster();
  let current: Settings['alertsIn'] = { ...preset, enabled: true, ...settings };
  const turned: number[] = [];
  const alerts = new AlertsIn({
    clock,
    world: k8s.world,
    settings: () => current,
    push(input) {
      if (input.kind !== 'objects') return;
      for (const { is, raw } of input.events) k8s[is](clock.now(), raw);
      turned.push(input.events.length);
    },
    drain: () => undefined,
    count: () => undefined,
  });
  alerts.configure();
  return {
    ...{ alerts, clock, k8s, turned },
    held: () => [...k8s.world.all('Alert')].length,
    configure(other: Partial<Settings['alertsIn']>) {
      current = { ...current, ...other };
      alerts.configure();
    },
  };
}

test('the same alert twice is one, whatever the order of its labels, and is gone when it is resolved', () => {
  const { alerts, held } = door();
  alerts.take([posted({ alertname: 'A', namespace: 'shop', deployment: 'api' })]);
  const again = { deployment: 'api', namespace: 'shop', alertname: 'A' };
  assert.deepEqual([alerts.take([posted(again)]).taken, held()], [1, 1]);
  assert.deepEqual([alerts.take([posted(again, { status: 'resolved' })]).ended, held()], [1, 0]);
});

test('in one request what is said last of an alert counts', () => {
  const { alerts, held } = door();
  const one = labelsOf();
  alerts.take([posted(one), posted(one, { status: 'resolved' })]);
  assert.equal(held(), 0);
  alerts.take([posted(one, { status: 'resolved' }), posted(one)]);
  assert.equal(held(), 1);
});

test('an alert whose object has gone, or whose name is not asked for any more, is held no longer', () => {
  const { alerts, k8s, held, configure } = door();
  alerts.take([posted({ alertname: 'A', namespace: 'shop', pod: 'api-1' }), posted(labelsOf())]);
  k8s.gone(start, pod('api-1'));
  configure({ names: ['A'] });
  const { unnamed, ignored } = alerts.take([
    posted({ alertname: 'A', namespace: 'shop', pod: 'api-1' }),
    posted(labelsOf()),
  ]);
  assert.deepEqual([unnamed, ignored, held()], [1, 1, 0]);
});

test('what nobody repeats is gone within half a minute of its end, and what is repeated is not', async () => {
  const { alerts, clock, held } = door({ expireSeconds: 300 });
  alerts.take([posted(labelsOf()), posted(labelsOf({ series: 'b' }))]);
  await clock.advance(200_000);
  alerts.take([posted(labelsOf({ series: 'b' }))]);
  await clock.advance(130_000);
  assert.equal(held(), 1);
  await clock.advance(200_000);
  assert.equal(held(), 0);
});

test('two thousand are held; a namespace that floods displaces its own', () => {
  const { alerts, held } = door();
  alerts.take([posted({ alertname: 'Quiet', namespace: 'monitoring', pod: 'node-exporter-y' })]);
  const many = (from: number) =>
    Array.from({ length: 1_000 }, (_, index) => posted(labelsOf({ series: String(from + index) })));
  const counts = [0, 1_000, 2_000].map((from) => alerts.take(many(from)).displaced);
  assert.deepEqual([counts, held()], [[0, 1, 1_000], 2_000]);
  assert.equal(
    alerts.take([
      posted({ alertname: 'Quiet', namespace: 'monitoring', pod: 'node-exporter-y' }, { status: 'resolved' }),
    ]).ended,
    1,
  );
  assert.equal(held(), 1_999);
});

test('what is turned off forgets all that was told, and what an earlier process left is taken over or swept away', async () => {
  const on = door();
  on.alerts.take([posted(labelsOf())]);
  on.configure({ enabled: false });
  assert.equal(on.held(), 0);

  const saved = objectOf(posted(labelsOf()));
  const off = door({ enabled: false });
  off.k8s.put(start, saved);
  await off.clock.advance(60_000);
  assert.equal(off.held(), 0);

  const next = door({ expireSeconds: 300 });
  next.k8s.put(start, objectOf(posted(labelsOf()), { expireSeconds: 300 }));
  await next.clock.advance(60_000);
  assert.equal(next.held(), 1);
  await next.clock.advance(300_000);
  assert.equal(next.held(), 0);
});
