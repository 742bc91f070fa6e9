import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, budget, condition, event, managed, node, pod, stamp, status } from '../world/objects.ts';
import { story } from '../world/story.ts';

const long = at(-60);
const ready = (name: string, minute: number, is: 'True' | 'False') => node(name, { ready: is, since: at(minute) });

/** A Node that goes at each of these minutes, and is back 12 s later. */
const goesAt = (minutes: readonly number[]) =>
  minutes.flatMap((minute) => [
    { minute, is: 'False' as const },
    { minute: minute + 0.2, is: 'True' as const },
  ]);

test('N4 fires: a Node that goes and comes back three times within 30 min flaps', () => {
  const { load, put, found, says } = story();
  load(at(-1), node('n1', { since: long }));
  for (const { minute, is } of goesAt([0, 5, 20])) put(at(minute), ready('n1', minute, is));
  assert.deepEqual(found(), ['Node//n1 NodeReadinessFlapping']);
  assert.equal(
    says('Node//n1', 'NodeReadinessFlapping'),
    'The node keeps going away and coming back: 6 changes in the last hour.',
  );
});

test('N4 is quiet: two restarts of a kubelet, and a third more than half an hour after the first', () => {
  const { load, put, found, wait } = story();
  load(at(-1), node('n1', { since: long }));
  for (const { minute, is } of goesAt([0, 5, 31])) put(at(minute), ready('n1', minute, is));
  wait(at(40));
  assert.deepEqual(found(), []);
});

test('N4 clears: an hour after it last did so', () => {
  const { load, put, found, wait, world } = story();
  load(at(-1), node('n1', { since: long }));
  for (const { minute, is } of goesAt([0, 3, 5])) put(at(minute), ready('n1', minute, is));
  wait(at(50));
  assert.deepEqual(found(), ['Node//n1 NodeReadinessFlapping']);
  world.expire(at(66));
  wait(at(70));
  assert.deepEqual(found(), []);
});

