import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../../src/model/raw-object.ts';
import {
  at,
  condition,
  daemonSet,
  ended,
  node,
  type PodParts,
  pod,
  stamp,
  start,
  status,
  workload,
} from '../../world/objects.ts';
import { story } from '../../world/story.ts';

const owner = { kind: 'ReplicaSet', name: 'api-r1' };
const owned = [
  workload('Deployment', 'api', { createdAt: at(-600) }),
  workload('ReplicaSet', 'api-r1', { createdAt: at(-600), owner: { kind: 'Deployment', name: 'api' } }),
];

/** A Pod that ended for good at an instant, with what its kubelet says of it. */
function failed(name: string, time: number, reason: string, message: string, parts: PodParts = {}): RawObject {
  const raw = pod(name, {
    ...{ owner, phase: 'Failed', reason, statuses: [], createdAt: at(-60) },
    conditions: [condition('Ready', 'False', time, 'PodFailed')],
    ...parts,
  });
  return { ...raw, status: { ...Object(raw.status), message } };
}

const lowOnMemory =
  'The node was low on resource: memory. Threshold quantity: 100Mi, available: 88740Ki. Container api was using 812Mi, request is 256Mi, has larger consumption of memory. ';

test('P24 fires: an evicted Pod, with what its Node was short of; medium for the third of one owner in an hour', () => {
  const { put, found, finding, says } = story();
  put(start, node('n1'), ...owned);
  put(at(1), failed('api-1', at(1), 'Evicted', lowOnMemory));
  assert.deepEqual(found(), ['Pod/shop/api-1 Evicted']);
  assert.equal(finding('Pod/shop/api-1', 'Evicted').severity, 'low');
  assert.equal(says('Pod/shop/api-1', 'Evicted'), 'The pod was evicted because its node was low on memory.');
  put(at(2), failed('api-2', at(2), 'Evicted', lowOnMemory), failed('api-3', at(2), 'Evicted', lowOnMemory));
  assert.equal(finding('Pod/shop/api-3', 'Evicted').severity, 'medium');
});

test('P24 fires: one that went beyond its own limit of storage is its own fault, and one without a reason by its condition', () => {
  const { put, finding, says } = story();
  put(start, node('n1'), ...owned);
  put(
    at(1),
    failed('api-1', at(1), 'Evicted', 'Pod ephemeral local storage usage exceeds the total limit of containers 1Gi. '),
  );
  const own = finding('Pod/shop/api-1', 'Evicted');
  assert.deepEqual([own.severity, own.conclusive], ['high', true]);
  assert.equal(
    says('Pod/shop/api-1', 'Evicted'),
    'The pod was evicted because it used more storage than its own limit allows: Pod ephemeral local storage usage exceeds the total limit of containers 1Gi.',
  );
  const conditions = [condition('DisruptionTarget', 'True', at(1), 'TerminationByKubelet')];
  const nameless = failed('api-2', at(1), '', '', { conditions });
  put(at(1), nameless);
  assert.equal(finding('Pod/shop/api-2', 'Evicted').since, at(1));
});

test('P24 is quiet: what was evicted more than an hour ago, and a Node that shuts down', () => {
  const { put, load, found, wait } = story();
  put(start, node('n1'), ...owned);
  load(at(61), failed('api-1', start, 'Evicted', lowOnMemory));
  const conditions = [condition('DisruptionTarget', 'True', at(61), 'TerminationByKubelet')];
  put(
    at(61),
    failed('api-2', at(61), 'Terminated', 'Pod was terminated in response to imminent node shutdown.', { conditions }),
  );
  wait(at(62));
  assert.deepEqual(found(), []);
});

test('P24 clears: an hour after, whatever became of its owner', () => {
  const { put, found, wait } = story();
  put(start, node('n1'), ...owned, replicas(2), failed('api-1', start, 'Evicted', lowOnMemory));
  wait(at(59, 59));
  assert.equal(found().length, 1);
  wait(at(60));
  assert.deepEqual(found(), []);
});

/** The ReplicaSet with so many of its three Pods ready. */
const replicas = (ready: number) =>
  workload('ReplicaSet', 'api-r1', { owner: deployment, status: { readyReplicas: ready } });
const deployment = { kind: 'Deployment', name: 'api' };
const pressed = (value: 'True' | 'False', since: number) =>
  node('n1', { conditions: [condition('Ready', 'True', start), condition('MemoryPressure', value, since)] });

