import { releaseFields } from '../../model/change-field.ts';
import type { Ref } from '../../model/ref.ts';
import { leadMs, longestBackOffMs, recentMs } from '../../world/view/bounds.ts';
import type { ObservedWorld } from '../../world/view/world.ts';

/** Whether a Pod has failed since it was made, and that by the newest release of its workload: the version before had what it asked for. */
export function isOfRelease(
  { ref, workload, since }: { readonly ref: Ref; readonly workload: Ref; readonly since: number },
  world: ObservedWorld,
): boolean {
  const pod = world.get(ref);
  if (typeof pod !== 'object' || pod.kind !== 'Pod' || since > pod.createdAt + longestBackOffMs) return false;
  return world
    .changes(workload, pod.createdAt - recentMs)
    .some(({ at, field }) => at <= pod.createdAt + leadMs && releaseFields.has(field));
}
