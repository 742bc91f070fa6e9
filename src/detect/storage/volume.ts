import { describeRef, nameOf } from '../../model/ref.ts';
import { claimOf, type VolumeView } from '../../world/kinds/storage/persistent-volume.ts';
import { given } from '../../world/reading/fields.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { type Detector, detector, type Problem } from '../kit/detector.ts';

const day = 24 * 60 * 60;
const minutes = 60;

/** Since when a volume has been in its phase. */
function phaseSince({ ref, phase, phaseSince: since }: VolumeView, world: ObservedWorld): number {
  return since ?? world.since(ref, `phase/${phase}`);
}

function volumeFacts(volume: VolumeView): Record<string, string> {
  const claim = claimOf(volume);
  return {
    phase: volume.phase,
    ...given({
      storageClass: volume.className || undefined,
      size: volume.capacity,
      claim: claim && describeRef(claim),
    }),
  };
}

/** What the newest Event of a failed deletion or recycling says. */
function deletionFailure(volume: VolumeView, world: ObservedWorld) {
  return world
    .events(volume.ref)
    .filter(({ reason }) => reason === 'VolumeFailedDelete' || reason === 'VolumeFailedRecycle');
}

function failed(volume: VolumeView, world: ObservedWorld): Problem | false {
  const { phase, message = '', reclaimPolicy } = volume;
  const said = deletionFailure(volume, world);
  const detail = message || (said.at(-1)?.message ?? '');
  const facts = volumeFacts(volume);
  if (phase === 'Failed') return { since: phaseSince(volume, world), forSeconds: minutes, detail, facts };
  if (phase === 'Pending') return { since: phaseSince(volume, world), detail, facts };
  const [first] = said;
  // Drivers outside Kubernetes leave the phase as it is.
  return phase === 'Released' && reclaimPolicy === 'Delete' && first !== undefined
    ? { since: first.firstAt, detail, facts }
    : false;
}

const volumeFailed = detector({
  judges: 'PersistentVolume',
  id: 'S3',
  reasons: [{ reason: 'PVFailed', family: 'storage', sure: 'likely' }],
  severity: 'high',
  // A volume that is still attached somewhere is let go of within minutes.
  forSeconds: 5 * minutes,
  source:
    'core/v1 PersistentVolume.status.phase Failed, Pending; Events VolumeFailedDelete, VolumeFailedRecycle on a released one',
  predicate:
    'a volume has been in phase Failed for 60 s, or in phase Pending, or released and impossible to delete, for 5 min',
  clears: 'it is in another phase, or gone',
  symptom: 'storage',
  patience: '60 s in phase Failed; 5 min where a volume may still be attached somewhere',
  isNot: 'a volume that is being deleted',
  judge: failed,
});

const volumeReleased = detector({
  judges: 'PersistentVolume',
  id: 'S4',
  reasons: [{ reason: 'PVReleased', family: 'storage', sure: 'high' }],
  severity: 'low',
  forSeconds: 7 * day,
  source: 'core/v1 PersistentVolume.status.phase Released, spec.persistentVolumeReclaimPolicy Retain',
  predicate: 'a volume that is kept has belonged to no claim for 7 days: it costs, and nobody uses it',
  clears: 'it is used again or deleted',
  symptom: 'storage',
  patience: '7 days: somebody kept it on purpose',
  isNot: 'a volume that has not been used yet; one that is deleted with its claim',
  judge: (volume, world) =>
    volume.phase === 'Released' &&
    volume.reclaimPolicy === 'Retain' && { since: phaseSince(volume, world), facts: volumeFacts(volume) },
});

const volumeStuckTerminating = detector({
  judges: 'PersistentVolume',
  id: 'S17',
  reasons: [{ reason: 'PVStuckTerminating', family: 'consequence', sure: 'unknown' }],
  reads: ['PersistentVolumeClaim'],
  severity: 'low',
  forSeconds: 60 * minutes,
  exemptions: [],
  source:
    'core/v1 ObjectMeta.deletionTimestamp and finalizers; kubernetes.io/pv-protection stays while a claim is bound to it',
  predicate: 'a volume has been on its way out for an hour',
  clears: 'it is gone',
  symptom: 'deletion',
  patience: '1 h: it goes when the last Pod that mounts it goes',
  isNot: 'one that goes with its Pod or claim',
  judge: (volume, world) => {
    if (volume.deletionAt === undefined) return false;
    const claim = volume.phase === 'Bound' ? claimOf(volume) : undefined;
    const holder = claim !== undefined && typeof world.get(claim) === 'object' ? [claim] : [];
    const facts = { ...volumeFacts(volume), finalizers: (volume.finalizers ?? []).join(', ') };
    return { since: volume.deletionAt, facts, names: holder };
  },
});

/** How often it is looked whether another class is the default as well (ms): classes do not know of each other. */
const classesEveryMs = 10 * minutes * 1000;

const manyDefaults = detector({
  judges: 'StorageClass',
  id: 'S12',
  reasons: [{ reason: 'ManyDefaultStorageClasses', family: 'storage', sure: 'high' }],
  severity: 'low',
  forSeconds: day,
  source: 'storage.k8s.io/v1 StorageClass annotation storageclass.kubernetes.io/is-default-class; the newest is taken',
  predicate: 'several classes have been the default for a day: claims without a class get the newest of them',
  clears: 'one class is the default',
  symptom: 'storage',
  patience: 'a day: classes are exchanged one after the other',
  isNot: 'one class that is the default',
  judge: (own, world, now) => {
    if (!own.isDefault) return false;
    const defaults = [...world.all('StorageClass')].filter((view) => view.kind === 'StorageClass' && view.isDefault);
    const newest = defaults.toSorted((a, b) => b.createdAt - a.createdAt || (a.ref < b.ref ? -1 : 1))[0];
    const lookAgainAt = now + classesEveryMs;
    if (defaults.length < 2 || newest?.ref !== own.ref) return { lookAgainAt };
    const others = defaults.filter(({ ref }) => ref !== own.ref).map(({ ref }) => nameOf(ref));
    return { since: 'observed', lookAgainAt, facts: { others: others.sort().join(', '), defaults: defaults.length } };
  },
});

const snapshotFailed = detector({
  judges: 'VolumeSnapshot',
  id: 'S16',
  reasons: [{ reason: 'SnapshotFailed', family: 'storage', sure: 'likely' }],
  edition: 'Pro',
  severity: 'medium',
  forSeconds: 30 * minutes,
  source: 'snapshot.storage.k8s.io/v1 VolumeSnapshot.status.error, readyToUse',
  predicate: 'taking a snapshot has failed for 75 s, or it is not ready after 30',
  clears: 'it is ready to use',
  symptom: 'storage',
  patience: '75 s after an error, 30 min without: copies of large volumes take time',
  isNot: 'a snapshot taken at a later try',
  judge: ({ ref, ready, error, claim, className, createdAt }, world) => {
    if (ready) return false;
    const facts = given({ claim, snapshotClass: className });
    if (!error) return { since: createdAt, facts };
    return { since: world.since(ref, 'error'), forSeconds: 75, detail: error.message, facts };
  },
});

/** Volumes, their classes and their snapshots; what tells most first. */
export const volumeDetectors: readonly Detector[] = [
  volumeFailed,
  snapshotFailed,
  manyDefaults,
  volumeReleased,
  volumeStuckTerminating,
];
