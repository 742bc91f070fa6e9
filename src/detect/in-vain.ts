import { kindOf, type Ref } from '../model/ref.ts';
import type { SignKind } from '../model/sign.ts';
import { refusedSigns, unreachedSigns } from '../model/sign-groups.ts';
import type { PodView } from '../world/kinds/pod.ts';
import { isReady } from '../world/readiness.ts';
import type { ObservedWorld } from '../world/world.ts';

/** What programs say of whom they call in vain. */
const inVain: ReadonlySet<SignKind> = new Set([...unreachedSigns, ...refusedSigns, 'CallFailed']);
/** It may have been said this long (ms) before; what was said earlier is of another failure. */
const leadMs = 10 * 60_000;
/** Objects that a Pod calls, and Pods that call the same, which are looked at. */
const [places, callers] = [16, 64];

/** The Services and addresses outside that the Pods of a workload call. */
export function calledBy(pods: readonly PodView[], world: ObservedWorld): ReadonlySet<Ref> {
  const called = new Set<Ref>();
  for (const { ref } of pods.slice(0, 1))
    for (const to of world.linked(ref, 'depends-on', 'out', places)) if (kindOf(to) !== 'Pod') called.add(to);
  return called;
}

/**
 * Whether the program of another workload fails and says that it calls one of these in vain: who is not ready for want of the same is
 * not so for a moment.
 */
export function isCalledInVain(
  called: ReadonlySet<Ref>,
  { workload, since }: { readonly workload: Ref; readonly since: number },
  world: ObservedWorld,
): boolean {
  for (const to of called)
    for (const pod of world.linked(to, 'depends-on', 'in', callers)) {
      const view = world.get(pod);
      if (typeof view !== 'object' || view.kind !== 'Pod' || isReady(view) || world.topOwner(pod) === workload)
        continue;
      if (world.signs(pod).some(({ kind, to: of, at }) => of === to && inVain.has(kind) && at >= since - leadMs))
        return true;
    }
  return false;
}
