import type { Reason } from '../../model/reason.ts';
import { any, type CausePattern, type Rule } from './rule.ts';

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

/** The causal rules of Nodes that are lost, one by one or a whole zone or pool of them. */
export const lostNodeRules: readonly Rule[] = [
  {
    id: 'node-group-late',
    cause: places,
    via: 'places-that-came-back',
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
    cause: any('Node', ['NodeNotReady', 'NodeUnreachable']),
    via: 'replaced-on',
    effect: any('Pod', ['Unschedulable', 'ContainerCreating', 'FailedAttachVolume', 'FailedMount']),
    strength: 'strong',
    withinSeconds: 900,
    source: 'taint eviction at 5 min, forced volume detach at 6: replacements find no room or no volume',
  },
];
