import type { Reason } from '../../../src/model/reason.ts';
import { unplaced } from '../../explain/proof.ts';
import { at, condition, event, eventOf, type NodeParts, node, pod, stamp, waiting } from '../../world/objects.ts';
import { type ClusterStory, long, nodeInTrouble, nodes, replicaSet, sized } from '../shop.ts';

/** Something that the kubelet or the kernel of n1 tells by Events. */
const tells =
  (reason: string, note: string, count = 1): ClusterStory =>
  (k8s) => {
    k8s.put(long, ...nodes);
    k8s.start(at(0));
    k8s.put(at(10), event('Node', 'n1', reason, note, { count, first: at(10) - (count - 1) * 60_000, last: at(10) }));
    k8s.wait(at(12));
  };

const zoned = { since: long, labels: { 'topology.kubernetes.io/zone': 'eu-1a' } };

/** n1 becomes such a Node, and stays it. */
const becomes =
  (parts: NodeParts, minutes: number, ...others: readonly ReturnType<typeof pod>[]): ClusterStory =>
  (k8s) => {
    k8s.put(long, ...nodes, ...others);
    k8s.start(at(0));
    k8s.put(at(10), node('n1', { ...zoned, ...parts }));
    k8s.wait(at(minutes));
  };

const cordon = {
  unschedulable: true,
  taints: [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule', timeAdded: stamp(at(10)) }],
};

/** One story for every reason of Nodes that is found by more than a condition of the kubelet. */
export const nodeReasonStories = {
  InsufficientCapacity: (k8s) => {
    const apps = ['api', 'web'].flatMap((name) => [sized('Deployment', name, 2, 2), replicaSet(name, 1)]);
    k8s.put(long, ...nodes, ...apps);
    k8s.start(at(0));
    const resources = { requests: { cpu: '500m' } };
    const waits = {
      ...unplaced(at(10), '0/2 nodes are available: 2 Insufficient cpu. preemption: 0/2 nodes are available.'),
      spec: { containers: [{ name: 'api', image: 'x', resources }] },
    };
    k8s.put(
      at(10),
      ...['api', 'web'].map((name) =>
        pod(`${name}-r1-b`, { ...waits, owner: { kind: 'ReplicaSet', name: `${name}-r1` } }),
      ),
    );
    k8s.wait(at(14));
  },
  NodeProblem: nodeInTrouble({
    node: {
      conditions: [
        condition('ReadonlyFilesystem', 'True', at(10), 'FilesystemIsReadOnly', 'Remounting filesystem read-only'),
      ],
    },
    podsFail: false,
  }),
  NodeReadinessFlapping: (k8s) => {
    k8s.put(long, ...nodes);
    k8s.start(at(0));
    for (const [minute, ready] of [
      [10, 'False'],
      [10.2, 'True'],
      [12, 'False'],
      [12.2, 'True'],
      [14, 'False'],
      [14.2, 'True'],
    ] as const)
      k8s.put(at(minute), node('n1', { ...zoned, ready, since: at(minute) }));
    k8s.wait(at(17));
  },
  NodeRebooted: tells('Rebooted', 'Node n1 has been rebooted, boot id: 6b9f0b2e-6a1f-4d0a-9c43-3f6a30ff7d0f'),
  SystemOOM: tells('SystemOOM', 'System OOM encountered, victim process: java, pid: 4711'),
  OOMKilling: tells(
    'OOMKilling',
    'Memory cgroup out of memory: Killed process 4711 (ruby) total-vm:2010076kB, anon-rss:1044196kB, file-rss:0kB',
  ),
  EvictionThresholdMet: tells('EvictionThresholdMet', 'Attempting to reclaim ephemeral-storage', 3),
  FreeDiskSpaceFailed: tells(
    'FreeDiskSpaceFailed',
    'Failed to garbage collect required amount of images. Attempted to free 5368709120 bytes, but only found 0 bytes eligible to free.',
    2,
  ),
  ImageGCFailed: tells('ImageGCFailed', 'failed to get imageFs info: non-existent label "docker-images"', 2),
  ContainerGCFailed: tells(
    'ContainerGCFailed',
    'rpc error: code = DeadlineExceeded desc = context deadline exceeded',
    2,
  ),
  NodeUninitialized: (k8s) => {
    k8s.put(long, ...nodes);
    k8s.start(at(0));
    const taints = [{ key: 'node.cloudprovider.kubernetes.io/uninitialized', value: 'true', effect: 'NoSchedule' }];
    k8s.put(at(10), node('n4', { createdAt: at(10), since: at(10), spec: { taints } }));
    k8s.wait(at(22));
  },
  NodeDraining: becomes(
    { spec: cordon },
    75,
    pod('db-0', { owner: { kind: 'StatefulSet', name: 'db' }, createdAt: long, deletionAt: at(11) }),
  ),
  NodeCordoned: becomes({ spec: cordon }, 26 * 60),
  NodeStuckTerminating: becomes({ deletionAt: at(10), finalizers: ['karpenter.sh/termination'] }, 30),
  TooManyPods: becomes(
    { allocatable: { pods: '20' } },
    62,
    ...Array.from({ length: 19 }, (_, index) => pod(`p-${index}`, { createdAt: long })),
  ),
  PodIPExhausted: (k8s) => {
    const names = ['a', 'b', 'c'].map((name) => `api-${name}`);
    const fresh = names.map((name) =>
      pod(name, { createdAt: at(10), phase: 'Pending', statuses: [waiting('api', 'ContainerCreating')] }),
    );
    const says =
      'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "c1f0": plugin type="aws-cni" name="aws-cni" failed (add): add cmd: failed to assign an IP address to container';
    k8s.put(long, ...nodes);
    k8s.start(at(0));
    k8s.put(at(10), ...fresh);
    for (const each of fresh) k8s.put(at(10, 5), eventOf(each, 'FailedCreatePodSandBox', says, at(10, 5)));
    for (const each of fresh)
      k8s.put(at(12), eventOf(each, 'FailedCreatePodSandBox', says, at(12), { firstAt: at(10, 5), count: 6 }));
    k8s.wait(at(20));
  },
  ZoneOrPoolFailing: (k8s) => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const made = (name: string, parts: NodeParts = {}) =>
      node(name, { since: long, labels: { 'topology.kubernetes.io/zone': 'eu-1b' }, ...parts });
    k8s.put(long, ...nodes, ...names.map((name) => made(name)));
    k8s.start(at(0));
    k8s.put(at(10), ...names.slice(0, 4).map((name) => made(name, { ready: 'Unknown', since: at(10) })));
    k8s.wait(at(13));
  },
} satisfies Partial<Record<Reason, ClusterStory>>;
