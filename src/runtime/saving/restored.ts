import { reportOf } from '../../delivery/report.ts';
import type { DeliveryReport } from '../../model/delivery.ts';
import { isText, memoryOf, recall } from '../../model/memory.ts';
import type { DeadLetter, Saved } from '../../model/store.ts';
import type { Restored } from '../../model/turn.ts';

/** Clocks that are kept right differ by less; milliseconds. */
const toleranceMs = 5_000;
/** Instants are numbers beyond this (September 2001 in epoch milliseconds); nothing else that is saved is as large. */
const leastInstant = 1e12;

/** Whether what is saved is of this cluster: a volume may have been moved. What does not say so is. */
export function isOfCluster({ memos }: Pick<Saved, 'memos'>, clusterId: string): boolean {
  return (recall(memoryOf(memos), 'presence', isText).get('cluster') ?? clusterId) === clusterId;
}

/**
 * What is saved, for a clock that says `now` (epoch milliseconds). Where the clock was set back since, or was wrong before, what
 * lies ahead happened now: nothing waits until the clock has come as far again.
 */
export function notAhead(saved: Saved, now: number): Saved {
  const setBackMs = (saved.savedAt ?? now) - now;
  if (setBackMs <= toleranceMs) return saved;
  // Only numbers are replaced.
  return { ...(clamped(saved, now) as Saved), setBackMs };
}

function clamped(value: unknown, now: number): unknown {
  if (typeof value === 'number') return value > now && value > leastInstant ? now : value;
  if (Array.isArray(value)) return value.map((item) => clamped(item, now));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, clamped(item, now)]));
}

function reportOfLetter({ delivery, attempts, mayHaveArrived, failure, endedAt }: DeadLetter): DeliveryReport {
  return reportOf(delivery, { ended: 'failed', attempts, mayHaveArrived, failure }, endedAt);
}

/** What the core goes on from; `undefined` when nothing was ever saved. */
export function restoredFrom(saved: Saved): Restored | undefined {
  const { incidents, memos, savedAt, setBackMs, deadLetters, outbox, ended } = saved;
  if (savedAt === undefined) return undefined;
  const undelivered = [...outbox, ...deadLetters].map(({ delivery }) => delivery.id);
  const own = { incidents, memos, savedAt, ...(setBackMs !== undefined && { setBackMs }) };
  return { ...own, reports: deadLetters.map(reportOfLetter), undelivered, ended };
}
