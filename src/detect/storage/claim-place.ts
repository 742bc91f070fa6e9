import { nameOf, type Ref, refOf } from '../../model/ref.ts';
import type { VolumeView } from '../../world/kinds/storage/persistent-volume.ts';
import type { ClaimView } from '../../world/kinds/storage/persistent-volume-claim.ts';
import type { VolumeAttachmentView } from '../../world/kinds/storage/volume-attachment.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import { given } from '../../world/reading/fields.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { claimFacts, podsMounting, unplacedSince, volumeOf } from '../kit/claim-facts.ts';
import { conditionOf } from '../kit/conditions.ts';
import { type Detector, detector, type Judgement, type LookAgain, type Problem } from '../kit/detector.ts';
import { driverAgents } from '../kit/driver-agent.ts';
import { isLeaving, nodeNamed } from '../kit/exemptions.ts';
import { youngUntil } from '../kit/fleet.ts';
import { lastTold } from '../kit/told.ts';
import { patienceWith } from '../placement/room.ts';
import { judgesClaims } from './claim.ts';
import { lostPlace, nodesFor, placesOf } from './places.ts';

/** Attachments of one volume that are looked at; most can have one. */
const maxAttachments = 16;

/** A volume is attached where its driver and its cloud do so by themselves within this (s). */
const attachSeconds = 60;
/** Clouds take minutes to let go of a volume; a Node that is gone keeps it for six (s). */
const detachSeconds = 120;
const leavingSeconds = 10 * 60;

function attachmentsOf(volume: VolumeView, world: ObservedWorld): VolumeAttachmentView[] {
  return [...world.linked(volume.ref, 'attaches', 'in', maxAttachments)]
    .map((ref) => world.get(ref))
    .filter((view) => typeof view === 'object')
    .filter((view) => view.kind === 'VolumeAttachment');
}

function attachFailure(claim: ClaimView, attachment: VolumeAttachmentView, world: ObservedWorld): Problem | false {
  const { ref, attachError, attached, deletionAt, driver, node } = attachment;
  if (attachError === undefined || attached || deletionAt !== undefined) return false;
  return {
    ...{ scope: node, since: world.since(ref, 'attach-error'), detail: attachError.message },
    facts: { ...claimFacts(claim), node, driver },
    names: [refOf('Node', '', node), refOf('CSIDriver', '', driver)],
  };
}

const failedAttachVolume = detector({
  ...judgesClaims,
  id: 'S10',
  reasons: [{ reason: 'VolumeAttachFailed', family: 'storage', sure: 'likely' }],
  reads: ['PersistentVolume', 'VolumeAttachment'],
  severity: 'high',
  forSeconds: attachSeconds,
  exemptions: ['terminating', 'unseen', 'unseenOnNodes'],
  source: 'storage.k8s.io/v1 VolumeAttachment.status.attachError',
  predicate: 'attaching a volume to a Node has failed for 60 s',
  clears: 'it is attached, or nobody wants it there any more',
  patience: '60 s: drivers try again, and a volume may still be on its way from another Node',
  isNot: 'a volume attached at a later try; one that nobody wants there any more',
  judge: (claim, world) => {
    const volume = volumeOf(claim, world);
    return volume ? attachmentsOf(volume, world).flatMap((each) => attachFailure(claim, each, world) || []) : false;
  },
});

function detachFailure(claim: ClaimView, attachment: VolumeAttachmentView, world: ObservedWorld): Problem | false {
  const { ref, detachError, deletionAt, driver, node } = attachment;
  if (deletionAt === undefined) return false;
  const failed = detachError && { since: world.since(ref, 'detach-error'), forSeconds: detachSeconds };
  return {
    ...{ scope: node, ...(failed ?? { since: deletionAt, forSeconds: leavingSeconds }) },
    ...{ detail: detachError?.message ?? '', facts: { ...claimFacts(claim), node, driver } },
    names: [refOf('Node', '', node), refOf('CSIDriver', '', driver)],
  };
}

