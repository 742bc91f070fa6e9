import assert from 'node:assert/strict';
import { test } from 'node:test';
import { events } from '../../../src/world/kinds/cluster/event.ts';
import { EventMemory } from '../../../src/world/memory/event-memory.ts';
import { at, stamp } from '../objects.ts';

const about = 'Pod/shop/api-1';

/** An Event of a kubelet, about shop/api-1 unless said otherwise. */
function told(name: string, when: number, own: Record<string, unknown> = {}) {
  const { pod = 'api-1', uid = `uid-of-${pod}`, ...fields } = own;
  return events.project({
    metadata: { name, namespace: 'shop', uid: `uid-of-${name}`, creationTimestamp: stamp(when) },
    regarding: { kind: 'Pod', apiVersion: 'v1', namespace: 'shop', name: pod, uid },
    reason: 'Unhealthy',
    note: 'Readiness probe failed',
    type: 'Warning',
    deprecatedFirstTimestamp: stamp(when),
    deprecatedLastTimestamp: stamp(when),
    deprecatedCount: 1,
    ...fields,
  });
}

const names = (memory: EventMemory): string[] =>
  memory.of(about, 'uid-of-api-1').map(({ ref }) => ref.slice(ref.lastIndexOf('/') + 1));

test('Events are remembered by what they tell of, the newest last', () => {
  const memory = new EventMemory();
  assert.deepEqual(memory.put(told('b', at(2)), at(2)), [about]);
  memory.put(told('a', at(1)), at(2));
  memory.put(told('other', at(1), { pod: 'api-2' }), at(2));
  assert.deepEqual(names(memory), ['a', 'b']);
  memory.put(told('a', at(1), { deprecatedLastTimestamp: stamp(at(3)), deprecatedCount: 4 }), at(3));
  assert.deepEqual(names(memory), ['b', 'a']);
  const last = memory.of(about, 'uid-of-api-1').at(-1);
  assert.deepEqual([last?.count, last?.firstAt, last?.lastAt], [4, at(1), at(3)]);
});

test('a Normal Event that nobody reads is not remembered; one of those that are read is', () => {
  const memory = new EventMemory();
  assert.deepEqual(memory.put(told('started', at(1), { type: 'Normal', reason: 'Started' }), at(1)), []);
  assert.deepEqual(memory.put(told('pulling', at(1), { type: 'Normal', reason: 'Pulling' }), at(1)), [about]);
  assert.deepEqual(names(memory), ['pulling']);
});

test('that a Node cannot be made concerns all Pods for which it was announced, until that is forgotten', () => {
  const memory = new EventMemory();
  const announced = (pod: string) => told(`for-${pod}`, at(1), { type: 'Normal', reason: 'TriggeredScaleUp', pod });
  const failed = told('failed', at(2), { reason: 'FailedToScaleUpGroup', pod: 'autoscaler' });
  memory.put(announced('api-1'), at(1));
  memory.put(announced('api-2'), at(1));
  memory.put(told('unhealthy', at(1), { pod: 'api-3' }), at(1));
  assert.deepEqual(memory.put(failed, at(2)), ['Pod/shop/autoscaler', 'Pod/shop/api-1', 'Pod/shop/api-2']);
  memory.remove(announced('api-1').ref);
  assert.deepEqual(memory.put(failed, at(3)), ['Pod/shop/autoscaler', 'Pod/shop/api-2']);
});

test('of one object the ten newest are kept', () => {
  const memory = new EventMemory();
  for (let minute = 0; minute < 12; minute++) memory.put(told(`e${minute}`, at(minute)), at(minute));
  assert.deepEqual(names(memory), ['e2', 'e3', 'e4', 'e5', 'e6', 'e7', 'e8', 'e9', 'e10', 'e11']);
  assert.equal(memory.size, 10);
});

test('what is told again and again of one object does not push out what was told once', () => {
  const memory = new EventMemory();
  memory.put(told('scale-up', at(0), { type: 'Normal', reason: 'TriggeredScaleUp' }), at(0));
  for (let minute = 1; minute < 15; minute++)
    memory.put(told(`e${minute}`, at(minute), { reason: 'FailedScheduling', note: `${minute} nodes` }), at(minute));
  assert.deepEqual(names(memory), ['scale-up', 'e6', 'e7', 'e8', 'e9', 'e10', 'e11', 'e12', 'e13', 'e14']);
});

test('of all objects 50,000 are kept: what was told longest ago in the namespace that has most goes first', () => {
  const memory = new EventMemory();
  memory.put(told('one', at(0)), at(0));
  const flood = (pod: number) => {
    const metadata = { name: `e${pod}`, namespace: 'team-a', uid: `e${pod}`, creationTimestamp: stamp(at(1)) };
    const regarding = { kind: 'Pod', apiVersion: 'v1', namespace: 'team-a', name: `p-${pod}`, uid: `uid-of-p-${pod}` };
    memory.put(told(`e${pod}`, at(1), { metadata, regarding }), at(1));
  };
  for (let pod = 0; pod < 50_003; pod++) flood(pod);
  assert.equal(memory.size, 50_000);
  assert.deepEqual(names(memory), ['one']);
  assert.deepEqual(memory.of('Pod/team-a/p-3', 'uid-of-p-3'), []);
  assert.equal(memory.of('Pod/team-a/p-4', 'uid-of-p-4').length, 1);
});

