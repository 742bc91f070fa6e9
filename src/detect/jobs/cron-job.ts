import { isReadable, readSchedule, runsBetween, type Schedule } from '../../model/cron-schedule.ts';
import { latest } from '../../model/instants.ts';
import type { CronJobView } from '../../world/kinds/workloads/cron-job.ts';
import { given } from '../../world/reading/fields.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { type Detector, detector } from '../kit/detector.ts';
import { hasFailed, jobsOf, lastEnded } from '../kit/runs-of-jobs.ts';
import { failureOf } from './failed-job.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

const cronJobs = { judges: 'CronJob', symptom: 'job' } as const;

/** When the schedule counts from: since its last run, or since somebody edited it. */
function countsFrom({ createdAt, lastScheduleAt, editedAt }: CronJobView): number {
  return latest([createdAt, lastScheduleAt ?? 0, editedAt ?? 0]);
}

function scheduleOf({ schedule, timeZone }: CronJobView): Schedule | undefined {
  const read = readSchedule(schedule, timeZone);
  return isReadable(read) ? read : undefined;
}

/** Runs that fail one after the other before it is high. */
const manyRuns = 3;
/** A run that comes so seldom is worth a look when it fails once (ms). */
const rareMs = 6 * dayMs;

function severityOf(cronJob: CronJobView, runs: number, failedAt: number): 'low' | 'medium' | 'high' {
  if (runs >= manyRuns) return 'high';
  const next = scheduleOf(cronJob)?.next(failedAt) ?? failedAt;
  return next - failedAt >= rareMs ? 'medium' : 'low';
}

const cronJobFailing = detector({
  ...cronJobs,
  id: 'W17',
  reasons: [{ reason: 'CronJobFailing', family: 'consequence', sure: 'unknown' }],
  reads: ['Job'],
  severity: 'low',
  settle: 'conclusive',
  exemptions: ['terminating', 'paused', 'unseenRun'],
  source:
    'batch/v1 Job conditions FailureTarget and Failed of its newest Job that has ended; CronJob status.lastSuccessfulTime; runs are counted as status.lastScheduleTime moves on',
  predicate:
    'its last run failed: low, medium where the next is due in 6 days or later or will fail of the same (an edit, a wrong password), high after 3 runs without a success',
  clears: 'a run succeeded',
  patience: 'not at all, but one failure is low where the next run may repair it',
  isNot: 'a Pod that failed and that its Job replaced; a CronJob that is suspended',
  judge: (cronJob, world) => {
    const job = lastEnded(jobsOf(cronJob.ref, world));
    const failed = job && hasFailed(job);
    if (!failed || failed.since <= (cronJob.lastSuccessAt ?? 0)) return false;
    const begun = world.runsSinceSuccess(cronJob.ref);
    const running = cronJob.active.filter((ref) => ref !== job.ref).length;
    const runs = Math.max(1, (begun?.count ?? 1) - running);
    const { names, facts } = failureOf(job, failed, world);
    return {
      names,
      since: runs > 1 && begun !== undefined ? Math.min(begun.first, failed.since) : failed.since,
      severity: severityOf(cronJob, runs, failed.since),
      detail: failed.message,
      facts: {
        runs,
        job: job.ref,
        ...(cronJob.lastSuccessAt === undefined ? {} : { lastSuccessAt: cronJob.lastSuccessAt }),
        ...facts,
      },
    };
  },
});

/** How late the controller may be: it wakes for each run, and a new leader of the controllers needs a minute. */
const lateSeconds = 300;

/** What the controller says of a run that it could not start. */
function complaint(cronJob: CronJobView, world: ObservedWorld): string | undefined {
  const warnings = world.events(cronJob.ref).filter(({ isWarning }) => isWarning);
  return warnings.findLast(({ lastAt }) => lastAt > countsFrom(cronJob))?.message;
}

const cronJobMissed = detector({
  ...cronJobs,
  id: 'W18',
  reasons: [{ reason: 'CronJobMissedSchedule', family: 'consequence', sure: 'unknown' }],
  severity: 'medium',
  settle: 'conclusive',
  exemptions: ['terminating', 'paused'],
  source:
    'batch/v1 CronJob spec.schedule, spec.timeZone, status.lastScheduleTime; Events MissSchedule, TooManyMissedTimes and FailedCreate say why',
  predicate:
    'a run is 5 min late, or its startingDeadlineSeconds where these are more, and none before it is still at work',
  clears: 'a run began, or the CronJob was edited',
  patience: '5 min, or the starting deadline: a new leader of the controllers needs a minute',
  isNot:
    'a CronJob that is suspended, was edited since, or forbids a second run while one is at work; a run that falls into the hour which the clock leaps over',
  judge: (cronJob, world) => {
    const waitsForJob = cronJob.concurrencyPolicy === 'Forbid' && cronJob.active.length > 0;
    const dueAt = waitsForJob ? undefined : scheduleOf(cronJob)?.next(countsFrom(cronJob));
    if (dueAt === undefined) return false;
    const forSeconds = Math.max(lateSeconds, cronJob.startingDeadlineSeconds ?? 0);
    const detail = complaint(cronJob, world);
    return { since: dueAt, forSeconds, facts: { dueAt, schedule: cronJob.schedule }, ...given({ detail }) };
  },
});

