import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  at,
  condition,
  ended,
  eventOf,
  node,
  type PodParts,
  pod,
  start,
  status,
  waiting,
  workload,
} from '../world/objects.ts';
import { story } from '../world/story.ts';

const ref = 'Pod/shop/api-1';
const pending = (reason: string, message = ''): PodParts => ({
  ...{ node: undefined, phase: 'Pending', statuses: [] },
  conditions: [condition('PodScheduled', 'False', start, reason, message)],
});
const full = '0/2 nodes are available: 2 Insufficient memory.';
const gates = { spec: { schedulingGates: [{ name: 'kueue.x-k8s.io/admission' }] } };

test('P16 fires: a gate that keeps a Pod back for an hour, with the name of the gate', () => {
  const { put, found, wait, says } = story();
  put(start, pod('api-1', { ...pending('SchedulingGated'), ...gates }));
  wait(at(59, 59));
  assert.deepEqual(found(), []);
  wait(at(60));
  assert.deepEqual(found(), [`${ref} SchedulingGated`]);
  assert.equal(
    says(ref, 'SchedulingGated'),
    'The pod has been kept from the scheduler for an hour, by kueue.x-k8s.io/admission.',
  );
});

test('P16 is quiet and clears: a gate that opens, before or after', () => {
  const { put, found, wait } = story();
  put(
    start,
    pod('api-1', { ...pending('SchedulingGated'), ...gates }),
    pod('api-2', { ...pending('SchedulingGated'), ...gates }),
  );
  put(at(30), pod('api-2'));
  wait(at(70));
  assert.deepEqual(found(), [`${ref} SchedulingGated`]);
  put(at(71), pod('api-1'));
  assert.deepEqual(found(), []);
});

test('P15 is quiet: an autoscaler that says that it makes a Node has 15 min, Karpenter too', () => {
  for (const [reason, note] of [
    ['TriggeredScaleUp', 'pod triggered scale-up: [{eks-general 3->4 (max: 10)}]'],
    ['Nominated', 'Pod should schedule on: nodeclaim/default-8fk2p'],
  ] as const) {
    const { put, found, wait } = story();
    put(start, node('n1'), pod('api-1', pending('Unschedulable', full)));
    put(at(0, 20), eventOf(pod('api-1'), reason, note, at(0, 20), { type: 'Normal' }));
    wait(at(14, 59));
    assert.deepEqual(found(), [], reason);
    wait(at(15));
    assert.deepEqual(found(), [`${ref} Unschedulable`], reason);
  }
});

test('P15 fires: after 90 s where Nodes are added, but the autoscaler says that none would help', () => {
  const { put, found, wait } = story();
  const pool = { 'eks.amazonaws.com/nodegroup': 'general' };
  put(start, node('n1', { labels: pool }), pod('api-1', pending('Unschedulable', full)));
  const note = "pod didn't trigger scale-up: 1 max node group size reached";
  put(at(0, 20), eventOf(pod('api-1'), 'NotTriggerScaleUp', note, at(0, 20), { type: 'Normal' }));
  wait(at(1, 29));
  assert.deepEqual(found(), []);
  wait(at(1, 30));
  assert.deepEqual(found(), [`${ref} Unschedulable`]);
});

const resize = (type: string, reason: string, message = ''): PodParts => ({
  conditions: [condition('Ready', 'True', at(-60)), condition(type, 'True', start, reason, message)],
});
const tooLarge = "Node didn't have enough capacity: cpu, requested: 16000, capacity: 8000";

test('P30 fires: a resize that can never be, one that fails, one that waits, each in its time', () => {
  const { put, found, finding, wait, says } = story();
  put(start, node('n1'));
  put(start, pod('api-1', resize('PodResizePending', 'Infeasible', tooLarge)));
  put(start, pod('api-2', resize('PodResizeInProgress', 'Error', 'cannot decrease memory limits')));
  put(start, pod('api-3', resize('PodResizePending', 'Deferred', "Node didn't have enough resource: cpu")));
  wait(at(1, 30));
  assert.deepEqual(found(), [`${ref} PodResizeInfeasible`]);
  assert.equal(finding(ref, 'PodResizeInfeasible').conclusive, true);
  assert.equal(
    says(ref, 'PodResizeInfeasible'),
    "The pod cannot have the resources that it asks for: Node didn't have enough capacity: cpu, requested: 16000, capacity: 8000.",
  );
  wait(at(10));
  assert.equal(finding('Pod/shop/api-2', 'PodResizeError').severity, 'medium');
  wait(at(30));
  assert.equal(finding('Pod/shop/api-3', 'PodResizeDeferred').severity, 'low');
});