test('after an hour an Event is forgotten, counted from its last repetition', () => {
  const memory = new EventMemory();
  memory.put(told('once', at(0)), at(0));
  memory.put(told('again', at(0)), at(0));
  memory.put(told('again', at(0), { deprecatedLastTimestamp: stamp(at(30)) }), at(30));
  memory.expire(at(59, 59));
  assert.deepEqual(names(memory), ['once', 'again']);
  memory.expire(at(60));
  assert.deepEqual(names(memory), ['again']);
  memory.expire(at(90));
  assert.deepEqual([names(memory), memory.size], [[], 0]);
});

test('what was told of a namesake is not told of the object that has its name now', () => {
  const memory = new EventMemory();
  memory.put(told('before', at(0), { uid: 'old' }), at(0));
  memory.put(told('now', at(1)), at(1));
  assert.deepEqual(names(memory), ['now']);
  assert.equal(memory.of(about, undefined).length, 2);
});

test('of an object that is there an Event without its UID does not count: whoever makes one up need not know it', () => {
  const memory = new EventMemory();
  memory.put(told('none', at(0), { uid: '' }), at(0));
  memory.put(told('name', at(1), { uid: 'api-1' }), at(1));
  memory.put(told('right', at(2)), at(2));
  assert.deepEqual(names(memory), ['right']);
});

/** An Event about Node n1, by its namespace and the UID it gives. */
const ofNode = (name: string, namespace: string, uid: string) =>
  events.project({
    metadata: { name, namespace, uid: `uid-of-${name}`, creationTimestamp: stamp(at(1)) },
    regarding: { kind: 'Node', apiVersion: 'v1', name: 'n1', uid },
    reason: 'SystemOOM',
    type: 'Warning',
    eventTime: stamp(at(1)),
  });

test('Events of Nodes count from default and kube-system, with the UID, with the name in its place as kubelets write, or without', () => {
  const memory = new EventMemory();
  for (const [name, namespace, uid] of [
    ['kubelet', 'default', 'n1'],
    ['controller', 'default', 'uid-of-n1'],
    ['detector', 'kube-system', ''],
    ['namesake', 'default', 'uid-of-another'],
    ['tenant', 'shop', 'uid-of-n1'],
  ] as const)
    memory.put(ofNode(name, namespace, uid), at(1));
  const kept = memory.of('Node//n1', 'uid-of-n1').map(({ ref }) => ref);
  assert.deepEqual(kept, ['Event/default/kubelet', 'Event/default/controller', 'Event/kube-system/detector']);
});

test('an Event in one namespace about an object of another is not remembered, and judges nobody', () => {
  const memory = new EventMemory();
  for (const namespace of ['team-a', 'default', 'kube-system', '']) {
    const metadata = { name: 'forged', namespace, uid: 'f', creationTimestamp: stamp(at(1)) };
    assert.deepEqual(memory.put(told('forged', at(1), { metadata }), at(1)), [], namespace);
  }
  assert.deepEqual([names(memory), memory.size], [[], 0]);
});

test('a clock that is wrong by more than ten minutes does not count: the Event was told as it came', () => {
  const memory = new EventMemory();
  memory.put(told('fast', at(300)), at(20));
  memory.put(told('slow', at(5)), at(20));
  memory.put(told('late', at(12)), at(20));
  const times = memory.of(about, 'uid-of-api-1').map(({ firstAt, lastAt }) => [firstAt, lastAt]);
  assert.deepEqual(times, [
    [at(12), at(12)],
    [at(20), at(20)],
    [at(5), at(20)],
  ]);
});

test('an Event that the API server dropped is forgotten', () => {
  const memory = new EventMemory();
  const event = told('a', at(0));
  memory.put(event, at(0));
  memory.remove(event.ref);
  memory.remove(event.ref);
  assert.deepEqual([names(memory), memory.size], [[], 0]);
});

test('a series of events.k8s.io/v1 counts, and its last time is that of the Event', () => {
  const view = told('series', at(0), {
    ...{ deprecatedFirstTimestamp: null, deprecatedLastTimestamp: null, deprecatedCount: undefined },
    eventTime: stamp(at(0)).replace('Z', '.000000Z'),
    series: { count: 5, lastObservedTime: stamp(at(4)).replace('Z', '.000000Z') },
    reportingController: 'default-scheduler',
  });
  assert.deepEqual([view.count, view.firstAt, view.lastAt, view.reporter], [5, at(0), at(4), 'default-scheduler']);
});

test('what is listed keeps its time, and what came more than an hour ago is left out', () => {
  const memory = new EventMemory();
  memory.put(told('listed', at(-40)), at(0), false);
  memory.put(told('old', at(-61)), at(0), false);
  assert.deepEqual(
    memory.of(about, 'uid-of-api-1').map(({ ref, lastAt }) => [ref, lastAt]),
    [['Event/shop/listed', at(-40)]],
  );
});
