import type { Explanation } from '../model/explanation.ts';
import type { Incident } from '../model/incident.ts';
import { selectorMatches } from '../model/selector.ts';
import type { Settings } from '../model/settings.ts';

const second = 1000;
const minute = 60 * second;

/** Settle times (`50-incidents`): what cannot be a transient, what may be one, what must wake someone. */
const settleMs = {
  conclusive: 15 * second,
  otherwise: 75 * second,
  critical: 10 * second,
  criticalInBurst: 30 * second,
};
/** Recoveries further back do not count as flapping, and this many within it do. */
export const flapWindowMs = 30 * minute;
/** This many recoveries in the window is flapping. */
export const flapCount = 3;
const longestHoldMs = 30 * minute;
/** Resolved incidents are kept this long, for reopening, for "third time this week" and for ids of tasks. */
export const retentionMs = 7 * 24 * 60 * minute;
/** Impact may be told to have grown at most this often. */
export const impactIntervalMs = 10 * minute;
/** What starts within this time of each other can be one burst. */
const burstWindowMs = settleMs.otherwise;
const usualWindowMs = 60 * minute;

/** A problem that was first seen lately, for telling a burst from the usual. */
export type Arrival = { readonly at: number; readonly explanation: Explanation };

function nodesOf({ root, affected }: Explanation): Set<string> {
  return new Set([root, ...affected].flatMap(({ node }) => node ?? []));
}

/** They share a message class or a link: the same reason, or Pods on the same Node. */
function related(a: Explanation, b: Explanation): boolean {
  if (a.reason === b.reason) return true;
  const nodes = nodesOf(a);
  return [...nodesOf(b)].some((node) => nodes.has(node));
}

/** More than 3 times the usual rate of the hour, at least 3, related: then waiting lets a common cause show. */
function inBurst(explanation: Explanation, arrivals: readonly Arrival[], now: number): boolean {
  const recent = arrivals.filter(({ at }) => at > now - burstWindowMs);
  if (recent.length < 3) return false;
  const usual = ((arrivals.length - recent.length) * burstWindowMs) / (usualWindowMs - burstWindowMs);
  return recent.length > 3 * usual && recent.filter((one) => related(one.explanation, explanation)).length >= 3;
}

/** Arrivals older than the hour that the usual rate is taken from are of no use. */
export function recentArrivals(arrivals: readonly Arrival[], now: number): Arrival[] {
  return arrivals.filter(({ at }) => at > now - usualWindowMs);
}

/**
 * When an explanation may be told (epoch milliseconds): its settle time counts from the start of the finding that is due
 * first, by the objects' own times, so that a detector's waiting counts too. An override wins; a burst waits longer.
 */
export function settledAt(
  explanation: Explanation,
  settings: Settings,
  arrivals: readonly Arrival[],
  now: number,
): number {
  const { severity, members } = explanation;
  const override = settings.detection.overrides.find(({ selector }) => selectorMatches(selector, explanation));
  const burst = inBurst(explanation, arrivals, now);
  const due = members.map(({ since, conclusive }) => {
    if (override?.settleSeconds !== undefined) return since + override.settleSeconds * second;
    if (severity === 'critical') return since + (burst ? settleMs.criticalInBurst : settleMs.critical);
    return since + (conclusive && !burst ? settleMs.conclusive : settleMs.otherwise);
  });
  return Math.min(...due);
}

/** How many of its recoveries were lately. */
export function recentRecoveries({ recoveries }: Incident, now: number): number[] {
  return recoveries.filter((at) => at > now - flapWindowMs);
}

/**
 * When a recovering incident counts as resolved: everything has been clear for the hold, which doubles with each flap, or
 * for as long as one of its findings asks for.
 */
export function heldAt(incident: Incident, settings: Settings, now: number): number {
  const flaps = Math.max(0, recentRecoveries(incident, now).length - 1);
  const hold = Math.min(longestHoldMs, settings.incidents.holdSeconds * second * 2 ** flaps);
  const asked = incident.explanation.members.map(({ clearHoldMs }) => clearHoldMs ?? 0);
  return (incident.clearSince ?? now) + Math.max(hold, ...asked);
}
