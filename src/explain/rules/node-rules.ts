import type { Reason } from '../../model/reason.ts';
import { unanswered } from '../evidence/unanswered.ts';
import { programs } from './reasons.ts';
import { any, type CausePattern, changeOf, missing, named, type Rule } from './rule.ts';

/** Signs of a Pod whose node does not serve it any more. A crash or a pull error is none: the kubelet still worked. */
const lostWithItsNode: readonly Reason[] = [
  ...(['ReadinessProbeFailed', 'ReadinessFlapping', 'FailedMount', 'FailedCreatePodSandBox'] as const),
  ...(['PodNotReady', 'PodStatusUnknown', 'PodStuckTerminating', 'PodFailed'] as const),
  ...(['ContainerCreating', 'InitContainerWaiting', 'CreateContainerError'] as const),
];

/** What fails as a whole. */
const places: CausePattern = {
  basis: 'finding',
  kinds: ['Zone', 'NodePool', 'Cluster'],
  reasons: ['ZoneOrPoolFailing'],
};

/** What programs do that lack something there; that Pods are not ready follows from much else. */
const brokenThere: readonly Reason[] = [
  ...(['CrashLoopBackOff', 'ContainerError', 'InitContainerError', 'StartError'] as const),
  ...(['LivenessProbeFailed', 'ReadinessProbeFailed'] as const),
];

/** How Pods wait on a Node that begin elsewhere. */
const heldThere: readonly Reason[] = ['FailedCreatePodSandBox', 'ContainerCreating'];

/** Conditions of a Node for which its kubelet evicts Pods. */
const underPressure: readonly Reason[] = ['MemoryPressure', 'DiskPressure', 'PIDPressure'];

