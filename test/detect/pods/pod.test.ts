import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../../src/model/raw-object.ts';
import { at, condition, ended, node, pod, start, status, waiting, workload } from '../../world/objects.ts';
import { story } from '../../world/story.ts';

const ref = 'Pod/shop/api-1';
const pending = (reason: string, message: string) => ({
  node: undefined,
  phase: 'Pending',
  statuses: [],
  conditions: [condition('PodScheduled', 'False', start, reason, message)],
});

test('P15 fires and clears: a Pod that fits no node is found after 60 s for want of room, with the scheduler’s sentence in words, without its preemption part', () => {
  const { put, found, finding, wait, says } = story();
  const text =
    "0/12 nodes are available: 3 Insufficient cpu, 9 node(s) didn't match Pod's node affinity/selector. preemption: 0/12 nodes are available: 12 Preemption is not helpful for scheduling.";
  put(start, pod('api-1', pending('Unschedulable', text)));
  wait(at(0, 59));
  assert.deepEqual(found(), []);
  wait(at(1));
  assert.deepEqual(found(), [`${ref} Unschedulable`]);
  assert.equal(finding(ref, 'Unschedulable').detail, text);
  assert.equal(
    says(ref, 'Unschedulable'),
    "The pod does not fit on any node: of 12 nodes 3 have too little CPU left and 9 do not match the pod's node selector or affinity.",
  );
  put(at(2), pod('api-1'));
  assert.deepEqual(found(), []);
});

const elsewhere = "0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector.";
const full = '0/2 nodes are available: 2 Insufficient memory.';
const sized = (name: string, memory: string, labels = {}, createdAt = at(-900)) =>
  node(name, { labels, createdAt, allocatable: { cpu: '4', memory } });
const asking = (memory: string) => [{ name: 'api', image: 'x', resources: { requests: { memory, cpu: '250m' } } }];

test('P15 fires: a Pod that can never fit is found after 30 s: no Node is selected, or it is larger than all of them', () => {
  const { put, found, finding, wait } = story();
  put(start, sized('n1', '8Gi'), sized('n2', '16Gi'));
  put(start, pod('api-1', pending('Unschedulable', elsewhere)));
  put(start, pod('huge', { ...pending('Unschedulable', full), containers: asking('20Gi') }));
  put(start, pod('fits', { ...pending('Unschedulable', full), containers: asking('12Gi') }));
  wait(at(0, 29));
  assert.deepEqual(found(), []);
  wait(at(0, 30));
  assert.deepEqual(found(), [`${ref} Unschedulable`, 'Pod/shop/huge Unschedulable']);
  assert.equal(finding(ref, 'Unschedulable').conclusive, true);
  wait(at(1, 30));
  assert.equal(finding('Pod/shop/fits', 'Unschedulable').conclusive, false);
});

/** The two Pods of a Deployment that served until now, of which nothing is ready: `first` waits for a Node, `second` is so. */
function bothGone(second: Parameters<typeof pod>[1]) {
  const telling = story();
  const createdAt = at(-900);
  const owner = { kind: 'ReplicaSet', name: 'api-r1' };
  const deployment = workload('Deployment', 'api', {
    createdAt,
    spec: { replicas: 2 },
    conditions: [condition('Available', 'False', start)],
    status: { readyReplicas: 0 },
  });
  const set = workload('ReplicaSet', 'api-r1', { createdAt, owner: { kind: 'Deployment', name: 'api' } });
  telling.put(start, sized('n1', '8Gi'), deployment, set);
  telling.put(start, pod('api-1', { ...pending('Unschedulable', full), owner }));
  telling.put(at(0, 2), pod('api-2', { ...second, owner }));
  return { ...telling, isFound: () => telling.found().includes(`${ref} Unschedulable`) };
}

test('P15 fires: where nothing is left and none of several Pods fits, it is found after 35 s, as of an only replica', () => {
  const { isFound, wait, finding } = bothGone(pending('Unschedulable', full));
  wait(at(0, 34));
  assert.equal(isFound(), false);
  wait(at(0, 35));
  assert.equal(isFound(), true);
  assert.equal(finding(ref, 'Unschedulable').conclusive, true);
});

test('P15 is quiet: another Pod of the workload has a Node, and is on its way', () => {
  const { isFound, wait } = bothGone({ phase: 'Pending', node: 'n1' });
  wait(at(0, 59));
  assert.equal(isFound(), false);
});

