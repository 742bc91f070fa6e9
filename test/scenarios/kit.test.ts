import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../src/model/raw-object.ts';
import type { Input } from '../../src/model/turn.ts';
import { failingObservations, lapses } from './kit/failing.ts';
import { type Figure, passes, percentile } from './kit/figures.ts';
import { indexLines } from './kit/index-lines.ts';
import { judge } from './kit/judge.ts';
import { aged, coalesce, compact, createSieve, type Log, readLog } from './kit/log.ts';
import { play } from './kit/play.ts';
import { run } from './kit/run.ts';
import { timesOf } from './kit/times.ts';
import { story } from './stories/labelled/image-tag-missing.ts';

const start = Date.parse('2026-03-01T12:00:00Z');
const pod = (version: string, status: object = {}, metadata: object = {}): RawObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'api-1', namespace: 'shop', uid: 'u', resourceVersion: version, ...metadata },
  status,
});
const pods = (...events: [is: 'put' | 'gone', raw: RawObject][]): Input => ({
  kind: 'objects',
  source: 'pods',
  events: events.map(([is, raw]) => ({ is, raw })),
});
const logOf = (...lines: [seconds: number, ...inputs: Input[]][]): Log => ({
  header: { tocsinLog: 1, clusterId: 'c', version: '1', turns: 'events' },
  lines: lines.map(([seconds, ...inputs]) => ({ now: start + seconds * 1000, inputs })),
});

test('a recorded object keeps who wrote its data and loses what nobody reads', () => {
  const entry = (fieldsV1: object, more: object = {}): object => ({
    manager: 'kubectl-edit',
    time: 't',
    fieldsV1,
    ...more,
  });
  const { metadata, spec } = compact({
    kind: 'ConfigMap',
    metadata: {
      name: 'settings',
      managedFields: [
        entry({ 'f:data': { 'f:a': {} }, 'f:metadata': {} }),
        entry({ 'f:metadata': {} }),
        entry({ 'f:spec': { 'f:replicas': {} } }, { subresource: 'status' }),
      ],
    },
    spec: { dnsPolicy: 'ClusterFirst', containers: [{ name: 'api', env: [{ name: 'A', value: 'hunter2' }] }] },
  });
  // Which keys, never what they say.
  const edited = { 'f:data': { 'f:a': {} } };
  assert.deepEqual(metadata.managedFields, [{ manager: 'kubectl-edit', time: 't', fieldsV1: edited }]);
  assert.doesNotMatch(JSON.stringify(spec), /hunter2|dnsPolicy/);
});

test('of several states seen at once the last is kept, and a deletion in between is not passed over', () => {
  assert.deepEqual(coalesce([pods(['put', pod('1')], ['put', pod('2')])]), [pods(['put', pod('2')])]);
  const replaced = pods(['put', pod('1')], ['gone', pod('1')], ['put', pod('2')]);
  assert.deepEqual(coalesce([replaced]), [replaced]);
});

test('a heartbeat is not recorded; an edit that shows only in managedFields is', () => {
  const passesSieve = createSieve();
  const put = (raw: RawObject): boolean => passesSieve({ is: 'put', raw });
  assert.equal(put(pod('1', { lastHeartbeatTime: 'a' })), true);
  assert.equal(put(pod('2', { lastHeartbeatTime: 'b' })), false);
  assert.equal(put(pod('3', { lastHeartbeatTime: 'b' }, { managedFields: [{ time: 'c' }] })), true);
  assert.equal(passesSieve({ is: 'gone', raw: pod('3') }), true);
  assert.equal(put(pod('1', { lastHeartbeatTime: 'a' })), true);
});

test('what was there before the start is a day older, what came later keeps its time', () => {
  const times = {
    created: '2026-03-01T11:59:00Z',
    micro: '2026-03-01T11:59:00.123456Z',
    ready: '2026-03-01T12:00:00Z',
  };
  assert.deepEqual(aged(times, start), {
    created: '2026-02-28T11:59:00Z',
    micro: '2026-02-28T11:59:00.123Z',
    ready: '2026-03-01T12:00:00Z',
  });
});

