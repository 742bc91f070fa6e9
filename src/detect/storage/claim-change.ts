import type { ClaimView } from '../../world/kinds/storage/persistent-volume-claim.ts';
import { given } from '../../world/reading/fields.ts';
import type { Condition } from '../../world/reading/meta.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { claimFacts, podsMounting } from '../kit/claim-facts.ts';
import { conditionOf } from '../kit/conditions.ts';
import { type Detector, detector, type Problem } from '../kit/detector.ts';
import { judgesClaims } from './claim.ts';

/** What is final is told once the write that follows it could have come (s). */
const finalSeconds = 15;
/** Drivers try again by themselves (s). */
const retriedSeconds = 60;

/** The first of some conditions that is True. */
function first(claim: ClaimView, types: readonly string[]): Condition | undefined {
  return types.map((type) => conditionOf(claim, type)).find((condition) => condition?.status === 'True');
}

/** A change of a claim that a driver has refused for good, by the facet that says since when. */
function infeasible(claim: ClaimView, facet: string, detail: string, world: ObservedWorld): Problem {
  return {
    ...{ since: world.since(claim.ref, facet), forSeconds: finalSeconds, settle: 'conclusive' },
    ...{ detail, facts: claimFacts(claim) },
  };
}

const resizeErrors = ['ControllerResizeError', 'NodeResizeError'] as const;
/** What resizers write before Kubernetes 1.34 (KEP-1790), where a claim has no condition for it. */
const resizeEvents = ['VolumeResizeFailed', 'FileSystemResizeFailed'] as const;
/** Events are remembered for so long (ms). */
const rememberedMs = 60 * 60_000;

/** Answers of drivers after which trying again is of no use (external-resizer, `IsInfeasibleError`). */
const cannotBeDone = /code = (?:InvalidArgument|OutOfRange|NotFound)\b/;

/** The Event that says that a claim which has not what it asks for cannot be grown, as long as it is remembered: it is repeated at every attempt. */
function failedToGrow({ ref, capacity, requested }: ClaimView, world: ObservedWorld): Problem | false {
  if (capacity === requested) return false;
  const event = world.events(ref).findLast(({ reason }) => resizeEvents.some((each) => each === reason));
  if (event === undefined) return false;
  const isFinal = cannotBeDone.test(event.message);
  return {
    ...{ since: event.firstAt, detail: event.message, lookAgainAt: event.lastAt + rememberedMs },
    ...(isFinal && { forSeconds: finalSeconds, settle: 'conclusive' as const }),
  };
}

const volumeResizeFailed = detector({
  ...judgesClaims,
  id: 'S7',
  reasons: [{ reason: 'VolumeResizeFailed', family: 'storage', sure: 'high' }],
  severity: 'high',
  forSeconds: retriedSeconds,
  source:
    'core/v1 PersistentVolumeClaim conditions ControllerResizeError, NodeResizeError; status.allocatedResourceStatuses (KEP-1790); Events VolumeResizeFailed, FileSystemResizeFailed before',
  predicate: 'growing a volume has failed for 60 s, or for 15 s where its driver says that it cannot be done',
  clears: 'the volume has grown, or less is asked for',
  patience: '60 s: drivers try again by themselves; 15 s where they say that it cannot be done',
  isNot: 'a volume that is being grown',
  judge: (claim, world) => {
    const failed = first(claim, resizeErrors);
    const says = failed?.message || lastFailure(claim, resizeEvents, world);
    const sizes = { ...claimFacts(claim), ...given({ has: claim.capacity }) };
    if (claim.resize?.endsWith('Infeasible'))
      return { ...infeasible(claim, 'resize/infeasible', says, world), facts: sizes };
    if (failed !== undefined) return { since: failed.since, detail: says, facts: sizes };
    const seen = failedToGrow(claim, world);
    return seen && { ...seen, facts: sizes };
  },
});

/** What the newest Event with one of these reasons says. */
function lastFailure({ ref }: ClaimView, reasons: readonly string[], world: ObservedWorld): string {
  return world.events(ref).findLast(({ reason }) => reasons.includes(reason))?.message ?? '';
}

