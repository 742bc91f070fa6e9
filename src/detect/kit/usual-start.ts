import type { PodView } from '../../world/kinds/workloads/pod.ts';
import type { ObservedWorld } from '../../world/view/world.ts';

/**
 * How long to wait for a Pod that starts (seconds): `usual` unless Pods of its workload are known to take longer, and never longer
 * than `most`.
 */
export function startPatience(pod: PodView, world: ObservedWorld, usual: number, most: number): number {
  const known = pod.owner === undefined ? undefined : world.ownNormal(world.topOwner(pod.ref))?.usualStart;
  return Math.max(usual, Math.min(most, Math.ceil(known?.most ?? 0)));
}