const volumeDetachFailed = detector({
  ...judgesClaims,
  id: 'S11',
  reasons: [{ reason: 'VolumeDetachFailed', family: 'storage', sure: 'likely' }],
  reads: ['PersistentVolume', 'VolumeAttachment'],
  severity: 'medium',
  forSeconds: detachSeconds,
  exemptions: ['terminating', 'unseen', 'unseenOnNodes'],
  source: 'storage.k8s.io/v1 VolumeAttachment.status.detachError, metadata.deletionTimestamp',
  predicate: 'detaching a volume from a Node has failed for 2 min, or has taken 10',
  clears: 'it is detached',
  patience: '2 min after an error, 10 without: a Node that is gone keeps a volume for 6',
  isNot: 'a volume that is let go of within minutes',
  judge: (claim, world) => {
    const volume = volumeOf(claim, world);
    return volume ? attachmentsOf(volume, world).flatMap((each) => detachFailure(claim, each, world) || []) : false;
  },
});

/** A Pod that has a Node and of which nothing runs yet; since when it has it. */
function startingSince(pod: PodView): number | undefined {
  const scheduled = conditionOf(pod, 'PodScheduled');
  if (pod.phase !== 'Pending' || pod.node === undefined || scheduled?.status !== 'True') return undefined;
  return pod.containers.some(({ running, terminated }) => running ?? terminated) ? undefined : scheduled.since;
}

/** Drivers register within a minute or two of the start of their Node and of their own rollout (s). */
const registrationSeconds = 120;

/** What a driver answers, that a volume is attached elsewhere, or that another volume has no Secret or ConfigMap to be filled from. */
const otherwise =
  /rpc error: code = (?!Unavailable)|Multi-Attach error|\b(?:secret|configmap) "[^"]{1,253}" not found|references non-existent/;

/**
 * Whether something else was told of the volumes of a Pod: a driver that answers is registered, whatever it answers, and what is attached
 * elsewhere was not asked for yet.
 */
function isHeldOtherwise(pod: PodView, world: ObservedWorld, now: number): boolean {
  const told = lastTold(pod.ref, { reasons: ['FailedMount', 'FailedAttachVolume'] }, world, now);
  return told !== undefined && otherwise.test(told.message);
}

/** The driver of a claim's volume has not registered with the kubelet that is to mount it. */
function unregistered(claim: ClaimView, driver: string, pod: PodView, world: ObservedWorld, now: number) {
  const since = startingSince(pod);
  const node = nodeNamed(world, pod.node);
  if (since === undefined || node === undefined || node === 'absent' || isLeaving(node)) return undefined;
  const own = world.get(refOf('CSINode', '', nameOf(node.ref)));
  if (own === 'unknown' || (own !== 'absent' && own.kind !== 'CSINode')) return undefined;
  if (own !== 'absent' && own.drivers.some(({ name }) => name === driver)) return undefined;
  const young = youngUntil(node);
  if (young > now) return { lookAgainAt: young };
  if (isHeldOtherwise(pod, world, now)) return undefined;
  const facts = { ...claimFacts(claim), node: nameOf(node.ref), driver };
  return { scope: nameOf(node.ref), since, facts, names: [node.ref, ...driverAgents(driver, node.ref, world)] };
}

const csiDriverMissingOnNode = detector({
  ...judgesClaims,
  id: 'S13',
  reasons: [{ reason: 'CSIDriverMissingOnNode', family: 'storage', sure: 'high' }],
  reads: ['Pod', 'PersistentVolume', 'CSINode', 'Node'],
  severity: 'high',
  forSeconds: registrationSeconds,
  exemptions: ['terminating', 'unseen', 'unseenOnNodes'],
  source:
    'storage.k8s.io/v1 CSINode.spec.drivers; kubelet: driver name … not found in the list of registered CSI drivers',
  predicate:
    'a Pod has been on a Node for 2 min without starting, and the driver of its volume is not registered there; not on a Node younger than 10 min or on its way out',
  clears: 'the driver is registered, or the Pod is elsewhere',
  patience: '2 min: drivers register again after their own rollout',
  isNot:
    'a Node in its first 10 minutes, or on its way out; drivers that may not be seen; a volume of which the driver itself says why it cannot be mounted, or that another Node has',
  judge: (claim, world, now): Judgement => {
    const driver = volumeOf(claim, world)?.driver;
    if (driver === undefined) return false;
    const byNode = new Map<string, Problem | LookAgain>();
    for (const pod of podsMounting(claim.ref, world)) {
      const found = byNode.has(pod.node ?? '') ? undefined : unregistered(claim, driver, pod, world, now);
      if (found) byNode.set(pod.node ?? '', found);
    }
    return [...byNode.values()];
  },
});

