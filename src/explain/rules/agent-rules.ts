import { loggedReasons } from '../../model/logged-reasons.ts';
import type { Reason } from '../../model/reason.ts';
import { saidOfAgents } from '../evidence/one-node.ts';
import { any, changeOf, named, type Rule } from './rule.ts';
import { longRunning } from './shortage.ts';

/** How a Pod waits for its volumes and its network. */
const heldUp: readonly Reason[] = [
  ...(['FailedMount', 'FailedMapVolume', 'FailedAttachVolume', 'FailedCreatePodSandBox', 'ContainerCreating'] as const),
];

/** The causal rules of what runs on every Node for all others: networks, drivers, caches, and whoever makes room. */
export const agentRules: readonly Rule[] = [
  {
    id: 'network-agent',
    cause: { basis: 'finding', kinds: ['DaemonSet', 'Pod'], reasons: 'any' },
    via: 'named-agents',
    effect: any('Pod', ['FailedCreatePodSandBox', 'ContainerCreating']),
    strength: 'strong',
    source:
      'CNI: the plug-in that the runtime calls asks the agent on the Node, which runs as a Pod of a DaemonSet; without it no Pod gets a network',
  },
  {
    id: 'network-agent-refuses',
    cause: named(['DaemonSet']),
    via: 'names',
    effect: any('Pod', ['FailedCreatePodSandBox', 'ContainerCreating']),
    strength: 'usual',
    workloads: 2,
    atMost: 'likely',
    requires: ['isOfNetwork'],
    source:
      'CNI: the text is that of the network plug-in; what it says to several workloads is of its agent, its token or its addresses, and not of theirs',
  },
  {
    id: 'agent-of-node',
    cause: { basis: 'finding', kinds: ['DaemonSet', 'Pod'], reasons: 'any' },
    via: 'agents',
    effect: { kinds: ['Pod', ...longRunning], reasons: loggedReasons },
    strength: 'strong',
    requires: ['failsForAgent'],
    signs: saidOfAgents,
    source:
      'RFC 3927: 169.254.0.0/16 stays on the machine (metadata services of clouds, NodeLocal DNSCache), as a Unix socket does; kube-proxy and network agents serve the Pods of their Node',
  },
  {
    id: 'agent-edited',
    cause: changeOf(['DaemonSet']),
    via: 'agents',
    effect: { kinds: ['Pod', ...longRunning], reasons: loggedReasons },
    strength: 'usual',
    withinSeconds: 600,
    workloads: 2,
    atMost: 'likely',
    fields: ['image', 'command', 'args', 'env', 'envFrom', 'volumes', 'containers', 'template'],
    requires: ['isServedByAgent', 'heldUntilThen'],
    signs: saidOfAgents,
    source:
      'an agent of the Node that is well was released just before, and its clients, served until then, did not change (kube-proxy, network plug-ins, NodeLocal DNSCache, tunnels of a mesh)',
  },
  {
    id: 'agent-said',
    cause: { basis: 'finding', kinds: ['DaemonSet', 'Pod'], reasons: 'any' },
    via: 'agents',
    effect: { kinds: ['Pod', ...longRunning], reasons: [...loggedReasons, ...heldUp] },
    strength: 'strong',
    requires: ['speaksOfAgent'],
    source:
      'programs say what they do not find on their machine by what its agent is called (drivers, caches, meshes), and kubelets hand on what drivers say, which call their helpers on the Node by name (Secrets Store CSI driver: provider "azure" not found)',
  },
  {
    id: 'agent-asked',
    cause: { basis: 'finding', kinds: ['DaemonSet', 'Pod'], reasons: 'any' },
    via: 'agents',
    effect: any('Pod', ['ImagePullBackOff']),
    strength: 'stated',
    requires: ['asksForAgent'],
    source:
      'containerd hosts.toml, CRI-O registries.conf: mirrors of registries (Spegel, Dragonfly, Kraken) are asked at a port of the machine, and the error names who was dialled, not whose image it is',
  },
  {
    id: 'agent-awaited',
    cause: { basis: 'finding', kinds: ['DaemonSet', 'Pod'], reasons: 'any' },
    via: 'agents',
    effect: {
      kinds: ['Pod', 'DaemonSet'],
      reasons: ['DaemonSetUnavailable', 'DaemonSetRolloutStuck', 'InitContainerWaiting'],
    },
    strength: 'usual',
    atMost: 'likely',
    requires: ['waitsForAgent'],
    source:
      'operators that lay one DaemonSet on another let init containers wait for it (NVIDIA GPU operator: driver-validation, toolkit-validation)',
  },
  {
    id: 'pool-makes-no-machines',
    cause: any('CustomResource', ['CustomResourceFailing']),
    via: 'names',
    effect: { kinds: ['Pod', 'NodePool', 'Cluster'], reasons: ['Unschedulable', 'InsufficientCapacity'] },
    strength: 'strong',
    atMost: 'likely',
    source:
      'Karpenter makes no Node from a NodePool that is not ready, nor Cluster API one from such a MachineDeployment: there is only the room that there was',
  },
  {
    id: 'agent-not-ready',
    cause: { basis: 'finding', kinds: ['DaemonSet', 'Pod'], reasons: 'any' },
    via: 'named-agents',
    effect: {
      kinds: ['Pod', 'NodePool', 'Cluster', 'Node'],
      reasons: ['Unschedulable', 'InsufficientCapacity', 'NodeUninitialized'],
    },
    strength: 'strong',
    requires: ['keepsItsMark'],
    source:
      'Cilium agent-not-ready-taint-key, aws-ebs-csi-driver agent-not-ready: the agent on a new Node takes the mark off that keeps Pods away',
  },
  {
    id: 'node-not-taken-over',
    cause: any('Node', ['NodeUninitialized']),
    via: 'names',
    effect: { kinds: ['Pod', 'NodePool', 'Cluster'], reasons: ['Unschedulable', 'InsufficientCapacity'] },
    strength: 'strong',
    source:
      'kube-scheduler, TaintToleration: a Node that has the mark of its start takes no Pods, whatever room there is',
  },
];