/** The causal rules of Nodes and zones: what is lost with them, what they do badly, and what fails there and serves elsewhere. */
export const nodeRules: readonly Rule[] = [
  {
    id: 'node-group-late',
    cause: places,
    via: 'places',
    effect: any('Pod', [...lostWithItsNode, 'Unschedulable', 'FailedAttachVolume']),
    strength: 'stated',
    source:
      'kubelets that are back find out what became of their Pods: it is of the outage that took the Node, not of the Node',
  },
  {
    id: 'node-down',
    cause: any('Node', ['NodeNotReady', 'NodeUnreachable', 'NetworkUnavailable']),
    via: 'runs-on',
    effect: any('Pod', lostWithItsNode),
    strength: 'strong',
    source:
      'node lifecycle controller: marks Pods of a node that is not ready as not ready, evicts them after 5 min; without a route to it (NetworkUnavailable) it looks the same',
  },
  {
    id: 'node-lost-replacement',
    cause: any('Node', ['NodeNotReady', 'NodeUnreachable', ...underPressure]),
    via: 'places',
    effect: any('Pod', ['Unschedulable', 'ContainerCreating', 'FailedAttachVolume', 'FailedMount']),
    strength: 'strong',
    within: 'aftermath',
    source:
      'taint eviction at 5 min, forced volume detach at 6, kubelet node-pressure eviction, whose taint keeps replacements away: these find no room or no volume',
  },
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
    id: 'node-memory-kills',
    cause: any('Node', ['MemoryPressure', 'SystemOOM']),
    via: 'runs-on',
    effect: any('Pod', ['OOMKilled']),
    strength: 'usual',
    requires: { states: [{ fact: 'memoryLimit', as: /^$/ }] },
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
    id: 'node-lost-label',
    cause: changeOf(['Node']),
    via: 'names',
    effect: any('Pod', ['Unschedulable']),
    strength: 'strong',
    within: 'next start',
    fields: ['labels'],
    source:
      'kube-scheduler, NodeAffinity: a Pod goes only where the labels are that it selects; a Node had them until it was edited, and no other has',
  },
  {
    id: 'node-gone',
    cause: missing(['Node']),
    via: 'places',
    effect: any('Pod', ['Unschedulable']),
    strength: 'strong',
    workloads: 2,
    atMost: 'likely',
    // No Node has the labels that the Pods of one which is gone ask for.
    says: /^0\/(\d+) nodes are available: \1 node\(s\) didn't match/,
    source:
      'Pod garbage collector: Pods of a Node that is deleted go with it; what takes their place fits on no other by its labels',
  },
  {
    id: 'node-rebooted',
    cause: any('Node', ['NodeRebooted']),
    via: 'runs-on',
    effect: any('Pod', ['CrashLoopBackOff', 'ContainerError', 'PodFailed']),
    strength: 'strong',
    requires: {
      states: [
        { fact: 'exitCode', as: /^255$/ },
        { fact: 'exitReason', as: /^Unknown$/ },
      ],
    },
    source:
      'kubelet: containers that were gone when it was back have exit code 255 and reason Unknown; each counts as a restart, with back-off',
  },
  {
    id: 'node-rebooted-otherwise',
    cause: any('Node', ['NodeRebooted']),
    via: 'runs-on',
    effect: any('Pod', brokenThere),
    strength: 'usual',
    within: 'minutes',
    workloads: 2,
    atMost: 'likely',
    isSaid: true,
    signs: unanswered,
    source:
      'a Node that comes back without a module of its kernel, a rule or a route: several workloads that run there reach nobody since its reboot',
  },
  {
    id: 'node-ails',
    cause: named(['Node']),
    via: 'runs-on',
    effect: any('Pod', brokenThere),
    strength: 'strong',
    workloads: 2,
    requires: { ails: true },
    source:
      'node-problem-detector and its like: conditions of types that nobody here knows, with names that say that something is wrong, as programs of several workloads fail there',
  },
  {
    id: 'node-alone',
    cause: named(['Node']),
    via: 'runs-on',
    effect: any('Pod', [...brokenThere, ...heldThere]),
    strength: 'usual',
    workloads: 2,
    atMost: 'likely',
    requires: { alone: 'copies' },
    source:
      'Pods from one template serve or begin on other Nodes: what several workloads have in common that fail on one only is that Node (clock, kernel, process IDs, service rules, its runtime)',
  },
  {
    id: 'zone-alone',
    cause: named(['Zone']),
    via: 'runs-on',
    effect: programs,
    strength: 'usual',
    workloads: 2,
    atMost: 'likely',
    requires: { alone: 'copies' },
    isSaid: true,
    signs: unanswered,
    source:
      'clouds route each zone by itself (gateways, subnets, endpoints): what several workloads have in common that reach somebody from the Nodes of other zones only is their zone',
  },
  {
    id: 'node-pulls-alone',
    cause: named(['Node']),
    via: 'runs-on',
    effect: any('Pod', ['ImagePullBackOff', 'ImagePullDenied']),
    // More than the row of a release, which shows wherever its image is pulled.
    strength: 'stated',
    workloads: 2,
    atMost: 'likely',
    requires: { alone: 'copies' },
    source:
      'kubelet: pulls with the credentials and the network of its Node; a registry that refuses or is away does so everywhere',
  },
  {
    id: 'node-fails-one',
    cause: named(['Node']),
    via: 'runs-on',
    effect: any('Pod', ['FailedCreatePodSandBox']),
    strength: 'usual',
    atMost: 'likely',
    requires: { alone: 'one' },
    source:
      'a sandbox is made of its Node alone: errno(3) EIO, EUCLEAN, EROFS and ENOMEM are of its disk and kernel, where the same was made elsewhere a moment ago; a DaemonSet has the same Pod on each Node, and they differ by the Node',
  },
  {
    id: 'node-alone-members',
    cause: named(['Node']),
    via: 'runs-on',
    effect: any('Pod', brokenThere),
    strength: 'usual',
    workloads: 3,
    atMost: 'likely',
    requires: { alone: 'members' },
    source:
      'members of a StatefulSet differ by their data as well as by their Nodes, and a DaemonSet has something of its own to do on each: where three workloads have one that fails, and all on one Node, it is not that',
  },
];