/** What the scheduler says, in this version and in older ones, when volumes hold a Pod to Nodes that it cannot have. */
const heldElsewhere =
  /had volume node affinity conflict|didn't match PersistentVolume's node affinity|had no available volume zone/;

/** Whether this claim holds the Pod more than its others do: the one whose volume the fewest Nodes can use. */
function holdsMost(claim: ClaimView, pod: PodView, world: ObservedWorld, now: number): boolean {
  const held = [...world.linked(pod.ref, 'mounts', 'out', maxAttachments)].flatMap((ref): [Ref, number][] => {
    const other = world.get(ref);
    const volume =
      typeof other === 'object' && other.kind === 'PersistentVolumeClaim' ? volumeOf(other, world) : undefined;
    return volume && volume.nodeTerms.length > 0 ? [[ref, nodesFor(volume, world, now)]] : [];
  });
  const [most] = held.sort(([a, few], [b, many]) => few - many || (a < b ? -1 : 1));
  return most?.[0] === claim.ref;
}

const volumeNodeAffinityConflict = detector({
  ...judgesClaims,
  id: 'S18',
  reasons: [{ reason: 'VolumeNodeAffinityConflict', family: 'storage', sure: 'high' }],
  reads: ['Pod', 'PersistentVolume', 'Node'],
  severity: 'high',
  exemptions: ['terminating', 'unseen'],
  source:
    'core/v1 Pod condition PodScheduled, message of the scheduler (volumebinding/binder.go); PersistentVolume.spec.nodeAffinity',
  predicate:
    'a Pod cannot be scheduled because its volume can only be used on certain Nodes: for 30 s where there are none of these (conclusive), else as long as P15 waits',
  clears: 'the Pod is scheduled',
  patience: '30 s where no Node can use the volume; else as long as for a Pod that fits nowhere: Nodes may be added',
  isNot: 'a Pod that finds no room where its volumes could be used anywhere',
  judge: (claim, world, now) => {
    const volume = volumeOf(claim, world);
    if (!volume || volume.nodeTerms.length === 0) return false;
    for (const pod of podsMounting(claim.ref, world)) {
      const waits = unplacedSince(pod);
      if (!waits || !heldElsewhere.test(waits.text) || !holdsMost(claim, pod, world, now)) continue;
      const nodes = nodesFor(volume, world, now);
      const lost = lostPlace(volume, world);
      const patience = patienceWith(pod, waits.since, waits.text, world, now);
      const hopeless = nodes === 0 && patience.forSeconds !== undefined && patience.forSeconds < 300;
      return {
        since: waits.since,
        ...(hopeless ? { forSeconds: 30, settle: 'conclusive' as const } : patience),
        detail: waits.text,
        facts: {
          ...claimFacts(claim),
          pod: nameOf(pod.ref),
          ...given({ places: placesOf(volume), nodes: Number.isFinite(nodes) ? nodes : undefined }),
        },
        names: [pod.ref, ...(lost ? [lost] : [])],
      };
    }
    return false;
  },
});

/** Claims whose volumes are not where their Pods are to run. */
export const claimPlaceDetectors: readonly Detector[] = [
  csiDriverMissingOnNode,
  volumeNodeAffinityConflict,
  failedAttachVolume,
  volumeDetachFailed,
];
