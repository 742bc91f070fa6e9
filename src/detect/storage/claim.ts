import type { Reason } from '../../model/reason.ts';
import { type ClaimView, storageClassRef } from '../../world/kinds/storage/persistent-volume-claim.ts';
import { noProvisioner } from '../../world/kinds/storage/storage-class.ts';
import { given } from '../../world/reading/fields.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { claimFacts, classOf, formerDefault, podsMounting, storageOf, unplacedSince } from '../kit/claim-facts.ts';
import { type Detector, detector, type Problem } from '../kit/detector.ts';
import { provisionersOf } from './provisioner.ts';

/** Claims. */
export const judgesClaims = { judges: 'PersistentVolumeClaim', symptom: 'storage' } as const;

/** A class, or a volume that a claim asks for by name, may be made just after the claim (s). */
const missingSeconds = 15;
/** A provisioner that fails tries again: what passes by itself passes within this (s). */
const failingSeconds = 60;
/** Large file systems take minutes to be made while nobody says anything (s). */
const silentSeconds = 180;
/** The same where a Pod waits for it: as long as for a Pod that fits nowhere and may yet (`room.ts`). */
const neededSeconds = 90;
/** Volumes looked at for one of a class that has no object: that is how volumes made by hand are told apart. */
const maxVolumes = 64;

/** What a driver says that no repetition will change (gRPC status codes of the CSI specification). */
const finalError = /code = (?:InvalidArgument|PermissionDenied|Unauthenticated|Unimplemented|OutOfRange|NotFound)\b/;

/** Whether there are volumes of a class that no provisioner has made: then people make them by hand, and the class needs no object. */
function hasVolumes(className: string, world: ObservedWorld): boolean {
  return Iterator.from(world.linked(storageClassRef(className), 'of-class', 'in', maxVolumes)).some((ref) => {
    const view = world.get(ref);
    return typeof view === 'object' && view.kind === 'PersistentVolume' && view.isProvisioned !== true;
  });
}

/** A class that does not exist, for a claim that only it could serve. */
const classMissing = detector({
  ...judgesClaims,
  id: 'S12',
  reasons: [
    { reason: 'StorageClassMissing', family: 'storage', sure: 'high' },
    { reason: 'NoDefaultStorageClass', family: 'storage', sure: 'high' },
  ],
  reads: ['StorageClass', 'PersistentVolume'],
  severity: 'high',
  forSeconds: missingSeconds,
  settle: 'conclusive',
  exemptions: ['terminating', 'unseen'],
  source: 'core/v1 PersistentVolumeClaim spec.storageClassName; storage.k8s.io/v1 StorageClass, is-default-class',
  predicate:
    'a pending claim names a class that does not exist and that no volume is of, or names none while no class is the default, for 15 s',
  clears: 'the claim is bound, or its class is there',
  patience: '15 s: a class may be made just after the claim',
  isNot: 'a class that people make volumes of by hand; a claim that wants no class; classes that may not be seen',
  judge: (claim, world, now) => {
    const reason = claim.phase === 'Pending' ? lacking(claim, world, now) : undefined;
    if (reason === undefined) return false;
    const names = claim.className ? [storageClassRef(claim.className)] : formerDefault(world, now);
    return { reason, since: claim.createdAt, facts: claimFacts(claim), names };
  },
});

/** Which class is missing for a claim, if that is what it lacks. */
function lacking(
  { className, ...claim }: ClaimView,
  world: ObservedWorld,
  now: number,
): 'StorageClassMissing' | 'NoDefaultStorageClass' | undefined {
  if (claim.volume !== undefined || className === '') return undefined;
  if (className !== undefined)
    return world.get(storageClassRef(className)) === 'absent' && !hasVolumes(className, world)
      ? 'StorageClassMissing'
      : undefined;
  const { hasDefault, hasClasslessVolume } = storageOf(world, now);
  return hasDefault === false && !hasClasslessVolume ? 'NoDefaultStorageClass' : undefined;
}

/** What the volume controllers and provisioners say of a claim that gets no volume. */
const failures: ReadonlySet<string> = new Set(['ProvisioningFailed', 'FailedBinding', 'VolumeMismatch']);

/** What has been said of a claim that is pending, from the first to the newest. */
function pending(claim: ClaimView, world: ObservedWorld): Problem | false {
  const facts = claimFacts(claim);
  const said = world.events(claim.ref).filter(({ reason }) => failures.has(reason));
  const newest = said.findLast(({ isWarning }) => isWarning) ?? said.at(-1);
  const hasFailed = said.some(({ reason }) => reason === 'ProvisioningFailed');
  const reason: Reason = hasFailed ? 'ProvisioningFailed' : 'PVCPending';
  const ofClass = classOf(claim, world);
  const provisioner = typeof ofClass === 'object' ? ofClass.provisioner : undefined;
  const makers = provisionersOf(provisioner, world);
  const names = hasFailed && claim.className ? [storageClassRef(claim.className), ...makers] : makers;
  const problem = { reason, facts, names, detail: newest?.message ?? '' };
  const first = said.find(({ isWarning }) => isWarning);
  if (!first) {
    const since = waitingSince(claim, world);
    return since !== undefined && { ...problem, since, forSeconds: silenceSeconds(since, claim, world) };
  }
  const isFinal = finalError.test(newest?.message ?? '');
  const patience = isFinal
    ? ({ forSeconds: missingSeconds, settle: 'conclusive' } as const)
    : { forSeconds: failingSeconds };
  return { ...problem, since: first.firstAt, ...patience };
}