test('P30 is quiet: a resize on its way, and one that a vertical autoscaler answers by making the Pod anew', () => {
  const { put, gone, found, wait } = story();
  put(start, node('n1'), pod('api-1', resize('PodResizeInProgress', '')));
  const infeasible = pod('api-2', resize('PodResizePending', 'Infeasible', tooLarge));
  put(start, infeasible);
  gone(at(1), infeasible);
  wait(at(60));
  assert.deepEqual(found(), []);
});

test('P30 clears: the condition is gone', () => {
  const { put, found, wait } = story();
  put(start, node('n1'), pod('api-1', resize('PodResizePending', 'Infeasible', tooLarge)));
  wait(at(2));
  assert.equal(found().length, 1);
  put(at(3), pod('api-1'));
  assert.deepEqual(found(), []);
});

const gpu = (health: string): PodParts => ({
  statuses: [
    status('api', {
      allocatedResourcesStatus: [{ name: 'nvidia.com/gpu', resources: [{ resourceID: 'GPU-7', health }] }],
    }),
  ],
});

test('P33 fires: a device that does not work for 60 s, by its resource', () => {
  const { put, found, wait, says } = story();
  put(start, node('n1'), pod('api-1', gpu('Healthy')));
  put(at(5), pod('api-1', gpu('Unhealthy')));
  wait(at(5, 59));
  assert.deepEqual(found(), []);
  wait(at(6));
  assert.deepEqual(found(), [`${ref} DeviceUnhealthy`]);
  assert.equal(says(ref, 'DeviceUnhealthy'), 'A device of container api does not work: nvidia.com/gpu.');
});

test('P33 is quiet and clears: its health is not known, or it works again', () => {
  const { put, found, wait } = story();
  put(start, node('n1'), pod('api-1', gpu('Unhealthy')), pod('api-2', gpu('Unknown')));
  wait(at(2));
  assert.deepEqual(found(), [`${ref} DeviceUnhealthy`]);
  put(at(3), pod('api-1', gpu('Healthy')));
  assert.deepEqual(found(), []);
});

test('P27 fires: what holds a Pod that should be gone is named: its finalizer, or what the kubelet says', () => {
  const { put, wait, says } = story();
  const held = pod('api-1', { deletionAt: start });
  put(start, node('n1'), { ...held, metadata: { ...held.metadata, finalizers: ['example.com/backup'] } });
  put(start, pod('api-2', { deletionAt: start }));
  const note = 'error killing pod: failed to "KillPodSandbox" for "c1f0": rpc error: code = DeadlineExceeded';
  put(at(4), eventOf(pod('api-2'), 'FailedKillPod', note, at(4), { count: 9 }));
  wait(at(5));
  assert.equal(
    says(ref, 'PodStuckTerminating'),
    'The pod was deleted but has not gone away: finalizer example.com/backup holds it.',
  );
  assert.equal(
    says('Pod/shop/api-2', 'PodStuckTerminating'),
    'The pod was deleted but has not gone away: error killing pod: failed to "KillPodSandbox" for "c1f0": rpc error: code = DeadlineExceeded.',
  );
});

const owner = { kind: 'ReplicaSet', name: 'api-r1' };
const first = (createdAt: number) => [
  workload('Deployment', 'api', { createdAt }),
  workload('ReplicaSet', 'api-r1', { createdAt, owner: { kind: 'Deployment', name: 'api' } }),
];
const looping = (backOff: string, restartCount: number, end: number, exitCode = 1): PodParts => ({
  ...{ owner, createdAt: start },
  conditions: [condition('Initialized', 'True', start), condition('Ready', 'False', start, 'ContainersNotReady')],
  statuses: [
    waiting('api', 'CrashLoopBackOff', `back-off ${backOff} restarting failed container=api`, {
      restartCount,
      lastState: ended(end - 2000, end, exitCode),
    }),
  ],
});

