import { releaseFields } from '../../model/change-field.ts';
import type { Ref } from '../../model/ref.ts';
import type { ObservedWorld } from '../../world/view/world.ts';

/** A Pod is of a release that was made at most this long before it (ms); what fails later than this after it was made served until then. */
const [releasedMs, servedMs] = [30 * 60_000, 5 * 60_000];
/** The ReplicaSet may be seen before the edit of its Deployment (ms). */
const leadMs = 60_000;

/** Whether a Pod has failed since it was made, and that by the newest release of its workload: the version before had what it asked for. */
export function isOfRelease(
  { ref, workload, since }: { readonly ref: Ref; readonly workload: Ref; readonly since: number },
  world: ObservedWorld,
): boolean {
  const pod = world.get(ref);
  if (typeof pod !== 'object' || pod.kind !== 'Pod' || since > pod.createdAt + servedMs) return false;
  return world
    .changes(workload, pod.createdAt - releasedMs)
    .some(({ at, field }) => at <= pod.createdAt + leadMs && releaseFields.has(field));
}
