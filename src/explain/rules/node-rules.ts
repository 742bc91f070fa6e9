import type { Reason } from '../../model/reason.ts';
import { unanswered } from '../evidence/unanswered.ts';
import { any, changeOf, missing, named, type Rule } from './rule.ts';

/** Conditions of a Node for which its kubelet evicts Pods. */
const underPressure: readonly Reason[] = ['MemoryPressure', 'DiskPressure', 'PIDPressure'];

/** The causal rules of Nodes that serve, and serve badly; of those that are lost: lost-node-rules.ts. */
export const nodeRules: readonly Rule[] = [
  {
    id: 'node-evicts',
    cause: any('Node', underPressure),
    via: 'runs-on',
    effect: any('Pod', ['Evicted']),
    strength: 'stated',
    source: 'kubelet node-pressure eviction: what it evicts is left as a failed Pod on its Node',
  },
  {
    id: 'node-evicts-replacement',
    cause: any('Node', underPressure),
    via: 'nodes-of-evicted',
    effect: any('Pod', ['Unschedulable']),
    strength: 'strong',
    withinSeconds: 900,
    source: 'kubelet node-pressure eviction; the taint of the pressure keeps replacements from the node',
  },
  {
    id: 'node-memory-kills',
    cause: any('Node', ['MemoryPressure', 'SystemOOM']),
    via: 'runs-on',
    effect: any('Pod', ['OOMKilled']),
    strength: 'usual',
    requires: ['noMemoryLimit'],
    source: 'kernel OOM killer; a container killed at its own limit is its own cause',
  },
  {
    id: 'node-read-only',
    cause: any('Node', ['NodeProblem']),
    via: 'runs-on',
    effect: any('Pod', ['CrashLoopBackOff', 'ContainerError', 'InitContainerError', 'PodFailed']),
    strength: 'stated',
    requires: ['saysReadOnly'],
    source:
      'ext4(5) errors=remount-ro, node-problem-detector readonly-monitor.json: what writes on the Node fails with EROFS from then on',
  },
  {
    id: 'node-has-no-room-for-images',
    cause: named(['Node']),
    via: 'names',
    effect: any('Pod', ['ImagePullBackOff']),
    strength: 'stated',
    requires: ['failsThereOnly'],
    source:
      'containerd and CRI-O write layers to the disk of the Node: "no space left on device" before the kubelet sees DiskPressure',
  },
  {
    id: 'node-without-runtime',
    cause: named(['Node']),
    via: 'names',
    effect: any('Pod', ['FailedCreatePodSandBox']),
    strength: 'stated',
    requires: ['lacksRuntime'],
    source:
      'kubelet: "dial unix /run/containerd/containerd.sock: connect: connection refused"; the runtime serves all Pods of its Node',
  },
  {
    id: 'node-processes',
    cause: any('Node', ['PIDPressure']),
    via: 'runs-on',
    effect: any('Pod', ['PodFailed', 'StartError', 'CreateContainerError', 'FailedCreatePodSandBox']),
    strength: 'usual',
    source: 'kubelet node-pressure eviction, signal pid.available; fork fails before that',
  },
  {
    id: 'node-network',
    cause: any('Node', ['NetworkUnavailable']),
    via: 'runs-on',
    effect: any('Pod', ['ContainerCreating', 'FailedCreatePodSandBox', 'PodNotReady', 'ReadinessProbeFailed']),
    strength: 'strong',
    signs: unanswered,
    source: 'node condition NetworkUnavailable: the network plug-in has no route to the node',
  },
  {
    id: 'node-starts-nothing',
    cause: named(['Node']),
    via: 'runs-on',
    effect: any('Pod', ['FailedCreatePodSandBox', 'ContainerCreating']),
    strength: 'usual',
    workloads: 2,
    requires: ['startsNothing'],
    source:
      'kubelet syncPod: no container before its sandbox; the runtime and the network plug-in of a Node serve all its Pods',
  },
  {
    id: 'node-begins-nothing',
    cause: named(['Node']),
    via: 'runs-on',
    effect: any('Pod', ['FailedCreatePodSandBox', 'ContainerCreating']),
    strength: 'usual',
    workloads: 2,
    atMost: 'likely',
    requires: ['beginsNothing'],
    source:
      'kubelet syncPod: all new Pods were placed on one Node (an empty one gets them all) and none begins there, though the same workloads run on other Nodes',
  },
  {
    id: 'node-begins-no-agent',
    cause: named(['Node']),
    via: 'runs-on',
    effect: any('Pod', ['FailedCreatePodSandBox']),
    strength: 'weak',
    atMost: 'likely',
    requires: ['isForEachNode', 'beginsNothing'],
    source:
      'a DaemonSet has the same Pod on each Node: where it is up on the others, and nothing else begins on this one, they differ by the Node',
  },
  {
    id: 'node-machine-fails-one',
    cause: named(['Node']),
    via: 'runs-on',
    effect: any('Pod', ['FailedCreatePodSandBox']),
    strength: 'usual',
    atMost: 'likely',
    requires: ['machineFails', 'beganElsewhere'],
    source:
      'errno(3): EIO, EUCLEAN, EROFS and ENOMEM are what the disk and the kernel of a machine answer; a sandbox is made of its Node alone, and the same one was made elsewhere a moment ago',
  },
  {
    id: 'addresses-of-zone',
    cause: { basis: 'finding', kinds: ['Zone', 'Cluster'], reasons: ['PodIPExhausted'] },
    via: 'names',
    effect: { kinds: ['Pod', 'Node'], reasons: ['FailedCreatePodSandBox', 'PodIPExhausted'] },
    strength: 'stated',
    source: 'clouds give Pods addresses of the subnet of their zone, which Nodes share',
  },
  {
    id: 'addresses-of-node',
    cause: any('Node', ['PodIPExhausted']),
    via: 'names',
    effect: any('Pod', ['FailedCreatePodSandBox']),
    strength: 'stated',
    source: 'a Node has a range of its own for its Pods (spec.podCIDRs), or as many addresses as its interfaces',
  },
  {
    id: 'node-taint',
    cause: named(['Node']),
    via: 'names',
    effect: any('Pod', ['Unschedulable']),
    strength: 'strong',
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
    strength: 'strong',
    withinSeconds: 86_400,
    fields: ['labels'],
    source:
      'kube-scheduler, NodeAffinity: a Pod goes only where the labels are that it selects; a Node had them until it was edited, and no other has',
  },
  {
    id: 'node-gone',
    cause: missing(['Node']),
    via: 'replaces',
    effect: any('Pod', ['Unschedulable']),
    strength: 'strong',
    workloads: 2,
    atMost: 'likely',
    requires: ['goneForGood'],
    source:
      'Pod garbage collector: Pods of a Node that is deleted go with it; what takes their place fits on no other by its labels',
  },
  {
    id: 'no-capacity',
    cause: { basis: 'finding', kinds: ['NodePool', 'Cluster'], reasons: ['InsufficientCapacity'] },
    via: 'names',
    effect: any('Pod', ['Unschedulable']),
    strength: 'usual',
    workloads: 2,
    source:
      'kube-scheduler, noderesources fit: Pods of several workloads that find the same resource used up on the same Nodes have one story',
  },
];