const fileSystemResizePending = detector({
  ...judgesClaims,
  id: 'S8',
  reasons: [{ reason: 'FileSystemResizePending', family: 'storage', sure: 'high' }],
  reads: ['Pod'],
  severity: 'low',
  forSeconds: 30 * 60,
  source:
    'core/v1 PersistentVolumeClaim condition FileSystemResizePending: the kubelet does it when a Pod mounts the volume',
  predicate:
    'the file system of a volume in use has waited for 30 min to be grown: most often for a restart of the Pod',
  clears: 'it has grown, or no Pod mounts it',
  patience: '30 min: most drivers grow a file system in use by themselves',
  isNot: 'a volume that no Pod mounts: it is grown when one does',
  judge: (claim, world) => {
    const waits = first(claim, ['FileSystemResizePending']);
    const [pod] = waits ? podsMounting(claim.ref, world) : [];
    // What no Pod mounts is grown when the next one does.
    if (!waits || !pod) return false;
    return {
      since: waits.since,
      detail: waits.message,
      facts: { ...claimFacts(claim), pod: pod.ref },
      names: [pod.ref],
    };
  },
});

const volumeModifyFailed = detector({
  ...judgesClaims,
  id: 'S9',
  reasons: [{ reason: 'VolumeModifyFailed', family: 'storage', sure: 'high' }],
  severity: 'medium',
  forSeconds: retriedSeconds,
  source:
    'core/v1 PersistentVolumeClaim condition ModifyVolumeError; status.modifyVolumeStatus.status Infeasible (KEP-3751)',
  predicate:
    'changing the attributes of a volume (VolumeAttributesClass) has failed for 60 s, or for 15 s where its driver says that it cannot be done',
  clears: 'it is done, or the former class is back',
  patience: '60 s: drivers try again by themselves; 15 s where they say that it cannot be done',
  isNot: 'a volume that is being changed',
  judge: (claim, world) => {
    const failed = first(claim, ['ModifyVolumeError']);
    const says = failed?.message || lastFailure(claim, ['VolumeModifyFailed'], world);
    const facts = { ...claimFacts(claim), ...given({ attributesClass: claim.modify?.className || undefined }) };
    if (claim.modify?.status === 'Infeasible') return { ...infeasible(claim, 'modify/infeasible', says, world), facts };
    return failed !== undefined && { since: failed.since, detail: says, facts };
  },
});

/** How long what an Event tells of a volume's health is taken to hold (ms): the monitor repeats itself every few minutes. */
const healthMs = 30 * 60_000;

const volumeUnhealthy = detector({
  ...judgesClaims,
  id: 'S14',
  reasons: [{ reason: 'VolumeUnhealthy', family: 'storage', sure: 'likely' }],
  severity: 'high',
  forSeconds: 60,
  source:
    'Events VolumeConditionAbnormal and VolumeConditionNormal of the external health monitor and the kubelet (KEP-1432)',
  predicate: 'a driver has said for 60 s that a volume is not healthy, and has not taken it back',
  clears: 'it says that the volume is healthy, or nothing for 30 min',
  patience: '60 s: the monitor looks again',
  isNot: 'what is taken back, or has not been said for 30 min',
  judge: ({ ref, ...claim }, world, now) => {
    const said = world.events(ref).filter(({ reason }) => reason.startsWith('VolumeCondition'));
    const last = said.at(-1);
    if (last?.reason !== 'VolumeConditionAbnormal' || now >= last.lastAt + healthMs) return false;
    const since = said.slice(said.findLastIndex(({ reason }) => reason === 'VolumeConditionNormal') + 1);
    const [, node] = /on a failed node: ([\w.-]*\w)/.exec(last.message) ?? [];
    return {
      since: Math.min(last.firstAt, ...since.slice(0, 1).map(({ firstAt }) => firstAt)),
      ...{ lookAgainAt: last.lastAt + healthMs, detail: last.message, facts: claimFacts({ ref, ...claim }) },
      names: node === undefined ? [] : [`Node//${node}`],
    };
  },
});

/** Claims whose volumes are being changed, or are said to be ill. */
export const claimChangeDetectors: readonly Detector[] = [
  volumeUnhealthy,
  volumeResizeFailed,
  volumeModifyFailed,
  fileSystemResizePending,
];
