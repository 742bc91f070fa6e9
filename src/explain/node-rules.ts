import { loggedReasons } from '../model/logged-reasons.ts';
import type { Reason } from '../model/reason.ts';
import { saidOfAgents } from './one-node.ts';
import { any, changeOf, named, type Rule } from './rule.ts';
import { longRunning } from './shortage.ts';
import { unanswered } from './unanswered.ts';

/** Conditions of a Node for which its kubelet evicts Pods. */
const underPressure: readonly Reason[] = ['MemoryPressure', 'DiskPressure', 'PIDPressure'];

/** What programs do that lack something there; that Pods are not ready follows from much else. */
const brokenThere: readonly Reason[] = [
  ...(['CrashLoopBackOff', 'ContainerError', 'InitContainerError'] as const),
  ...(['LivenessProbeFailed', 'ReadinessProbeFailed'] as const),
];

/** The causal rules of Nodes that serve, and serve badly; of those that are lost: lost-node-rules.ts. */
export const nodeRules: readonly Rule[] = [
  {
    id: 'node-evicts',
    cause: any('Node', underPressure),
    via: 'runs-on',
    effect: any('Pod', ['Evicted']),
    prior: 0.85,
    source: 'kubelet node-pressure eviction: what it evicts is left as a failed Pod on its Node',
  },
  {
    id: 'node-evicts-replacement',
    cause: any('Node', underPressure),
    via: 'nodes-of-evicted',
    effect: any('Pod', ['Unschedulable']),
    prior: 0.7,
    withinSeconds: 900,
    source: 'kubelet node-pressure eviction; the taint of the pressure keeps replacements from the node',
  },
  {
    id: 'node-memory-kills',
    cause: any('Node', ['MemoryPressure', 'SystemOOM']),
    via: 'runs-on',
    effect: any('Pod', ['OOMKilled']),
    prior: 0.6,
    requires: ['noMemoryLimit'],
    source: 'kernel OOM killer; a container killed at its own limit is its own cause',
  },
  {
    id: 'node-read-only',
    cause: any('Node', ['NodeProblem']),
    via: 'runs-on',
    effect: any('Pod', ['CrashLoopBackOff', 'ContainerError', 'InitContainerError', 'PodFailed']),
    prior: 0.6,
    requires: ['saysReadOnly'],
    source:
      'ext4(5) errors=remount-ro, node-problem-detector readonly-monitor.json: what writes on the Node fails with EROFS from then on',
  },
  {
    id: 'node-disk-pulls',
    cause: any('Node', ['DiskPressure']),
    via: 'runs-on',
    effect: any('Pod', ['ImagePullBackOff', 'CreateContainerError', 'FailedCreatePodSandBox', 'FailedMount']),
    prior: 0.55,
    source: 'a full image file system refuses layers; the same error on other nodes speaks against it',
  },
  {
    id: 'node-has-no-room-for-images',
    cause: named(['Node']),
    via: 'names',
    effect: any('Pod', ['ImagePullBackOff']),
    prior: 0.85,
    requires: ['failsThereOnly'],
    source:
      'containerd and CRI-O write layers to the disk of the Node: "no space left on device" before the kubelet sees DiskPressure',
  },
  {
    id: 'node-without-runtime',
    cause: named(['Node']),
    via: 'names',
    effect: any('Pod', ['FailedCreatePodSandBox']),
    prior: 0.9,
    requires: ['lacksRuntime'],
    source:
      'kubelet: "dial unix /run/containerd/containerd.sock: connect: connection refused"; the runtime serves all Pods of its Node',
  },
  {
    id: 'node-processes',
    cause: any('Node', ['PIDPressure']),
    via: 'runs-on',
    effect: any('Pod', ['PodFailed', 'StartError', 'CreateContainerError', 'FailedCreatePodSandBox']),
    prior: 0.6,
    source: 'kubelet node-pressure eviction, signal pid.available; fork fails before that',
  },
  {
    id: 'node-network',
    cause: any('Node', ['NetworkUnavailable']),
    via: 'runs-on',
    effect: any('Pod', ['ContainerCreating', 'FailedCreatePodSandBox', 'PodNotReady', 'ReadinessProbeFailed']),
    prior: 0.7,
    signs: unanswered,
    source: 'node condition NetworkUnavailable: the network plug-in has no route to the node',
  },
  {
    id: 'node-starts-nothing',
    cause: named(['Node']),
    via: 'runs-on',
    effect: any('Pod', ['FailedCreatePodSandBox', 'ContainerCreating']),
    prior: 0.7,
    workloads: 2,
    requires: ['startsNothing'],
    source:
      'kubelet syncPod: no container before its sandbox; the runtime and the network plug-in of a Node serve all its Pods',
  },
  {
    id: 'network-agent',
    cause: { basis: 'finding', kinds: ['DaemonSet', 'Pod'], reasons: 'any' },
    via: 'named-agents',
    effect: any('Pod', ['FailedCreatePodSandBox', 'ContainerCreating']),
    prior: 0.75,
    source:
      'CNI: the plug-in that the runtime calls asks the agent on the Node, which runs as a Pod of a DaemonSet; without it no Pod gets a network',
  },
  {
    id: 'agent-of-node',
    cause: { basis: 'finding', kinds: ['DaemonSet', 'Pod'], reasons: 'any' },
    via: 'agents',
    effect: { kinds: ['Pod', ...longRunning], reasons: loggedReasons },
    prior: 0.7,
    requires: ['failsForAgent'],
    signs: saidOfAgents,
    source:
      'RFC 3927: 169.254.0.0/16 stays on the machine (metadata services of clouds, NodeLocal DNSCache), as a Unix socket does; kube-proxy and network agents serve the Pods of their Node',
  },
  {
    id: 'agent-said',
    cause: { basis: 'finding', kinds: ['DaemonSet', 'Pod'], reasons: 'any' },
    via: 'agents',
    effect: { kinds: ['Pod', ...longRunning], reasons: loggedReasons },
    prior: 0.7,
    requires: ['speaksOfAgent'],
    source: 'programs say what they do not find on their machine by what its agent is called: drivers, caches, meshes',
  },
  {
    id: 'agent-awaited',
    cause: { basis: 'finding', kinds: ['DaemonSet', 'Pod'], reasons: 'any' },
    via: 'agents',
    effect: {
      kinds: ['Pod', 'DaemonSet'],
      reasons: ['DaemonSetUnavailable', 'DaemonSetRolloutStuck', 'InitContainerWaiting'],
    },
    prior: 0.6,
    atMost: 'likely',
    requires: ['waitsForAgent'],
    source:
      'operators that lay one DaemonSet on another let init containers wait for it (NVIDIA GPU operator: driver-validation, toolkit-validation)',
  },
  {
    id: 'node-alone',
    cause: named(['Node']),
    via: 'runs-on',
    effect: any('Pod', brokenThere),
    prior: 0.6,
    workloads: 2,
    atMost: 'likely',
    requires: ['failsThereAlone'],
    source:
      'Pods from one template serve on other Nodes: what several workloads have in common that fail on one only is that Node (clock, kernel, process IDs, service rules)',
  },
  {
    id: 'node-pulls-alone',
    cause: named(['Node']),
    via: 'runs-on',
    effect: any('Pod', ['ImagePullBackOff', 'ImagePullDenied']),
    prior: 0.85,
    workloads: 2,
    atMost: 'likely',
    requires: ['pullsElsewhere'],
    source:
      'kubelet: pulls with the credentials and the network of its Node; a registry that refuses or is away does so everywhere',
  },
  {
    id: 'addresses-of-zone',
    cause: { basis: 'finding', kinds: ['Zone', 'Cluster'], reasons: ['PodIPExhausted'] },
    via: 'names',
    effect: { kinds: ['Pod', 'Node'], reasons: ['FailedCreatePodSandBox', 'PodIPExhausted'] },
    prior: 0.9,
    source: 'clouds give Pods addresses of the subnet of their zone, which Nodes share',
  },
  {
    id: 'addresses-of-node',
    cause: any('Node', ['PodIPExhausted']),
    via: 'names',
    effect: any('Pod', ['FailedCreatePodSandBox']),
    prior: 0.85,
    source: 'a Node has a range of its own for its Pods (spec.podCIDRs), or as many addresses as its interfaces',
  },
  {
    id: 'node-taint',
    cause: named(['Node']),
    via: 'names',
    effect: any('Pod', ['Unschedulable']),
    prior: 0.75,
    workloads: 2,
    requires: ['saysTaint'],
    source:
      'kube-scheduler, TaintToleration: Pods of several workloads that no Node takes for its taints, where all Nodes have one in common; of one workload alone its tolerations may be wrong',
  },
  {
    id: 'node-lost-label',
    cause: changeOf(['Node']),
    via: 'names',
    effect: any('Pod', ['Unschedulable']),
    prior: 0.8,
    withinSeconds: 86_400,
    fields: ['labels'],
    source:
      'kube-scheduler, NodeAffinity: a Pod goes only where the labels are that it selects; a Node had them until it was edited, and no other has',
  },
  {
    id: 'node-gone',
    cause: named(['Node']),
    via: 'replaces',
    effect: any('Pod', ['Unschedulable']),
    prior: 0.75,
    workloads: 2,
    requires: ['goneForGood'],
    source:
      'Pod garbage collector: Pods of a Node that is deleted go with it; what takes their place fits on no other by its labels',
  },
  {
    id: 'nobody-makes-room',
    cause: { basis: 'finding', kinds: [...longRunning, 'Pod'], reasons: 'any' },
    via: 'named-workloads',
    effect: { kinds: ['Pod', 'NodePool', 'Cluster'], reasons: ['Unschedulable', 'InsufficientCapacity'] },
    prior: 0.8,
    requires: ['isDown'],
    source:
      'Nodes are added by the cluster autoscaler or Karpenter, and devices counted by the device plug-in on each Node: without them there is only the room that there was',
  },
  {
    id: 'no-capacity',
    cause: { basis: 'finding', kinds: ['NodePool', 'Cluster'], reasons: ['InsufficientCapacity'] },
    via: 'names',
    effect: any('Pod', ['Unschedulable']),
    prior: 0.65,
    workloads: 2,
    source:
      'kube-scheduler, noderesources fit: Pods of several workloads that find the same resource used up on the same Nodes have one story',
  },
];
