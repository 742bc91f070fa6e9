import type { Incident } from '../model/incident.ts';
import { latest } from '../model/instants.ts';

const minute = 60_000;
/** Recoveries at most so far apart belong to one story: what fails every two hours, with some play. */
const longestPeriodMs = 135 * minute;
/** It keeps coming back once it fails again after this many recoveries. */
const recoveriesBefore = 2;
/** Recoveries that are remembered of one story. */
const maxRecoveries = 20;
/** What keeps coming back has to stay healthy for this many times the longest time between two of its recoveries. */
const holdFactor = 1.5;
/** Clear for less than this is no recovery. */
const pauseMs = 15_000;
/** What keeps coming back is summarized this often, as long as it does. */
export const summaryIntervalMs = 24 * 60 * minute;

/** The recoveries of one story at `now` (epoch milliseconds): none once the last is too long ago. */
export function recoveriesOf({ recoveries }: Pick<Incident, 'recoveries'>, now: number): readonly number[] {
  const last = recoveries.at(-1);
  if (last === undefined || last <= now - longestPeriodMs) return [];
  const gap = recoveries.findLastIndex((at, index) => at - (recoveries[index - 1] ?? at) > longestPeriodMs);
  return gap < 0 ? recoveries : recoveries.slice(gap);
}

/** The same with one more, at `now`. */
export function withRecovery(incident: Pick<Incident, 'recoveries'>, now: number): readonly number[] {
  return [...recoveriesOf(incident, now), now].slice(-maxRecoveries);
}

/**
 * The same incident without the recovery that it fails after now (epoch milliseconds), where that lasted a moment only: one failure
 * passed into the next, as when the last Pod that crashes goes before the first good one is ready.
 */
export function withoutPause(incident: Incident, now: number): Incident {
  const { recoveries, clearSince } = incident;
  const isPause = clearSince !== undefined && now - clearSince < pauseMs && recoveries.at(-1) === clearSince;
  return isPause ? { ...incident, recoveries: recoveries.slice(0, -1) } : incident;
}

/** Whether something that fails now keeps coming back, at any period up to two hours. */
export function keepsComingBack(incident: Pick<Incident, 'recoveries'>, now: number): boolean {
  return recoveriesOf(incident, now).length >= recoveriesBefore;
}

/** How long it must stay healthy at least, since it comes back so seldom; milliseconds. 0: nothing to go by. */
export function recurringHoldMs({ recoveries }: Pick<Incident, 'recoveries'>): number {
  const gaps = recoveries.map((at, index) => at - (recoveries[index - 1] ?? at));
  return recoveries.length < 2 ? 0 : holdFactor * latest(gaps);
}