test('P15 fires: where Nodes are added a Pod waits 5 min for one: pools, an autoscaler, or a Node made since', () => {
  const provisioner = workload('Deployment', 'cluster-autoscaler', { namespace: 'kube-system', createdAt: at(-900) });
  const signs: Record<string, RawObject> = {
    'a managed pool': sized('n1', '8Gi', { 'eks.amazonaws.com/nodegroup': 'general' }),
    'a provisioner': sized('n1', '8Gi', { 'karpenter.sh/nodepool': 'default' }),
    'an autoscaler': provisioner,
    'a new Node': sized('n2', '8Gi', {}, at(0, 40)),
  };
  for (const [sign, object] of Object.entries(signs)) {
    const { put, found, wait } = story();
    put(start, sized('n0', '8Gi'), pod('api-1', pending('Unschedulable', full)));
    put(at(0, 50), object);
    wait(at(4, 59));
    assert.deepEqual(found(), [], sign);
    wait(at(5));
    assert.deepEqual(found(), [`${ref} Unschedulable`], sign);
  }
});

test('P15 fires: what was found stands when a Node that comes gives hope', () => {
  const { put, found, wait } = story();
  put(start, sized('n0', '8Gi'), pod('api-1', pending('Unschedulable', elsewhere.replaceAll('2', '1'))));
  wait(at(0, 30));
  assert.deepEqual(found(), [`${ref} Unschedulable`]);
  put(at(0, 40), sized('n1', '8Gi', {}, at(0, 40)), pod('api-1', pending('Unschedulable', full)));
  assert.deepEqual(found(), [`${ref} Unschedulable`], 'nobody is told that it is over');
  put(at(1), pod('api-1'));
  assert.deepEqual(found(), []);
});

test('P15 fires: a label of one’s own is no pool, and a claim that is missing needs no Node', () => {
  const { put, found, wait } = story();
  put(start, sized('n1', '8Gi', { pool: 'web', 'kubernetes.io/hostname': 'n1' }));
  put(start, pod('api-1', pending('Unschedulable', full)));
  put(start, pod('claim', pending('Unschedulable', 'persistentvolumeclaim "data" not found')));
  wait(at(0, 30));
  assert.deepEqual(found(), ['Pod/shop/claim Unschedulable']);
  wait(at(1, 30));
  assert.deepEqual(found(), [`${ref} Unschedulable`, 'Pod/shop/claim Unschedulable']);
});

test('P15 fires and is quiet: a missing claim is named; a gated Pod is none of the scheduler’s', () => {
  const { put, found, finding, wait } = story();
  put(start, pod('api-1', pending('Unschedulable', 'persistentvolumeclaim "data" not found')));
  put(start, pod('gated', pending('SchedulingGated', 'Scheduling is blocked due to non-empty scheduling gates')));
  wait(at(59, 59));
  assert.deepEqual(found(), [`${ref} Unschedulable`]);
  assert.deepEqual(finding(ref, 'Unschedulable').names, ['PersistentVolumeClaim/shop/data']);
});

test('P17 fires, is quiet and clears: a scheduler that fails is told apart', () => {
  const { put, found, wait } = story();
  put(start, pod('api-1', pending('SchedulerError', 'invalid affinity term')));
  wait(at(0, 59));
  assert.deepEqual(found(), [], 'it tries again');
  wait(at(1));
  assert.deepEqual(found(), [`${ref} SchedulerError`]);
  put(at(2), pod('api-1'));
  assert.deepEqual(found(), []);
});

const unready = (since: number, own: Record<string, unknown> = {}) => ({
  statuses: [status('api', { ready: false, ...own })],
  conditions: [condition('Ready', 'False', since, 'ContainersNotReady')],
});

test('P18 fires and clears: a Pod that was ready and is not any more is found after 90 s, one that still starts after 15 min', () => {
  const { load, put, found, wait, says } = story();
  load(at(10), node('n1'), pod('api-1', unready(at(10))), pod('api-2', unready(at(0))));
  wait(at(11, 29));
  assert.deepEqual(found(), []);
  wait(at(11, 30));
  assert.deepEqual(found(), [`${ref} PodNotReady`]);
  assert.match(says(ref, 'PodNotReady'), /Container api runs but fails its readiness probe/);
  wait(at(15));
  assert.deepEqual(found(), [`${ref} PodNotReady`, 'Pod/shop/api-2 PodNotReady']);
  put(at(16), pod('api-1'), pod('api-2'));
  assert.deepEqual(found(), []);
});