test('P24 clears: its Node is under no pressure any more, and its owner has all Pods that it wants', () => {
  const { put, found, wait } = story();
  put(start, pressed('True', start), ...owned, replicas(2));
  for (const name of ['1', '2', '3']) put(at(1), failed(`api-${name}`, at(1), 'Evicted', lowOnMemory));
  put(at(2), replicas(3));
  wait(at(10));
  assert.equal(found().filter((each) => each.endsWith('Evicted')).length, 3);
  put(at(11), pressed('False', at(11)));
  assert.deepEqual(found(), []);
});

test('P24 clears: as soon as the Node of one that is replaced says that its pressure is over', () => {
  const { put, found } = story();
  put(start, pressed('True', start), ...owned, replicas(2));
  put(at(1), failed('api-1', at(1), 'Evicted', lowOnMemory));
  put(at(1, 30), replicas(3));
  assert.ok(found().includes('Pod/shop/api-1 Evicted'));
  put(at(2), pressed('False', at(2)));
  assert.deepEqual(found(), []);
});

test('P24 goes on: its owner is still short of Pods, or is evicted from one Node after another', () => {
  const { put, found, wait } = story();
  put(start, node('n1'), node('n2'), ...owned, replicas(2));
  put(at(1), failed('api-1', at(1), 'Evicted', lowOnMemory));
  wait(at(20));
  assert.deepEqual(found(), ['Pod/shop/api-1 Evicted']);
  put(at(21), replicas(3));
  wait(at(23));
  assert.deepEqual(found(), []);
  put(at(24), failed('api-2', at(24), 'Evicted', lowOnMemory, { node: 'n2' }));
  put(at(25), failed('api-3', at(25), 'Evicted', lowOnMemory));
  wait(at(40));
  assert.deepEqual(
    found(),
    ['1', '2', '3'].map((each) => `Pod/shop/api-${each} Evicted`),
  );
});

const noCpu = "Pod was rejected: Node didn't have enough resource: cpu, requested: 4000, used: 7900, capacity: 8000";

test('P26 fires: the third Pod of one owner that a kubelet rejects in 10 min, and one that nobody makes anew', () => {
  const { put, found, finding, says } = story();
  put(start, node('n1'), ...owned);
  put(at(1), failed('api-1', at(1), 'OutOfcpu', noCpu), failed('api-2', at(2), 'OutOfcpu', noCpu));
  assert.deepEqual(found(), []);
  put(at(3), failed('api-3', at(3), 'OutOfcpu', noCpu));
  assert.deepEqual(
    found(),
    ['1', '2', '3'].map((each) => `Pod/shop/api-${each} PodAdmissionRejected`),
  );
  assert.equal(finding('Pod/shop/api-3', 'PodAdmissionRejected').facts.rejections, 3);
  assert.equal(
    says('Pod/shop/api-3', 'PodAdmissionRejected'),
    "The kubelet rejected the pod: Node didn't have enough resource: cpu, requested: 4000, used: 7900, capacity: 8000.",
  );
  const alone = story();
  const bare = pod('gpu', { phase: 'Failed', reason: 'UnexpectedAdmissionError', statuses: [] });
  alone.put(start, node('n1'), bare);
  assert.deepEqual(alone.found(), ['Pod/shop/gpu PodAdmissionRejected']);
});

test('P26 fires: what a kubelet cannot hand out names the device plug-in that should have told it of that', () => {
  const { put, finding } = story();
  const plugin = (name: string) => daemonSet(name, { namespace: 'gpu', createdAt: at(-60) });
  const rejected = (name: string, says: string): RawObject => {
    const raw = pod(name, { phase: 'Failed', reason: 'UnexpectedAdmissionError', statuses: [], createdAt: at(1) });
    const message = `Pod was rejected: Allocate failed due to ${says}, which is unexpected`;
    return { ...raw, status: { ...Object(raw.status), message } };
  };
  put(start, node('n1'), plugin('nvidia-device-plugin'), plugin('node-exporter'));
  put(at(1), rejected('a', "can't allocate unregistered device nvidia.com/gpu"));
  put(at(1), rejected('b', 'requested number of devices unavailable for nvidia.com/gpu. Requested: 1, Available: 0'));
  put(at(1), rejected('c', 'no NUMA node fits'));
  const named = ['a', 'b', 'c'].map((name) => finding(`Pod/shop/${name}`, 'PodAdmissionRejected').names);
  assert.deepEqual(named, [['DaemonSet/gpu/nvidia-device-plugin'], ['DaemonSet/gpu/nvidia-device-plugin'], []]);
});

