import { isReadable, readSchedule, runsBetween } from '../../model/cron-schedule.ts';
import type { CronJobView } from '../kinds/workloads/cron-job.ts';

/**
 * The runs of a CronJob that began after its last success: when the first and the last of them were due (epoch milliseconds),
 * and how many they are. Its Jobs do not tell: of those that failed the cluster keeps one, as a rule.
 */
export type RunsSinceSuccess = { readonly first: number; readonly last: number; readonly count: number };

/** Of runs before anybody watched no more are counted. */
const maxRunsBefore = 10;

/** The runs of a CronJob as it is seen now. At first sight they follow from the schedule; after that each is counted as it begins. */
export function runsAfter(
  known: RunsSinceSuccess | undefined,
  { schedule, timeZone, lastScheduleAt: last, lastSuccessAt, createdAt }: CronJobView,
  isFirstSight: boolean,
): RunsSinceSuccess | undefined {
  if (last === undefined || (lastSuccessAt !== undefined && lastSuccessAt >= last)) return undefined;
  if (known && known.last > (lastSuccessAt ?? 0))
    return last > known.last ? { ...known, last, count: known.count + 1 } : known;
  const read = isFirstSight ? readSchedule(schedule, timeZone) : undefined;
  const due = read && isReadable(read) ? runsBetween(read, lastSuccessAt ?? createdAt, last, maxRunsBefore) : [];
  return { first: due[0] ?? last, last, count: Math.max(1, due.length) };
}

/** Of the runs counted before a restart and those that follow from the schedule (at most ten) the longer series. */
export function joinedRuns(before: RunsSinceSuccess | undefined, met: RunsSinceSuccess): RunsSinceSuccess {
  if (before === undefined || before.last < met.first) return met;
  return met.last > before.last ? { ...before, last: met.last, count: before.count + 1 } : before;
}
