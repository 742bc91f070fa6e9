import { kindOf, type Ref } from '../../model/ref.ts';
import type { VolumeView } from '../../world/kinds/storage/persistent-volume.ts';
import { type ClaimView, storageClassRef } from '../../world/kinds/storage/persistent-volume-claim.ts';
import type { StorageClassView } from '../../world/kinds/storage/storage-class.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import { given } from '../../world/reading/fields.ts';
import { once } from '../../world/view/once.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { conditionOf } from './conditions.ts';

/** Pods of one claim that are looked at: a volume that many share fails for all of them alike. */
const maxPods = 16;

/** The Pods that mount a claim and are neither done nor on their way out. */
export function podsMounting(claim: Ref, world: ObservedWorld): PodView[] {
  return [...world.linked(claim, 'mounts', 'in', maxPods)]
    .filter((ref) => kindOf(ref) === 'Pod')
    .sort()
    .map((ref) => world.get(ref))
    .filter((view) => typeof view === 'object')
    .filter((view) => view.kind === 'Pod')
    .filter(({ phase, deletionAt }) => phase !== 'Succeeded' && phase !== 'Failed' && deletionAt === undefined);
}

/** What the scheduler says of a Pod that it cannot place, and since when. */
export function unplacedSince(pod: PodView): { readonly since: number; readonly text: string } | undefined {
  const scheduled = conditionOf(pod, 'PodScheduled');
  if (pod.phase !== 'Pending' || scheduled?.status !== 'False' || scheduled.reason !== 'Unschedulable')
    return undefined;
  return { since: scheduled.since, text: scheduled.message };
}

/** The class of a claim; `absent` where it names one that does not exist, `undefined` where it names none or nobody knows. */
export function classOf({ className }: ClaimView, world: ObservedWorld): StorageClassView | 'absent' | undefined {
  if (!className) return undefined;
  const view = world.get(storageClassRef(className));
  if (view === 'absent') return view;
  return view !== 'unknown' && view.kind === 'StorageClass' ? view : undefined;
}

/** The volume that a claim is bound to, when it is seen. */
export function volumeOf(claim: ClaimView, world: ObservedWorld): VolumeView | undefined {
  const [ref] = world.linked(claim.ref, 'binds', 'out', 1);
  const view = ref === undefined ? 'absent' : world.get(ref);
  return typeof view === 'object' && view.kind === 'PersistentVolume' ? view : undefined;
}

/** What people know a claim by besides its name. */
export function claimFacts(claim: ClaimView): Record<string, string> {
  return { ...given({ storageClass: claim.className || undefined, size: claim.requested, volume: claim.volume }) };
}

/** What there is for claims that name no class. `undefined`: classes are not seen. */
type Storage = { readonly hasDefault: boolean | undefined; readonly hasClasslessVolume: boolean };

const storages = once((world): Storage & { readonly hasDefault: boolean } => {
  const classes = Iterator.from(world.all('StorageClass'));
  const volumes = Iterator.from(world.all('PersistentVolume'));
  return {
    hasDefault: classes.some((view) => view.kind === 'StorageClass' && view.isDefault),
    hasClasslessVolume: volumes.some(
      (view) => view.kind === 'PersistentVolume' && view.className === '' && view.phase === 'Available',
    ),
  };
});

/** What there is for claims that name no class. */
export function storageOf(world: ObservedWorld, now: number): Storage {
  // Where a class that nobody has is not known to be absent, there may be classes that are not seen.
  const isSeen = world.get(storageClassRef('')) === 'absent';
  const storage = storages(world, now);
  return isSeen ? storage : { ...storage, hasDefault: undefined };
}

/** The class that was the default one, as its mark says, or as there is no other. */
export const formerDefault = once((world): readonly Ref[] => {
  const classes = [...world.all('StorageClass')].filter((view) => view.kind === 'StorageClass');
  const unmarked = classes.filter(({ wasDefault }) => wasDefault);
  const [only, ...others] = unmarked.length > 0 ? unmarked : classes;
  return only === undefined || others.length > 0 ? [] : [only.ref];
});
