import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ref } from '../../../src/model/ref.ts';
import { type Mark, markOf } from '../../../src/world/objects/marks.ts';
import { at, configMap, daemonSet, job, node, pod, start, workload } from '../objects.ts';
import { story } from '../story.ts';

const on = { 'tocsin.dev/maintenance': 'true' };
const until = (instant: string) => ({ 'tocsin.dev/maintenance-until': instant });
const forGood = { until: Number.POSITIVE_INFINITY };
const noon = { until: Date.parse('2026-06-01T12:00:00Z') };

const good: readonly (readonly [Record<string, string>, Mark | undefined])[] = [
  [{}, undefined],
  [{ 'tocsin.dev/other': 'true' }, undefined],
  [on, forGood],
  [{ 'tocsin.dev/maintenance': 'false' }, undefined],
  [until('2026-06-01T14:00:00+02:00'), noon],
  [{ ...on, ...until('2026-06-01T12:00:00Z') }, noon],
  [{ 'tocsin.dev/maintenance': 'false', ...until('2026-06-01T12:00:00Z') }, undefined],
];
for (const [annotations, mark] of good)
  test(`${JSON.stringify(annotations)} means ${JSON.stringify(mark)}`, () => {
    assert.deepEqual(markOf(annotations), mark);
  });

const bad = [
  ['tocsin.dev/maintenance', 'maybe'],
  ['tocsin.dev/maintenance', 'True'],
  ['tocsin.dev/maintenance', ''],
  ['tocsin.dev/maintenance-until', 'tomorrow'],
  ['tocsin.dev/maintenance-until', '2026-06-01'],
  ['tocsin.dev/maintenance-until', '2026-06-01T12:00:00'],
  ['tocsin.dev/maintenance-until', '2026-02-30T12:00:00Z'],
  ['tocsin.dev/maintenance-until', `2026-06-01T12:00:00Z${'!'.repeat(5000)}`],
] as const;
for (const [name, value] of bad)
  test(`${name}: ${value.slice(0, 40)} puts nothing into maintenance, and is quoted`, () => {
    const mark = markOf({ ...on, [name]: value });
    assert.ok(mark && 'wrong' in mark);
    assert.match(mark.wrong, new RegExp(`^\`${name}\` is "${value.slice(0, 20)}`));
    assert.ok(mark.wrong.length < 200);
  });

/** A Deployment with its ReplicaSet and a Pod on n1. */
function shop(annotations: { deployment?: object; replicaSet?: object; pod?: object }) {
  const world = story();
  const own = (kind: string, name: string) => ({ owner: { kind, name } });
  const raws = [
    workload('Deployment', 'api', { annotations: { ...annotations.deployment } }),
    workload('ReplicaSet', 'api-7d9c', { ...own('Deployment', 'api'), annotations: { ...annotations.replicaSet } }),
    pod('api-7d9c-1', { ...own('ReplicaSet', 'api-7d9c'), annotations: { ...annotations.pod } }),
  ];
  world.put(start, ...raws);
  return world;
}

const thePod = 'Pod/shop/api-7d9c-1';
const deployment = 'Deployment/shop/api';
const covers = (world: ReturnType<typeof story>, ref: Ref, now = start): Ref | undefined =>
  world.world.marks.at(now).coverOf(ref);

test('an annotation covers its object and everything that it owns', () => {
  const world = shop({ deployment: on });
  for (const ref of [deployment, 'ReplicaSet/shop/api-7d9c', thePod] as const)
    assert.equal(covers(world, ref), deployment);
  assert.equal(covers(world, 'Deployment/shop/web'), undefined);
  assert.equal(covers(world, 'Node//n1'), undefined, 'nothing above it');
  assert.equal(covers(shop({ pod: on }), deployment), undefined);
});

test('an annotation of a Namespace covers everything in it, one of a Node the Pods on it', () => {
  const world = shop({});
  world.put(start, {
    ...{ apiVersion: 'v1', kind: 'Namespace' },
    metadata: { name: 'shop', uid: 'ns', creationTimestamp: '2026-06-01T00:00:00Z', annotations: on },
  });
  for (const ref of [deployment, thePod, 'ConfigMap/shop/any', 'Namespace//shop'] as const)
    assert.equal(covers(world, ref), 'Namespace//shop');
  assert.equal(covers(world, 'Deployment/pay/api'), undefined);

  const onNode = shop({});
  onNode.put(start, node('n1', { annotations: on }));
  for (const ref of [thePod, 'Node//n1'] as const) assert.equal(covers(onNode, ref), 'Node//n1');
  assert.equal(covers(onNode, deployment), undefined, 'its Pods may run elsewhere');
});

test('StatefulSets, DaemonSets, Jobs and Pods by themselves can be annotated, ConfigMaps cannot', () => {
  const world = story();
  world.put(
    start,
    workload('StatefulSet', 'db', { annotations: on }),
    daemonSet('agent', { annotations: on }),
    job('report', { annotations: on }),
    pod('lone', { annotations: on }),
    configMap('any', { annotations: on }),
  );
  assert.equal(world.world.marks.all().size, 4);
});

test('an annotation of a CronJob covers its Jobs and their Pods', () => {
  const world = story();
  const report = { owner: { kind: 'CronJob', name: 'report', apiVersion: 'batch/v1' } };
  const cronJob = {
    ...{ apiVersion: 'batch/v1', kind: 'CronJob' },
    metadata: {
      name: 'report',
      namespace: 'shop',
      uid: 'cj',
      creationTimestamp: '2026-06-01T00:00:00Z',
      annotations: on,
    },
  };
  const owned = { owner: { kind: 'Job', name: 'report-1', apiVersion: 'batch/v1' } };
  world.put(start, cronJob, job('report-1', report), pod('report-1-a', owned));
  assert.equal(covers(world, 'Pod/shop/report-1-a'), 'CronJob/shop/report');
});

test('the copy that a ReplicaSet has of an annotation of its Deployment counts for nothing: the controller never takes it back', () => {
  const world = shop({ deployment: on, replicaSet: on });
  assert.equal(covers(world, thePod), deployment);
  world.put(at(1), workload('Deployment', 'api'));
  assert.equal(covers(world, thePod, at(1)), undefined);
});

test('an annotation ends by its time, and the next end is known', () => {
  const end = new Date(at(10)).toISOString();
  const world = shop({ deployment: until(end) });
  world.put(start, node('n1', { annotations: until(new Date(at(20)).toISOString()) }));
  assert.equal(world.world.marks.at(start).changesAt, at(10));
  assert.equal(covers(world, thePod, at(10) - 1), deployment);
  assert.equal(covers(world, thePod, at(10)), 'Node//n1');
  assert.equal(world.world.marks.at(at(10)).changesAt, at(20));
  assert.equal(world.world.marks.at(at(20)).changesAt, Number.POSITIVE_INFINITY);
});

test('what changes is told once: coming, changing, going with the annotation or with the object', () => {
  const world = story();
  const take = () => [...world.world.marks.takeChanged()];
  world.put(start, workload('Deployment', 'api', { annotations: on }), workload('Deployment', 'web'));
  assert.deepEqual(take(), [deployment]);
  world.put(at(1), workload('Deployment', 'api', { annotations: on, replicas: 5 }));
  assert.deepEqual(take(), []);
  world.put(at(2), workload('Deployment', 'api', { annotations: { 'tocsin.dev/maintenance': 'no' } }));
  assert.deepEqual(take(), [deployment]);
  world.gone(at(3), workload('Deployment', 'api'));
  assert.deepEqual([take(), take(), world.world.marks.all().size], [[deployment], [], 0]);
});