test('P1 is quiet: on the first start of a workload a container may fail three times until what it needs is there', () => {
  const { put, found, wait } = story();
  put(start, node('n1'), ...first(start));
  put(at(0, 40), pod('api-1', looping('40s', 3, at(0, 39))));
  wait(at(1, 15));
  assert.deepEqual(found(), []);
  put(
    at(1, 20),
    pod('api-1', {
      owner,
      createdAt: start,
      statuses: [status('api', { restartCount: 3, lastState: ended(at(0, 37), at(0, 39)) })],
    }),
  );
  wait(at(30));
  assert.deepEqual(found(), []);
});

test('P1 fires: at the fourth failure of a first start, and at the third where the workload is no longer new', () => {
  const anew = story();
  anew.put(start, node('n1'), ...first(start));
  anew.put(at(1, 30), pod('api-1', looping('1m20s', 4, at(1, 29))));
  assert.deepEqual(anew.found(), [`${ref} CrashLoopBackOff`]);
  const known = story();
  known.put(start, node('n1'), ...first(at(-600)));
  known.put(at(0, 40), pod('api-1', looping('40s', 3, at(0, 39))));
  assert.deepEqual(known.found(), [`${ref} CrashLoopBackOff`]);
});

test('P1 fires: a third failure is none of a first start where the first came minutes after it', () => {
  const { put, found } = story();
  put(start, node('n1'), ...first(start));
  const ready = condition('Ready', 'True', at(0, 10));
  put(at(0, 10), pod('api-1', { owner, createdAt: start, conditions: [ready], statuses: [status('api')] }));
  put(at(4), pod('api-1', looping('10s', 1, at(3, 59))));
  put(at(4, 40), pod('api-1', looping('40s', 3, at(4, 39))));
  assert.deepEqual(found(), [`${ref} CrashLoopBackOff`]);
});

test('P1 fires: once its workload is edited a third failure is none of a first start, although nothing of the Pod changes', () => {
  const { put, found } = story();
  const generation = { generation: 1, spec: { replicas: 1 }, status: { observedGeneration: 1 } };
  const [, replicaSet] = first(start);
  if (replicaSet)
    put(start, node('n1'), workload('Deployment', 'api', { createdAt: start, ...generation }), replicaSet);
  put(at(0, 40), pod('api-1', looping('40s', 3, at(0, 39))));
  assert.deepEqual(found(), []);
  const edited = { generation: 2, spec: { replicas: 1 }, status: { observedGeneration: 2 } };
  put(at(0, 45), workload('Deployment', 'api', { createdAt: start, ...edited }));
  assert.deepEqual(found(), [`${ref} CrashLoopBackOff`]);
});

test('X12 a container that asks to be restarted by its exit code is not crashing', () => {
  const { put, found } = story();
  const rules = [{ action: 'Restart', exitCodes: { operator: 'In', values: [42] } }];
  const meant = {
    containers: [{ name: 'api', image: 'shop/api:1', restartPolicy: 'Never', restartPolicyRules: rules }],
  };
  put(start, node('n1'), ...first(at(-600)));
  put(at(5), pod('api-1', { ...looping('5m0s', 40, at(4), 42), ...meant }));
  assert.deepEqual(found(), []);
  put(at(6), pod('api-1', { ...looping('5m0s', 41, at(5), 1), ...meant }));
  assert.deepEqual(found(), [`${ref} CrashLoopBackOff`]);
});

test('P5 fires: a program for another processor is told with the architecture of its Node', () => {
  const { put, says } = story();
  put(start, node('n1', { labels: { 'kubernetes.io/arch': 'arm64' } }), ...first(at(-600)));
  const text =
    'failed to create task for container: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec /app/serve: exec format error: unknown';
  const end = ended(at(4), at(4), 128, 'StartError', text);
  put(
    at(5),
    pod('api-1', { owner, statuses: [waiting('api', 'CrashLoopBackOff', '', { restartCount: 1, lastState: end })] }),
  );
  assert.equal(
    says(ref, 'StartError'),
    'Container api cannot be started: exec /app/serve: exec format error; the image is probably not made for arm64, as its node is.',
  );
});
