import type { Ref } from '../../model/ref.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import { isReady } from '../../world/pods/readiness.ts';
import type { LinkType } from '../../world/reading/link-type.ts';
import type { Change, ObservedWorld } from '../../world/view/world.ts';

const minute = 60_000;
/** Edits that took something are remembered for so long (ms). */
export const editMs = 24 * 60 * minute;
/** Whether Pods still need it is looked at so often (ms). */
export const lookAgainMs = minute;
/** Pods that use one object, of which those are looked for that need what it has lost. */
const maxPods = 500;

/** A part of an object that an edit took, and which Pods linked to it need that part. */
export type LostPart = {
  readonly of: Ref;
  readonly by: LinkType;
  readonly edit: Change;
  readonly needs: (pod: PodView) => boolean;
};

/** The workloads with Pods that serve and need what was taken; none where one that came with the edit tells of it already. */
export function servingWithout({ of, by, edit, needs }: LostPart, world: ObservedWorld): readonly Ref[] {
  const found = new Set<Ref>();
  for (const ref of world.linked(of, by, 'in', maxPods)) {
    const pod = world.get(ref);
    if (typeof pod !== 'object' || pod.kind !== 'Pod' || pod.deletionAt !== undefined || !needs(pod)) continue;
    if (isReady(pod)) found.add(world.topOwner(ref));
    else if (pod.createdAt >= edit.at && pod.createdAt <= edit.at + minute) return [];
  }
  return [...found].sort();
}
