import { kindOf, type Ref } from '../../model/ref.ts';
import type { NodeView } from '../../world/kinds/cluster/node.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import type { ObservedWorld } from '../../world/view/world.ts';

/** The Pods of a Node that a drain is to move: none of DaemonSets, no static ones, none that have ended. */
export function movablePods(node: NodeView, world: ObservedWorld): readonly PodView[] {
  return [...world.linked(node.ref, 'runs-on', 'in')].flatMap((ref) => {
    const pod = world.get(ref);
    if (typeof pod !== 'object' || pod.kind !== 'Pod' || pod.mirror) return [];
    if (pod.phase === 'Succeeded' || pod.phase === 'Failed') return [];
    return pod.owner !== undefined && kindOf(pod.owner) === 'DaemonSet' ? [] : [pod];
  });
}

/** The disruption budgets that do not let a Pod be evicted now. */
export function budgetsHolding(pod: Ref, world: ObservedWorld): readonly Ref[] {
  return [...world.linked(pod, 'selects', 'in')].filter((ref) => {
    const budget = kindOf(ref) === 'PodDisruptionBudget' ? world.get(ref) : 'unknown';
    return typeof budget === 'object' && budget.kind === 'PodDisruptionBudget' && budget.allowed === 0;
  });
}