test('P26 is quiet: two rejections, or three that are far apart', () => {
  const { put, found, wait } = story();
  put(start, node('n1'), ...owned);
  for (const [index, minute] of [1, 20, 40].entries())
    put(
      at(minute),
      failed(`api-${index}`, at(minute), 'NodeAffinity', 'Pod was rejected: Predicate NodeAffinity failed'),
    );
  wait(at(41));
  assert.deepEqual(found(), []);
});

test('P26 clears: 30 min after the last', () => {
  const { put, found, wait } = story();
  put(start, node('n1'), ...owned);
  for (const index of [1, 2, 3]) put(start, failed(`api-${index}`, start, 'OutOfpods', noCpu));
  wait(at(29, 59));
  assert.equal(found().length, 3);
  wait(at(30));
  assert.deepEqual(found(), []);
});

const overdue = 'Pod was active on the node longer than the specified deadline';

test('P29 fires: a Pod of nobody’s that ran into its deadline', () => {
  const { put, found, says } = story();
  put(start, node('n1'), failed('import', start, 'DeadlineExceeded', overdue, { owner: { kind: 'Thing', name: 'x' } }));
  assert.deepEqual(found(), ['Pod/shop/import DeadlineExceeded']);
  assert.equal(
    says('Pod/shop/import', 'DeadlineExceeded'),
    'The pod was ended because it ran longer than its activeDeadlineSeconds allow.',
  );
});

test('P29 is quiet: a Pod of a Job', () => {
  const { put, found } = story();
  put(
    start,
    node('n1'),
    failed('import', start, 'DeadlineExceeded', overdue, { owner: { kind: 'Job', name: 'x', apiVersion: 'batch/v1' } }),
  );
  assert.deepEqual(found(), []);
});

test('P29 clears: an hour after, or when it is gone', () => {
  const { put, gone, found, wait } = story();
  const [first, second] = ['a', 'b'].map((name) =>
    failed(name, start, 'DeadlineExceeded', overdue, { owner: { kind: 'Thing', name: 'x' } }),
  );
  if (!first || !second) throw new Error('two Pods');
  put(start, node('n1'), first, second);
  gone(at(10), first);
  assert.deepEqual(found(), ['Pod/shop/b DeadlineExceeded']);
  wait(at(60));
  assert.deepEqual(found(), []);
});

/** A Pod of shop/api that is deleted, and goes like this. */
function goes(story_: ReturnType<typeof story>, name: string, time: number, parts: PodParts): void {
  story_.put(time - 1000, pod(name, { owner }));
  const leaving = pod(name, { owner, deletionAt: time, ...parts });
  story_.put(time, leaving);
  story_.gone(time + 1000, leaving);
}
const preempted = (time: number): PodParts => ({
  conditions: [condition('DisruptionTarget', 'True', time, 'PreemptionByScheduler')],
});
const killed = (time: number, exitCode = 137, reason = 'Error'): PodParts => ({
  statuses: [status('api', { ready: false, state: ended(start, time, exitCode, reason) })],
});

test('P25 fires: the second Pod of a workload that is preempted within an hour, though both are gone', () => {
  const k8s = story();
  k8s.put(start, node('n1'), ...owned);
  goes(k8s, 'api-1', at(5), preempted(at(5)));
  assert.deepEqual(k8s.found(), []);
  goes(k8s, 'api-2', at(30), preempted(at(30)));
  assert.deepEqual(k8s.found(), ['Deployment/shop/api Preempted']);
  assert.equal(
    k8s.says('Deployment/shop/api', 'Preempted'),
    'It lost 2 pods within an hour, to make room for pods of a higher priority.',
  );
});

test('P25 is quiet: one preemption, and Pods that are evicted through the API', () => {
  const k8s = story();
  k8s.put(start, node('n1'), ...owned);
  goes(k8s, 'api-1', at(5), preempted(at(5)));
  const drained = { conditions: [condition('DisruptionTarget', 'True', at(6), 'EvictionByEvictionAPI')] };
  goes(k8s, 'api-2', at(6), drained);
  goes(k8s, 'api-3', at(7), drained);
  k8s.wait(at(10));
  assert.deepEqual(k8s.found(), []);
});

