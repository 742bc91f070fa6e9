import { kindOf } from '../../model/ref.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import { isReady } from '../../world/pods/readiness.ts';
import type { ObservedWorld } from '../../world/view/world.ts';

/** Siblings of one Pod that are looked at. */
const sample = 32;

/** Whether Pods of the same template serve on other Nodes, and none of them fails there: it may be the Node, which others will show. */
export function failsHereAlone(pod: PodView, world: ObservedWorld): boolean {
  if (pod.owner === undefined || pod.node === undefined || kindOf(pod.owner) !== 'ReplicaSet') return false;
  let serves = false;
  for (const ref of world.linked(pod.owner, 'owned-by', 'in', sample)) {
    const other = world.get(ref);
    if (typeof other !== 'object' || other.kind !== 'Pod' || other.deletionAt !== undefined) continue;
    if (other.node === undefined || other.node === pod.node) continue;
    if (!isReady(other)) return false;
    serves = true;
  }
  return serves;
}