test('P18 fires: an init container that has ended says nothing of whether a Pod was ready before', () => {
  const { put, found, wait, says } = story();
  const migrated = status('migrate', { started: false, state: ended(at(-2), at(-1), 0, 'Completed') });
  const withInit = { spec: { initContainers: [{ name: 'migrate', image: 'x' }] }, initStatuses: [migrated] };
  put(at(10), node('n1'), pod('api-1', { ...withInit, createdAt: at(-3), ...unready(at(10)) }));
  wait(at(11, 29));
  assert.deepEqual(found(), []);
  wait(at(11, 30));
  assert.deepEqual(found(), [`${ref} PodNotReady`]);
  assert.match(says(ref, 'PodNotReady'), /Container api runs but fails its readiness probe/);
});

test('P18 fires: Pods of a lost Node are found with it and name it, not those that were unready before', () => {
  const { put, found, finding, wait } = story();
  put(start, node('n1'), pod('api-1'), pod('early', unready(at(0))));
  put(at(5), node('n1', { ready: 'Unknown', since: at(5) }), pod('api-1', unready(at(5))));
  wait(at(5, 14));
  assert.deepEqual(found(), []);
  wait(at(5, 15));
  assert.deepEqual(found(), [`${ref} PodNotReady`]);
  wait(at(5, 20));
  assert.deepEqual(found(), ['Node//n1 NodeUnreachable', `${ref} PodNotReady`]);
  assert.deepEqual(finding(ref, 'PodNotReady').names, ['Node//n1']);
});

test('P18 is quiet: Pods of a Node that is being removed are left alone', () => {
  const { put, found, wait } = story();
  const spec = { taints: [{ key: 'ToBeDeletedByClusterAutoscaler', effect: 'NoSchedule' }] };
  put(start, node('n1', { ready: 'Unknown', spec }), pod('api-1', unready(at(0))));
  wait(at(14));
  assert.deepEqual(found(), []);
});

const replicaSet = (name: string, revision: number, replicas: number, createdAt = at(-900)) =>
  workload('ReplicaSet', name, {
    replicas,
    createdAt,
    owner: { kind: 'Deployment', name: 'api' },
    annotations: { 'deployment.kubernetes.io/revision': String(revision) },
  });
const owner = { kind: 'ReplicaSet', name: 'api-7d9' };

test('P18 is quiet: it waits while a rollout is on its way, for 30 minutes, and leaves the old revision alone', () => {
  const { put, found, wait } = story();
  const progressing = condition('Progressing', 'True', at(0), 'ReplicaSetUpdated');
  put(start, node('n1'), workload('Deployment', 'api', { createdAt: at(-900), conditions: [progressing] }));
  put(start, replicaSet('api-7d9', 1, 1), replicaSet('api-8ff', 2, 2, at(0)));
  put(
    at(10),
    pod('old', { ...unready(at(10)), owner }),
    pod('new', { ...unready(at(10)), owner: { kind: 'ReplicaSet', name: 'api-8ff' } }),
  );
  wait(at(29, 59));
  assert.deepEqual(found(), []);
  wait(at(30));
  assert.deepEqual(found(), ['Pod/shop/new PodNotReady']);
});

test('P18 is quiet: Pods that go, are done or belong to a Job are left alone', () => {
  const { put, found, wait } = story();
  put(start, pod('going', { ...unready(at(0)), deletionAt: at(0) }));
  put(start, pod('done', { ...unready(at(0)), conditions: [condition('Ready', 'False', at(0), 'PodCompleted')] }));
  put(start, pod('batch', { ...unready(at(0)), owner: { kind: 'Job', name: 'nightly' } }));
  // One minute before the row of Pods that do not go away.
  wait(at(4, 59));
  assert.deepEqual(found(), []);
});