test('P25 clears: an hour after the first of two', () => {
  const k8s = story();
  k8s.put(start, node('n1'), ...owned);
  goes(k8s, 'api-1', at(5), preempted(at(5)));
  goes(k8s, 'api-2', at(30), preempted(at(30)));
  k8s.wait(at(64, 59));
  assert.equal(k8s.found().length, 1);
  k8s.wait(at(65));
  assert.deepEqual(k8s.found(), []);
});

test('P32 fires: three Pods of a workload that were killed at the end of their grace period within a day', () => {
  const k8s = story();
  k8s.put(start, node('n1'), ...owned);
  for (const [index, minute] of [10, 200, 400].entries()) goes(k8s, `api-${index}`, at(minute), killed(at(minute)));
  assert.deepEqual(k8s.found(), ['Deployment/shop/api ExceededGracePeriod']);
  assert.equal(
    k8s.says('Deployment/shop/api', 'ExceededGracePeriod'),
    'It had 3 pods within a day that did not end in their grace period and were killed.',
  );
});

test('P32 is quiet: Pods that end in time, by themselves, or for their memory', () => {
  const k8s = story();
  k8s.put(start, node('n1'), ...owned);
  goes(k8s, 'api-1', at(10), killed(at(9)));
  goes(k8s, 'api-2', at(20), killed(at(20), 0, 'Completed'));
  goes(k8s, 'api-3', at(30), killed(at(30), 137, 'OOMKilled'));
  goes(k8s, 'api-4', at(40), killed(at(40), 143));
  assert.deepEqual(k8s.found(), []);
});

test('P32 clears: fewer than three in the last day', () => {
  const k8s = story();
  k8s.put(start, node('n1'), ...owned);
  for (const [index, minute] of [10, 20, 30].entries()) goes(k8s, `api-${index}`, at(minute), killed(at(minute)));
  k8s.wait(at(24 * 60 + 9));
  assert.equal(k8s.found().length, 1);
  k8s.wait(at(24 * 60 + 11));
  assert.deepEqual(k8s.found(), []);
});

const crash = (count: number, minute: number, ranMinutes = 12, exitCode = 2): PodParts => ({
  createdAt: at(-600),
  statuses: [
    status('api', {
      restartCount: count,
      state: { running: { startedAt: stamp(at(minute)) } },
      lastState: ended(at(minute - ranMinutes), at(minute), exitCode),
    }),
  ],
});

test('P3 fires: a container that ended with an error three times within an hour, far enough apart to be no loop', () => {
  const { put, found, says } = story();
  put(start, node('n1'), pod('api-1', { createdAt: at(-600) }));
  for (const [index, minute] of [15, 30, 45].entries()) {
    assert.deepEqual(found(), []);
    put(at(minute), pod('api-1', crash(index + 1, minute)));
  }
  assert.deepEqual(found(), ['Pod/shop/api-1 ContainerError']);
  assert.equal(
    says('Pod/shop/api-1', 'ContainerError'),
    'Container api ended with an error 3 times within an hour, last with exit code 2 (an application error, often wrong arguments).',
  );
});

test('P3 is quiet: an orderly end, ends that are further apart, and an application that fails until its database is there', () => {
  const orderly = story();
  orderly.put(start, node('n1'), pod('api-1', { createdAt: at(-600) }));
  for (const [index, minute] of [15, 30, 45].entries())
    orderly.put(at(minute), pod('api-1', crash(index + 1, minute, 12, 143)));
  assert.deepEqual(orderly.found(), []);
  const apart = story();
  apart.put(start, node('n1'), pod('api-1', { createdAt: at(-600) }));
  for (const [index, minute] of [15, 50, 85].entries()) apart.put(at(minute), pod('api-1', crash(index + 1, minute)));
  assert.deepEqual(apart.found(), []);
});

test('P3 clears: an hour without such an end', () => {
  const { put, found, wait } = story();
  put(start, node('n1'), pod('api-1', { createdAt: at(-600) }));
  for (const [index, minute] of [15, 30, 45].entries()) put(at(minute), pod('api-1', crash(index + 1, minute)));
  wait(at(104, 59));
  assert.equal(found().length, 1);
  wait(at(105));
  assert.deepEqual(found(), []);
});
