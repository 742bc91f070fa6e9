import type { Explanation } from '../model/explanation.ts';
import type { Incident } from '../model/incident.ts';
import { earliest, latest } from '../model/instants.ts';
import type { Reason } from '../model/reason.ts';
import { picksAll, selectorMatches } from '../model/selector.ts';
import type { Settings } from '../model/settings.ts';
import type { Bursts } from './bursts.ts';
import { recurringHoldMs } from './recurrence.ts';

const second = 1000;
const minute = 60 * second;

/** Settle times (`50-incidents`): what cannot be a transient, what may be one, what must wake someone, and an outage that may pass. */
const settleMs = {
  conclusive: 15 * second,
  otherwise: 75 * second,
  critical: 10 * second,
  criticalInBurst: 30 * second,
  /** What others use, or a lost Node had the last of, has gone: the control plane says what took it within this time. */
  outage: 40 * second,
};
/** A failure within this time of being seen again counts as having begun within the cooldown that ended meanwhile. */
export const longestSettleMs = settleMs.otherwise;
/** Recoveries further back than this do not lengthen the hold of what does not keep coming back. */
const flapWindowMs = 30 * minute;
const longestHoldMs = 30 * minute;
/** Resolved incidents are kept this long, for reopening, for "third time this week", for ids of tasks and for owed ends. */
export const retentionMs = 7 * 24 * 60 * minute;
/** Impact may be told to have grown at most this often. */
export const impactIntervalMs = 10 * minute;

/**
 * What settling goes by. `seenAt`: when the problem was first seen (epoch milliseconds); what a clock ahead of ours dates in the
 * future began then, so that it is not told late.
 */
export type Settling = {
  readonly explanation: Explanation;
  readonly seenAt: number;
  /** It does not settle before this instant. */
  readonly settlesFrom?: number | undefined;
  readonly now: number;
  readonly settings: Settings;
  readonly bursts: Pick<Bursts, 'includes'>;
};

const nodeLost: ReadonlySet<Reason> = new Set<Reason>(['NodeNotReady', 'NodeUnreachable']);

/** Whether a Node is lost with all that was ready of a workload: the control plane has waited for it already. */
function hadTheLast({ reason, impact = [] }: Explanation): boolean {
  return nodeLost.has(reason) && impact.some(({ ready }) => ready === 0);
}

/**
 * When an explanation may be told (epoch milliseconds): its settle time counts from the start of the finding that is due
 * first, by the objects' own times, so that a detector's waiting counts too. An override wins, and delays nobody but whom it picks; a
 * burst waits longer, and so does what a cause is likely to be found of yet.
 */
export function settledAt({ explanation, seenAt, settlesFrom, now, settings, bursts }: Settling): number {
  const { severity, members, awaits = 0 } = explanation;
  const override = settings.detection.overrides.find(({ selector }) => selectorMatches(selector, explanation));
  const burst = bursts.includes(explanation);
  const wait = (conclusive: boolean): number => {
    const isCritical = severity === 'critical';
    if (burst) return isCritical ? settleMs.criticalInBurst : settleMs.otherwise;
    if (conclusive) return isCritical ? settleMs.critical : settleMs.conclusive;
    return isCritical || hadTheLast(explanation) ? settleMs.outage : settleMs.otherwise;
  };
  const begins = (since: number): number => Math.max(since > now ? seenAt : since, settlesFrom ?? 0);
  const settled = earliest(members.map(({ since, conclusive }) => begins(since) + wait(conclusive)));
  const usual = Math.max(settled, awaits);
  if (override?.settleSeconds === undefined) return usual;
  const asked = earliest(members.map(({ since }) => begins(since))) + override.settleSeconds * second;
  return picksAll(override.selector, explanation) ? asked : Math.min(asked, usual);
}

/** What is seen first is told this long after at the soonest (ms), while a log is read that may say that it is part of another. */
export const readingMs = 5 * second;

/** However often it changes what is seen, and whoever does not answer: nobody waits for logs for longer (ms). */
export const longestReadingMs = 60 * second;

/**
 * When a recovering incident counts as resolved: everything has been clear for the hold, which doubles with each flap, or
 * for as long as one of its findings asks for. What keeps coming back has to stay healthy for longer than it usually does.
 */
export function heldAt(incident: Incident, settings: Settings, now: number): number {
  const flaps = Math.max(0, incident.recoveries.filter((at) => at > now - flapWindowMs).length - 1);
  const hold = Math.min(longestHoldMs, settings.incidents.holdSeconds * second * 2 ** flaps);
  const asked = latest(incident.explanation.members.map(({ clearHoldMs }) => clearHoldMs ?? 0));
  const usual = incident.recurring ? recurringHoldMs(incident) : 0;
  return (incident.clearSince ?? now) + Math.max(hold, asked, usual);
}