test('P23 fires, is quiet and clears: a Pod that failed for good is found for an hour', () => {
  const { put, found, finding, wait } = story();
  const failed = { phase: 'Failed', spec: { restartPolicy: 'Never' }, conditions: [], createdAt: at(-9) };
  const statuses = [status('api', { ready: false, state: ended(at(0), at(1), 2, 'Error', 'bad flag') })];
  put(at(1), pod('api-1', { ...failed, statuses }));
  put(at(1), pod('batch', { ...failed, statuses, owner: { kind: 'Job', name: 'nightly' } }));
  put(at(1), pod('evicted', { ...failed, reason: 'Evicted', statuses: [] }));
  put(at(1), pod('disrupted', { ...failed, statuses, conditions: [condition('DisruptionTarget', 'True')] }));
  // Somebody looked into something and left with Ctrl-C.
  const left = [status('debug', { ready: false, state: ended(at(0), at(1), 130) })];
  put(at(1), pod('debug', { ...failed, statuses: left }));
  assert.deepEqual(found(), [`${ref} PodFailed`, 'Pod/shop/evicted Evicted']);
  assert.equal(finding(ref, 'PodFailed').facts.exitCode, 2);
  wait(at(61));
  assert.deepEqual(found(), []);
});

test('P23 fires: a failed step of a run is low: its controller tries again and keeps the verdict', () => {
  const { put, finding } = story();
  const owners = [
    { kind: 'Workflow', name: 'nightly', apiVersion: 'argoproj.io/v1alpha1' },
    { kind: 'TaskRun', name: 'build', apiVersion: 'tekton.dev/v1' },
    { kind: 'SparkApplication', name: 'etl', apiVersion: 'sparkoperator.k8s.io/v1beta2' },
    { kind: 'Pod', name: 'etl-driver', apiVersion: 'v1' },
    { kind: 'Job', name: 'train', apiVersion: 'batch.volcano.sh/v1alpha1' },
    { kind: 'VirtualMachineInstance', name: 'desktop', apiVersion: 'kubevirt.io/v1' },
  ];
  const statuses = [status('api', { ready: false, state: ended(at(0), at(1), 2) })];
  put(at(0), pod('etl-driver'));
  for (const owner of owners) {
    const failed = { phase: 'Failed', spec: { restartPolicy: 'Never' }, conditions: [], createdAt: at(-9), statuses };
    put(at(1), pod(`of-${owner.name}`, { ...failed, owner }));
  }
  const severities = owners.map(({ name }) => finding(`Pod/shop/of-${name}`, 'PodFailed').severity);
  assert.deepEqual(severities, ['low', 'low', 'low', 'low', 'low', 'medium']);
});

test('P27 fires and clears: a Pod that should have been gone for 5 minutes is found and names a Node that is lost', () => {
  const { put, found, finding, wait, gone } = story();
  const going = pod('api-1', { deletionAt: at(1) });
  put(start, node('n1', { ready: 'Unknown', since: start }), going);
  wait(at(5, 59));
  assert.ok(!found().includes(`${ref} PodStuckTerminating`));
  wait(at(6));
  assert.deepEqual(finding(ref, 'PodStuckTerminating').names, ['Node//n1']);
  gone(at(7), going);
  assert.deepEqual(found(), ['Node//n1 NodeUnreachable']);
});

test('P28 fires and clears: a Pod whose state cannot be known is found after 5 minutes', () => {
  const { put, found, wait } = story();
  put(start, node('n1'), pod('api-1', { phase: 'Unknown', conditions: [condition('Ready', 'False', at(0))] }));
  wait(at(4, 59));
  assert.deepEqual(found(), []);
  wait(at(5));
  assert.deepEqual(found(), [`${ref} PodStatusUnknown`]);
  put(at(6), pod('api-1'));
  assert.deepEqual(found(), []);
});

test('P27 P28 is quiet: Pods of a Node that is being removed', () => {
  const { put, found, wait } = story();
  put(start, node('n1', { spec: { unschedulable: true } }));
  put(start, pod('api-1', { phase: 'Unknown' }), pod('api-2', { deletionAt: at(0) }));
  wait(at(14));
  assert.deepEqual(found(), []);
});

test('a healthy Pod, one that completed and one that just starts have no finding', () => {
  const { put, found, wait } = story();
  put(start, node('n1'), pod('api-1'));
  put(
    start,
    pod('done', {
      phase: 'Succeeded',
      statuses: [status('api', { ready: false, state: ended(at(-1), at(0), 0, 'Completed') })],
    }),
  );
  put(start, pod('young', { phase: 'Pending', statuses: [waiting('api', 'ContainerCreating')] }));
  wait(at(5));
  assert.deepEqual(found(), []);
});