const cordon = {
  unschedulable: true,
  taints: [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule', timeAdded: stamp(at(0)) }],
};
const member = (parts = {}) => pod('db-0', { owner: { kind: 'StatefulSet', name: 'db' }, createdAt: long, ...parts });

test('N7 fires: a Node that has been cordoned for an hour has a Pod that does not end', () => {
  const { put, found, says, wait } = story();
  put(at(0), node('n1', { spec: cordon }), member({ deletionAt: at(59) }));
  wait(at(59));
  assert.deepEqual(found(), []);
  wait(at(60));
  assert.deepEqual(found(), ['Node//n1 NodeDraining']);
  assert.equal(says('Node//n1', 'NodeDraining'), 'The drain of the node does not end: pod db-0 is left.');
});

test('N7 fires: all that is left is held by a budget; a cordon alone leaves Pods that nothing holds', () => {
  const { put, gone, found, says, wait } = story();
  const exhausted = budget('db', { status: { disruptionsAllowed: 0 } });
  put(
    at(0),
    node('n1', { spec: cordon }),
    member({ labels: { app: 'db' } }),
    pod('web', { createdAt: long }),
    exhausted,
  );
  wait(at(180));
  assert.deepEqual(found(), []);
  gone(at(180), pod('web', { createdAt: long }));
  wait(at(190));
  assert.deepEqual(found(), ['Node//n1 NodeDraining', 'PodDisruptionBudget/shop/db PDBBlocksDrain']);
  assert.match(says('Node//n1', 'NodeDraining'), /pod db-0 is left/);
});

test('N7 is quiet: only Pods of DaemonSets, static ones and ended ones are left; nobody moves the others', () => {
  const { put, found, wait } = story();
  put(
    at(0),
    node('n1', { spec: cordon }),
    pod('agent-1', { owner: { kind: 'DaemonSet', name: 'agent' }, createdAt: long, deletionAt: at(200) }),
    pod('etcd-n1', { annotations: { 'kubernetes.io/config.mirror': 'x' }, createdAt: long, deletionAt: at(200) }),
    pod('done', { phase: 'Succeeded', createdAt: long, deletionAt: at(200) }),
    member(),
  );
  wait(at(180));
  assert.deepEqual(found(), []);
});

test('N7 clears: the Pod has gone', () => {
  const { put, gone, found, wait } = story();
  put(at(0), node('n1', { spec: cordon }), member({ deletionAt: at(59) }));
  wait(at(61));
  gone(at(62), member());
  wait(at(70));
  assert.deepEqual(found(), []);
});

test('N8 fires: a Node that was cordoned a day ago may have been forgotten', () => {
  const { put, found, says, wait } = story();
  put(at(0), node('n1', { spec: cordon }));
  wait(at(24 * 60));
  assert.deepEqual(found(), ['Node//n1 NodeCordoned']);
  assert.equal(
    says('Node//n1', 'NodeCordoned'),
    'The node has been cordoned for more than a day and takes no new pods.',
  );
});

test('N8 is quiet: maintenance of some hours', () => {
  const { put, found, wait } = story();
  put(at(0), node('n1', { spec: { unschedulable: true } }));
  wait(at(23 * 60));
  assert.deepEqual(found(), []);
});

test('N8 clears: it takes Pods again', () => {
  const { put, found, wait } = story();
  put(at(0), node('n1', { spec: cordon }));
  wait(at(25 * 60));
  put(at(26 * 60), node('n1'));
  assert.deepEqual(found(), []);
});

test('N9 fires: a Node that should have been gone for 15 min names what it waits for', () => {
  const { put, found, says, wait } = story();
  put(at(0), node('n1', { deletionAt: at(0), finalizers: ['karpenter.sh/termination'] }));
  wait(at(15));
  assert.deepEqual(found(), ['Node//n1 NodeStuckTerminating']);
  assert.equal(
    says('Node//n1', 'NodeStuckTerminating'),
    'The node is being deleted and does not go: it waits for its finalizers (karpenter.sh/termination).',
  );
});

test('N9 is quiet: an autoscaler that takes ten minutes to remove a Node', () => {
  const { put, gone, found, wait } = story();
  const going = node('n1', { deletionAt: at(0), finalizers: ['karpenter.sh/termination'] });
  put(at(0), going);
  wait(at(10));
  gone(at(10), going);
  wait(at(30));
  assert.deepEqual(found(), []);
});

test('N9 clears: it is gone', () => {
  const { put, gone, found, wait } = story();
  const going = node('n1', { deletionAt: at(0) });
  put(at(0), going);
  wait(at(16));
  gone(at(17), going);
  assert.deepEqual(found(), []);
});

const taint = (key: string) => ({ taints: [{ key, effect: 'NoSchedule' }] });

test('N10 fires: a Node whose cloud has not taken its taint off after 10 min', () => {
  const { put, found, says, wait } = story();
  put(at(0), node('n1', { createdAt: at(0), spec: taint('node.cloudprovider.kubernetes.io/uninitialized') }));
  put(at(0), node('n2', { createdAt: at(0), spec: taint('readiness.k8s.io/gpu') }));
  wait(at(10));
  assert.deepEqual(found(), ['Node//n1 NodeUninitialized', 'Node//n2 NodeUninitialized']);
  assert.equal(
    says('Node//n1', 'NodeUninitialized'),
    'The node has not finished starting: its taint node.cloudprovider.kubernetes.io/uninitialized has not been removed.',
  );
});

test('N10 is quiet: taints of people, and a Node that boots', () => {
  const { put, found, wait } = story();
  put(at(0), node('n1', { createdAt: at(0), spec: taint('dedicated') }));
  put(at(0), node('n2', { createdAt: at(0), spec: taint('node.cilium.io/agent-not-ready') }));
  wait(at(9));
  put(at(9), node('n2', { createdAt: at(0) }));
  wait(at(30));
  assert.deepEqual(found(), []);
});

test('N10 clears: the taint is taken off', () => {
  const { put, found, wait } = story();
  put(at(0), node('n1', { createdAt: at(0), spec: taint('karpenter.sh/unregistered') }));
  wait(at(11));
  put(at(12), node('n1', { createdAt: at(0) }));
  assert.deepEqual(found(), []);
});

test('N11 fires: a file system that turned read-only; a False of the agent of EKS, which uses the other polarity', () => {
  const { put, found, says, finding, wait } = story();
  const says1 = 'Remounting filesystem read-only';
  put(
    at(0),
    node('n1', { conditions: [condition('ReadonlyFilesystem', 'True', at(0), 'FilesystemIsReadOnly', says1)] }),
    node('n2', { conditions: [condition('KernelReady', 'False', at(0), 'ForkFailedOutOfPIDs')] }),
  );
  wait(at(1));
  assert.deepEqual(found(), ['Node//n1 NodeProblem', 'Node//n2 NodeProblem']);
  assert.equal(
    says('Node//n1', 'NodeProblem'),
    'The node has a file system that turned read-only: Remounting filesystem read-only.',
  );
  assert.equal(finding('Node//n1', 'NodeProblem').clearHoldMs, 600_000);
});

test('N11 N12 is quiet: types that nobody knows, good states, a Node that nothing is heard of or that still starts', () => {
  const { put, found, wait } = story();
  const deadlock = condition('KernelDeadlock', 'True', at(0));
  put(
    at(0),
    node('n1', { conditions: [condition('SomethingOK', 'False', at(0)), condition('DisksHealthy', 'True', at(0))] }),
    node('n2', { conditions: [condition('KernelDeadlock', 'False', at(0)), condition('KernelReady', 'True', at(0))] }),
    node('n3', { createdAt: at(0), conditions: [deadlock], spec: taint('node.cilium.io/agent-not-ready') }),
  );
  wait(at(5));
  assert.deepEqual(found(), []);
  put(at(6), node('n4', { ready: 'Unknown', since: at(6), conditions: [deadlock] }));
  wait(at(8));
  assert.deepEqual(found(), ['Node//n4 NodeUnreachable']);
});

test('N11 clears: the condition is good again', () => {
  const { put, found, wait } = story();
  put(at(0), node('n1', { conditions: [condition('XfsShutdown', 'True', at(0))] }));
  wait(at(2));
  put(at(3), node('n1', { conditions: [condition('XfsShutdown', 'False', at(3))] }));
  assert.deepEqual(found(), []);
});

const rebooted = event('Node', 'n1', 'Rebooted', 'Node n1 has been rebooted, boot id: 6b9f', { last: at(0) });

test('N13 fires: a Node that nobody had cordoned was rebooted', () => {
  const { put, found, says } = story();
  put(at(-1), node('n1'));
  put(at(0), rebooted);
  assert.deepEqual(found(), ['Node//n1 NodeRebooted']);
  assert.equal(says('Node//n1', 'NodeRebooted'), 'The node was rebooted, and nobody had cordoned it before.');
});

test('N13 is quiet: it was cordoned for it, or was made just now', () => {
  const { put, found } = story();
  const managedFields = [managed('kubectl-cordon', at(-20), { 'f:spec': { 'f:unschedulable': {} } })];
  put(at(-30), node('n1'));
  put(at(-20), node('n1', { spec: { unschedulable: true }, managedFields }));
  put(at(-1), node('n1'));
  put(at(0), rebooted);
  const young = event('Node', 'n2', 'Rebooted', 'Node n2 has been rebooted, boot id: 1', { last: at(0) });
  put(at(0), node('n2', { createdAt: at(-1) }), young);
  assert.deepEqual(found(), []);
});

test('N13 clears: when what ran there before is ready again, where that takes longer', () => {
  const { put, found, wait } = story();
  const api = (isUp: boolean) => pod('api', { createdAt: at(-30), statuses: [status('api', { ready: isUp })] });
  put(at(-30), node('n1'), api(true));
  put(at(0), rebooted, api(false));
  put(at(6), pod('new', { createdAt: at(5), statuses: [status('api', { ready: false })] }));
  const isTold = (): boolean => found().includes('Node//n1 NodeRebooted');
  wait(at(40));
  assert.equal(isTold(), true);
  put(at(41), api(true));
  wait(at(42));
  assert.equal(isTold(), false);
});

test('N13 clears: 15 min later', () => {
  const { put, found, wait } = story();
  put(at(-1), node('n1'));
  put(at(0), rebooted);
  wait(at(14));
  assert.equal(found().length, 1);
  wait(at(15));
  assert.deepEqual(found(), []);
});

const killed = (time: number) =>
  event(
    'Node',
    'n1',
    'OOMKilling',
    'Memory cgroup out of memory: Killed process 4711 (ruby) total-vm:2010076kB, anon-rss:1044196kB, file-rss:0kB',
    { last: time, reporter: 'kernel-monitor' },
  );
const oomKilled = (time: number) =>
  pod('api', {
    createdAt: long,
    statuses: [
      status('api', {
        restartCount: 1,
        state: { running: { startedAt: stamp(time + 2000) } },
        lastState: {
          terminated: { exitCode: 137, reason: 'OOMKilled', startedAt: stamp(long), finishedAt: stamp(time) },
        },
      }),
    ],
  });

test('N14 fires: the kernel killed a process of the system, or a child of which no container tells', () => {
  const { put, found, says, wait } = story();
  put(at(-1), node('n1'), node('n2'), pod('api', { createdAt: long }));
  const system = 'System OOM encountered, victim process: java, pid: 4711';
  put(at(0), killed(at(0)), event('Node', 'n2', 'SystemOOM', system, { last: at(0) }));
  wait(at(0, 14));
  assert.deepEqual(found(), []);
  wait(at(0, 15));
  assert.deepEqual(found(), ['Node//n1 OOMKilling', 'Node//n2 SystemOOM']);
  assert.equal(
    says('Node//n1', 'OOMKilling'),
    'The kernel killed the process ruby for lack of memory. No container shows it: it may be a child process in a pod that goes on.',
  );
  assert.equal(says('Node//n2', 'SystemOOM'), 'The node ran out of memory, and the kernel killed the process java.');
});

test('N14 is quiet: a container tells of the kill itself', () => {
  const { put, found, wait } = story();
  put(at(-1), node('n1'), pod('api', { createdAt: long }));
  put(at(0), killed(at(0)));
  put(at(0, 5), oomKilled(at(0, 1)));
  wait(at(5));
  assert.deepEqual(
    found().filter((each) => each.startsWith('Node')),
    [],
  );
});

test('N14 clears: an hour after the last', () => {
  const { put, found, wait } = story();
  put(at(-1), node('n1'));
  put(at(0), killed(at(0)));
  wait(at(59));
  assert.deepEqual(found(), ['Node//n1 OOMKilling']);
  wait(at(60));
  assert.deepEqual(found(), []);
});

const noRoom = 'Failed to garbage collect required amount of images.';

test('N15 fires: the kubelet cannot free disk space for the second time', () => {
  const { put, found, says } = story();
  put(at(-1), node('n1'));
  put(at(0), event('Node', 'n1', 'FreeDiskSpaceFailed', noRoom, { last: at(0) }));
  assert.deepEqual(found(), []);
  put(at(5), event('Node', 'n1', 'FreeDiskSpaceFailed', noRoom, { first: at(0), last: at(5), count: 2 }));
  assert.deepEqual(found(), ['Node//n1 FreeDiskSpaceFailed']);
  assert.equal(
    says('Node//n1', 'FreeDiskSpaceFailed'),
    'The node cannot free disk space for images: Failed to garbage collect required amount of images.',
  );
});

test('N15 is quiet: InvalidDiskCapacity at each start; two an hour apart', () => {
  const { put, found } = story();
  put(at(-1), node('n1'));
  put(
    at(0),
    event('Node', 'n1', 'InvalidDiskCapacity', 'invalid capacity 0', { last: at(0), count: 5, first: at(-4) }),
  );
  put(at(1), event('Node', 'n1', 'ImageGCFailed', 'x', { first: at(-59), last: at(1), count: 2 }));
  assert.deepEqual(found(), []);
});

test('N15 clears: half an hour without another', () => {
  const { put, found, wait } = story();
  put(at(-1), node('n1'));
  put(at(0), event('Node', 'n1', 'ContainerGCFailed', 'x', { first: at(-5), last: at(0), count: 2 }));
  wait(at(29));
  assert.deepEqual(found(), ['Node//n1 ContainerGCFailed']);
  wait(at(30));
  assert.deepEqual(found(), []);
});

const pods = (count: number, parts = {}) =>
  Array.from({ length: count }, (_, index) => pod(`p-${index}`, { createdAt: long, ...parts }));

test('N19 fires: for 15 min a Node has had 19 of its 20 Pods', () => {
  const { put, found, says, wait } = story();
  put(at(0), ...pods(19), node('n1', { allocatable: { pods: '20' } }));
  wait(at(14));
  assert.deepEqual(found(), []);
  wait(at(15));
  assert.deepEqual(found(), ['Node//n1 TooManyPods']);
  assert.equal(says('Node//n1', 'TooManyPods'), 'The node has 19 of the 20 pods it may have.');
});

test('N19 is quiet: Pods that have ended', () => {
  const { put, found, wait } = story();
  put(at(0), ...pods(20, { phase: 'Succeeded' }), node('n1', { allocatable: { pods: '20' } }));
  wait(at(30));
  assert.deepEqual(found(), []);
});

test('N19 clears: Pods went, which is seen within five minutes', () => {
  const { put, gone, found, wait } = story();
  put(at(0), ...pods(19), node('n1', { allocatable: { pods: '20' } }));
  wait(at(20));
  gone(at(20), ...pods(5));
  wait(at(25));
  assert.deepEqual(found(), []);
});