test('when a CronJob ran last, and its runs, keep their times: a day older it would have missed a day of runs', () => {
  const [before, later] = ['2026-03-01T11:59:00Z', '2026-02-28T11:59:00Z'];
  const of = (kind: string, owner?: string) => ({
    ...{ apiVersion: 'v1', kind },
    metadata: {
      ...{ namespace: 'shop', name: 'a', creationTimestamp: before },
      ...(owner !== undefined && { ownerReferences: [{ kind: owner }] }),
    },
  });
  const cronJob = { ...of('CronJob'), status: { lastScheduleTime: before } };
  const [cron, job, run, other] = aged(
    [cronJob, of('Job', 'CronJob'), of('Pod', 'Job'), of('Pod', 'ReplicaSet')],
    start,
  );
  assert.deepEqual(cron, { ...cronJob, metadata: { ...cronJob.metadata, creationTimestamp: later } });
  assert.deepEqual(
    [job, run].map((each) => each?.metadata.creationTimestamp),
    [before, before],
  );
  assert.equal(other?.metadata.creationTimestamp, later);
});

test('failing is told by raw objects: a non-zero exit, a bad wait, readiness lost; starting and stopping are none', () => {
  const ready = (status: string) => ({ phase: 'Running', conditions: [{ type: 'Ready', status }] });
  const state = (own: object) => ({ containerStatuses: [{ name: 'api', state: own }] });
  const first = (...raws: RawObject[]): number | undefined => {
    const log = logOf(...raws.map((raw, index): [number, Input] => [index, pods(['put', raw])]));
    const at = failingObservations(log)[0]?.at;
    return at === undefined ? undefined : (at - start) / 1000;
  };
  assert.equal(
    first(pod('1', state({ waiting: { reason: 'ContainerCreating' } })), pod('2', state({ running: {} }))),
    undefined,
  );
  assert.equal(first(pod('1', state({ running: {} })), pod('2', state({ terminated: { exitCode: 1 } }))), 1);
  assert.equal(
    first(pod('1', state({ terminated: { exitCode: 0 } })), pod('2', state({ waiting: { reason: 'ErrImagePull' } }))),
    1,
  );
  assert.equal(first(pod('1', ready('False')), pod('2', ready('True')), pod('3', ready('False'))), 2);
  assert.equal(first(pod('1', ready('True')), pod('2', ready('False'), { deletionTimestamp: 't' })), undefined);
  assert.equal(first(pod('1', ready('True')), pod('2', { phase: 'Failed', reason: 'Evicted' })), 1);
  const served = (status: string): RawObject => ({
    ...{ apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService' },
    metadata: { name: 'v1beta1.metrics.k8s.io', uid: 'u', resourceVersion: status },
    status: { conditions: [{ type: 'Available', status }] },
  });
  assert.equal(first(served('True'), served('False')), 1);
  assert.equal(first(served('True')), undefined);
});

test('a Service lapses when nobody whom it led to is ready any more, not before it led anywhere, and what goes does so then', () => {
  const slice = (...ready: boolean[]): RawObject => ({
    ...{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice' },
    metadata: { name: 'api-x', namespace: 'shop', uid: 's', labels: { 'kubernetes.io/service-name': 'api' } },
    endpoints: ready.map((one) => ({ addresses: ['10.0.0.1'], conditions: { ready: one } })),
  });
  const emptied = (...raws: RawObject[]) =>
    lapses(logOf(...raws.map((raw, index): [number, Input] => [index, pods(['put', raw])]))).map(({ at, ref }) => [
      (at - start) / 1000,
      ref,
    ]);
  const service = 'Service/shop/api';
  assert.deepEqual(emptied(slice(), slice(false), slice(true, false), slice(true)), []);
  assert.deepEqual(emptied(slice(true), slice(false), slice(true), slice()), [[1, service]]);
  const went = logOf([0, pods(['put', pod('1')])], [4, pods(['gone', pod('1')])]);
  assert.deepEqual(lapses(went), [{ at: start + 4000, ref: 'Pod/shop/api-1' }]);
});

const recorded = readLog('labelled/image-tag-missing');
const { played, expectation } = run('labelled/image-tag-missing', story);
const [expected] = expectation.incidents;

test('a workload is out while none of its Pods is ready, once one was; a moment of it ends', () => {
  const deployment = (readyReplicas: number): Input => ({
    kind: 'objects',
    source: 'deployments.apps',
    events: [
      {
        is: 'put',
        raw: {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name: 'api', namespace: 'shop', uid: 'd' },
          spec: { replicas: 2 },
          status: { readyReplicas },
        },
      },
    ],
  });
  const ready = [0, 2, 0, 1, 0, 0].map((count, second): [number, Input] => [second, deployment(count)]);
  const at = (second: number): number => start + second * 1000;
  const outages = [{ from: at(2), until: at(3) }, { from: at(4) }];
  assert.deepEqual([...timesOf(logOf(...ready)).outages], [['Deployment/shop/api', outages]]);
});

test('a scenario is found by its reason, its kind, its name and what happens in it', () => {
  const name = 'labelled/image-tag-missing';
  assert.deepEqual(indexLines(new Map([[name, story]])), [
    `${name}  medium · ImageNotFound · Deployment shop/api  ${story.description}`,
  ]);
});

test('a replay is the same every time', () => {
  assert.deepEqual(JSON.parse(JSON.stringify(play(recorded))), JSON.parse(JSON.stringify(played)));
});

test('a wrong root, reason, severity, delay, count, an innocent that is blamed and a quiet story that is not are faults', () => {
  assert.ok(expected);
  const faults = (change: object): readonly string[] =>
    judge(recorded, played, { ...expectation, incidents: [{ ...expected, ...change }] }).faults;
  assert.deepEqual(faults({}), []);
  assert.match(faults({ root: 'Node//n1' }).join(), /Node\/\/n1 ImageNotFound was not told.*is not expected/);
  assert.match(faults({ reason: 'OOMKilled' }).join(), /reason ImageNotFound, expected OOMKilled/);
  assert.match(faults({ severity: 'critical' }).join(), /severity medium, expected critical/);
  assert.match(
    faults({ firstMessageWithinSeconds: 10 }).join(),
    /first message after 1\d(?:\.\d+)? s, expected within 10 s/,
  );
  assert.match(faults({ messages: { resolve: 0 } }).join(), /1 × resolve, expected 0/);
  assert.match(faults({ mustNotBlame: [expected.root] }).join(), /is blamed and innocent/);
  const quiet = judge(recorded, played, { ...expectation, incidents: [] });
  assert.equal(quiet.wrongAndSure, 1);
  assert.match(quiet.faults.join(), /is not expected/);
});

test('a second opening of what is open, and an update that says nothing new, are counted', () => {
  const [open, resolve] = played.messages;
  assert.ok(open && resolve);
  const update = { ...open, delivery: { ...open.delivery, act: 'update' as const } };
  const again = { ...open, run: 1 };
  const verdict = judge(recorded, { ...played, messages: [open, update, again, resolve] }, expectation);
  assert.deepEqual([verdict.unchangedUpdates, verdict.reannouncements], [1, 1]);
});

test('gates hold on the right side, percentiles count up', () => {
  const figure = (value: number, is: 'at least' | 'at most'): Figure => ({
    ...{ key: '', name: '', unit: '', because: [], value },
    gate: { is, limit: 2 },
  });
  assert.deepEqual(
    [1, 2, 3].map((value) => passes(figure(value, 'at most'))),
    [true, true, false],
  );
  assert.deepEqual(
    [1, 2, 3].map((value) => passes(figure(value, 'at least'))),
    [false, true, true],
  );
  assert.deepEqual([percentile([], 95), percentile([3, 1, 2], 50), percentile([3, 1, 2], 95)], [0, 2, 3]);
});
