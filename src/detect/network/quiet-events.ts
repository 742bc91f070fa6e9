import type { EventView } from '../../world/kinds/cluster/event.ts';
import type { Problem } from '../kit/detector.ts';

/** Which Events are a problem, and how long they must be quiet before it is over. */
export type EventRule = {
  readonly reasons: readonly string[];
  /** How often they must have come within 10 min; default 1. */
  readonly times?: number;
  /** An Event says nothing when all is good again: it is over when none has come for so long. */
  readonly quietMinutes: number;
};

const minute = 60_000;
const windowMs = 10 * minute;

/** A problem of which Events are the only trace: it holds while they keep coming. `now`: epoch milliseconds. */
export function quietEvents(events: readonly EventView[], rule: EventRule, now: number): Problem | false {
  const { reasons, times = 1, quietMinutes } = rule;
  const told = events.filter(({ isWarning, reason }) => isWarning && reasons.includes(reason));
  const last = told.at(-1);
  const overAt = last && last.lastAt + quietMinutes * minute;
  if (!last || !overAt || now >= overAt) return false;
  const recent = told.filter(({ lastAt }) => lastAt > last.lastAt - windowMs);
  const count = recent.reduce((sum, event) => sum + event.count, 0);
  if (count < times) return false;
  const since = recent.reduce((first, { firstAt }) => Math.min(first, firstAt), last.firstAt);
  return { since, detail: last.message, facts: { events: count }, lookAgainAt: overAt };
}
