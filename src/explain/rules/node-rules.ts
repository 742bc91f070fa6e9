import type { Reason } from '../../model/reason.ts';
import { any, changeOf, missing, named, type Rule } from './rule.ts';

/** Conditions of a Node for which its kubelet evicts Pods. */
const underPressure: readonly Reason[] = ['MemoryPressure', 'DiskPressure', 'PIDPressure'];

/** The causal rules of Nodes that serve, and serve badly; of those that are lost: lost-node-rules.ts. */
export const nodeRules: readonly Rule[] = [
  {
    id: 'node-evicts',
    cause: any('Node', underPressure),
    via: 'runs-on',
    effect: any('Pod', ['Evicted', 'PodFailed', 'StartError', 'CreateContainerError', 'FailedCreatePodSandBox']),
    strength: 'stated',
    source:
      'kubelet node-pressure eviction: what it evicts is left as a failed Pod on its Node; before that nothing there can write, fork or begin',
  },
  {
    id: 'node-evicts-replacement',
    cause: any('Node', underPressure),
    via: 'replaced-on',
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
    isSaid: true,
    signs: ['ReadOnlyFileSystem'],
    source:
      'ext4(5) errors=remount-ro, node-problem-detector readonly-monitor.json: what writes on the Node fails with EROFS from then on',
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
    via: 'replaced-on',
    effect: any('Pod', ['Unschedulable']),
    strength: 'strong',
    workloads: 2,
    atMost: 'likely',
    // No Node has the labels that the Pods of one which is gone ask for.
    says: /^0\/(\d+) nodes are available: \1 node\(s\) didn't match/,
    source:
      'Pod garbage collector: Pods of a Node that is deleted go with it; what takes their place fits on no other by its labels',
  },
];