/** Events that say that nothing can be made of the schedule (cronjob_controllerv2.go). */
const unreadable: ReadonlyMap<string, 'schedule' | 'timeZone'> = new Map([
  ['UnparseableSchedule', 'schedule'],
  ['UnParseableCronJobSchedule', 'schedule'],
  ['InvalidSchedule', 'schedule'],
  ['UnknownTimeZone', 'timeZone'],
]);

/** What is wrong with its schedule: what we read in it ourselves, or what its controller said of it since it was edited. */
function scheduleFault(cronJob: CronJobView, world: ObservedWorld, now: number) {
  const said = world
    .events(cronJob.ref)
    .findLast(({ reason, lastAt }) => unreadable.has(reason) && lastAt >= (cronJob.editedAt ?? 0));
  const read = readSchedule(cronJob.schedule, cronJob.timeZone);
  if (!isReadable(read)) return { ...read, ...given({ detail: said?.message }) };
  if (read.next(now) === undefined)
    return { what: 'schedule', why: 'no such day will ever come', ...given({ detail: said?.message }) } as const;
  return (
    said && ({ what: unreadable.get(said.reason) ?? 'schedule', why: said.message, detail: said.message } as const)
  );
}

const cronJobInvalid = detector({
  ...cronJobs,
  id: 'W19',
  reasons: [{ reason: 'CronJobInvalidSchedule', family: 'config', sure: 'high' }],
  severity: 'high',
  forSeconds: 10,
  settle: 'conclusive',
  exemptions: ['terminating', 'paused'],
  source:
    'batch/v1 CronJob spec.schedule and spec.timeZone as robfig/cron 3 reads them; Events UnparseableSchedule, InvalidSchedule, UnknownTimeZone',
  predicate: 'its schedule or time zone cannot be read or never comes, and no run began since it was edited',
  clears: 'the schedule or the time zone was corrected',
  patience: '10 s: it does not mend itself',
  isNot: 'a schedule with names, steps or nicknames that the controller can read',
  judge: (cronJob, world, now) => {
    const fault = scheduleFault(cronJob, world, now);
    if (fault === undefined) return false;
    const { createdAt, editedAt, lastScheduleAt, schedule, timeZone } = cronJob;
    const since = editedAt ?? createdAt;
    // Its controller reads what we cannot: a newer list of time zones.
    if (lastScheduleAt !== undefined && lastScheduleAt > since) return false;
    const { what, why, detail } = fault;
    return { since, facts: { what, why, schedule, ...given({ timeZone }) }, ...given({ detail }) };
  },
});

/** A Job that takes longer than this holds up the runs after it, however often they are due (ms). */
const blockedMs = 15 * minuteMs;

const cronJobBlocked = detector({
  ...cronJobs,
  id: 'W20',
  reasons: [{ reason: 'CronJobBlocked', family: 'consequence', sure: 'unknown' }],
  reads: ['Job'],
  severity: 'medium',
  exemptions: ['terminating', 'paused'],
  source: 'batch/v1 CronJob spec.concurrencyPolicy Forbid, status.active; Job status.startTime',
  predicate: 'two runs were left out because the Job before them has not ended for 15 min',
  clears: 'that Job ended',
  patience: '15 min and two runs: a run may take longer now and then',
  isNot: 'a CronJob that allows runs side by side or replaces them',
  judge: (cronJob, world, now) => {
    if (cronJob.concurrencyPolicy !== 'Forbid') return false;
    const jobs = cronJob.active.map((ref) => world.get(ref));
    const [oldest] = jobs
      .filter((job) => typeof job === 'object' && job.kind === 'Job')
      .sort((a, b) => a.createdAt - b.createdAt);
    const schedule = scheduleOf(cronJob);
    if (!oldest || !schedule) return false;
    const [, second] = runsBetween(schedule, latest([oldest.createdAt, countsFrom(cronJob)]), Number.MAX_VALUE, 2);
    if (second === undefined) return false;
    const since = latest([second, oldest.createdAt + blockedMs]);
    if (now < since) return { lookAgainAt: since };
    return { since, facts: { job: oldest.ref, runningSince: oldest.createdAt, schedule: cronJob.schedule } };
  },
});

const cronJobSuspended = detector({
  ...cronJobs,
  id: 'W21',
  reasons: [{ reason: 'CronJobSuspended', family: 'consequence', sure: 'high' }],
  severity: 'low',
  forSeconds: 7 * 24 * 3600,
  settle: 'conclusive',
  source: 'batch/v1 CronJob spec.suspend; the last edit of its spec by managedFields',
  predicate: 'it is suspended, and nobody has edited it for 7 days: somebody may have forgotten it',
  clears: 'it is not suspended any more',
  patience: '7 days: people suspend a CronJob for a while',
  isNot: 'a CronJob that somebody still edits',
  judge: (cronJob) => cronJob.suspended && { since: cronJob.editedAt ?? cronJob.createdAt },
});

/** CronJobs, in the order of the catalogue. */
export const cronJobDetectors: readonly Detector[] = [
  cronJobInvalid,
  cronJobFailing,
  cronJobMissed,
  cronJobBlocked,
  cronJobSuspended,
];