/** How patient to be while nobody says anything: less where a Pod waits, which is told of after as long. */
function silenceSeconds(since: number, claim: ClaimView, world: ObservedWorld): number {
  const waits = podsMounting(claim.ref, world).flatMap((pod) => unplacedSince(pod)?.since ?? []);
  const until = waits.map((from) => (from - since) / 1000 + neededSeconds);
  return until.reduce((least, seconds) => Math.min(least, seconds), silentSeconds);
}

/** Since when a claim has been waiting for a volume that somebody ought to give it. */
function waitingSince(claim: ClaimView, world: ObservedWorld): number | undefined {
  const ofClass = classOf(claim, world);
  // Whether it waits for a Pod is not known where its class is not seen.
  if (claim.className && ofClass === undefined) return undefined;
  if (ofClass === undefined || ofClass === 'absent' || !ofClass.waitsForPod) return claim.createdAt;
  const waits = podsMounting(claim.ref, world).flatMap((pod) => unplacedSince(pod) ?? []);
  // Without a Node for its Pod a claim of such a class waits rightly; the Pod's own trouble is told of the Pod.
  const isTurn = ({ text }: { text: string }): boolean =>
    claim.selectedNode !== undefined ||
    ofClass.provisioner === noProvisioner ||
    text.includes("didn't find available persistent volumes to bind");
  return waits
    .filter(isTurn)
    .reduce<number | undefined>((first, { since }) => Math.min(first ?? since, since), undefined);
}

const claimPending = detector({
  ...judgesClaims,
  id: 'S1',
  reasons: [
    { reason: 'ProvisioningFailed', family: 'storage', sure: 'likely' },
    { reason: 'PVCPending', family: 'storage', sure: 'unknown' },
  ],
  reads: ['StorageClass', 'PersistentVolume', 'Pod'],
  severity: 'high',
  forSeconds: silentSeconds,
  exemptions: ['terminating', 'unseen'],
  source:
    'core/v1 PersistentVolumeClaim.status.phase Pending; Events ProvisioningFailed, FailedBinding, VolumeMismatch (pv_controller.go)',
  predicate:
    'a claim gets no volume for 3 min, for 90 s while a Pod waits for it, for 60 s after its provisioner first failed, or for 15 s after it said what no repetition changes; one of a class that waits for its first Pod counts from when such a Pod waits for it',
  clears: 'it is bound',
  patience:
    '60 s after a failure, which most drivers get over; 3 min where nobody says anything, 90 s where a Pod waits; 15 s where repeating cannot help',
  isNot: 'a claim that waits for its first Pod, or for the Node of that Pod; one whose class is not seen',
  judge: (claim, world, now) =>
    // What S12 says of it says it all.
    claim.phase === 'Pending' && lacking(claim, world, now) === undefined && pending(claim, world),
});

const claimLost = detector({
  ...judgesClaims,
  id: 'S2',
  reasons: [{ reason: 'PVCLost', family: 'storage', sure: 'high' }],
  severity: 'critical',
  settle: 'conclusive',
  source: 'core/v1 PersistentVolumeClaim.status.phase Lost: its volume is gone, and what was on it',
  predicate: 'the volume of a bound claim does not exist any more',
  clears: 'it is bound again',
  patience: 'none: a volume does not come back',
  isNot: 'a claim that is being deleted',
  judge: (claim, world) =>
    claim.phase === 'Lost' && { since: world.since(claim.ref, 'lost'), facts: claimFacts(claim) },
});

const hour = 60 * 60;

const claimStuckTerminating = detector({
  ...judgesClaims,
  id: 'S17',
  reasons: [{ reason: 'PVCStuckTerminating', family: 'consequence', sure: 'unknown' }],
  reads: ['Pod'],
  severity: 'low',
  forSeconds: hour,
  exemptions: [],
  source:
    'core/v1 ObjectMeta.deletionTimestamp and finalizers; kubernetes.io/pvc-protection stays while a Pod mounts it',
  predicate: 'a claim has been on its way out for an hour',
  clears: 'it is gone',
  symptom: 'deletion',
  patience: '1 h: it goes when the last Pod that mounts it goes',
  isNot: 'one that goes with its Pod or claim',
  judge: (claim, world) => {
    if (claim.deletionAt === undefined) return false;
    const [pod] = podsMounting(claim.ref, world);
    return {
      since: claim.deletionAt,
      facts: { ...claimFacts(claim), finalizers: (claim.finalizers ?? []).join(', '), ...given({ pod: pod?.ref }) },
      names: pod ? [pod.ref] : [],
    };
  },
});

/** Claims that get no volume or lose it; what tells most first. */
export const claimDetectors: readonly Detector[] = [claimLost, classMissing, claimPending, claimStuckTerminating];
