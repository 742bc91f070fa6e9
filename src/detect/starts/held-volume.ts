import { kindOf } from '../../model/ref.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import type { ObservedWorld } from '../../world/view/world.ts';

/** Pods that mount one claim and are looked at for one that keeps it. */
const mounters = 16;

/** Who keeps a volume for as long as it is there: its Pods do not end by themselves. */
const lasting: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet']);

/**
 * Whether another Node's Pod has a volume of this one and is not going: one of the same workload, which rolls over and never lets go of
 * it, or one of another that runs for good.
 */
export function isHeldByLasting(pod: PodView, world: ObservedWorld): boolean {
  return Iterator.from(world.linked(pod.ref, 'mounts', 'out', mounters))
    .flatMap((claim) => world.linked(claim, 'mounts', 'in', mounters))
    .some((ref) => {
      const other = ref === pod.ref ? undefined : world.get(ref);
      return (
        typeof other === 'object' &&
        other.kind === 'Pod' &&
        other.phase === 'Running' &&
        other.deletionAt === undefined &&
        other.node !== pod.node &&
        (world.topOwner(ref) === world.topOwner(pod.ref) || lasting.has(kindOf(world.topOwner(ref))))
      );
    });
}
