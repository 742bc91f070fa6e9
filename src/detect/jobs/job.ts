import { kindOf } from '../../model/ref.ts';
import { type JobView, usualBackoffLimit } from '../../world/kinds/workloads/job.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import { given } from '../../world/reading/fields.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { conditionOf } from '../kit/conditions.ts';
import { type Container, containerFacts, containersOf, lastEnd } from '../kit/containers.ts';
import { type Detector, detector } from '../kit/detector.ts';
import { beganAt, hasEnded, hasFailed, jobsOf } from '../kit/runs-of-jobs.ts';
import { wellRunMs } from '../pods/crash-loop.ts';
import { failureOf } from './failed-job.ts';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

const jobs = { judges: 'Job', symptom: 'job' } as const;

const isOfCronJob = ({ owner }: JobView): boolean => owner !== undefined && kindOf(owner) === 'CronJob';

const jobFailed = detector({
  ...jobs,
  id: 'W14',
  reasons: [{ reason: 'JobFailed', family: 'consequence', sure: 'unknown' }],
  reads: ['Pod'],
  severity: 'medium',
  settle: 'conclusive',
  exemptions: ['terminating', 'paused'],
  source: 'batch/v1 Job condition FailureTarget=True or Failed=True; one that a CronJob owns is evidence only',
  predicate: 'a Job that no CronJob owns failed for good within the last 24 h',
  clears: 'the Job is gone, or 24 h have passed',
  patience: 'not at all: the Job has used up its attempts',
  isNot: 'a Job that tries again; one run of a CronJob, which is judged as a CronJob',
  judge: (job, world, now) => {
    const failed = hasFailed(job);
    if (failed === undefined || isOfCronJob(job)) return false;
    const until = failed.since + dayMs;
    if (now >= until) return false;
    return { since: failed.since, lookAgainAt: until, detail: failed.message, ...failureOf(job, failed, world) };
  },
});

/** Pods of one Job looked at. */
const maxPods = 64;

/** How a container of a Job's Pod failed last and has not run well since; and how often containers of it were started again. */
function attemptsOf(job: JobView, world: ObservedWorld, now: number): Attempts {
  const attempts: Attempts = { restarts: 0 };
  for (const ref of [...world.linked(job.ref, 'owned-by', 'in', maxPods)].sort()) {
    const pod = world.get(ref);
    if (typeof pod !== 'object' || pod.kind !== 'Pod') continue;
    for (const container of containersOf(pod)) {
      const { state } = container;
      attempts.restarts += state.restarts;
      if ((lastEnd(state)?.exitCode ?? 0) === 0) continue;
      const runsWellAt = state.running && state.running.startedAt + wellRunMs;
      if (runsWellAt === undefined || now < runsWellAt) attempts.last ??= { pod, container, runsWellAt };
    }
  }
  return attempts;
}

type Attempts = {
  restarts: number;
  last?: { readonly pod: PodView; readonly container: Container; readonly runsWellAt: number | undefined };
};

const jobRetrying = detector({
  ...jobs,
  id: 'W25',
  reasons: [{ reason: 'JobRetrying', family: 'consequence', sure: 'unknown' }],
  reads: ['Pod'],
  severity: 'medium',
  settle: 'conclusive',
  exemptions: ['terminating', 'paused'],
  source: 'batch/v1 Job spec.backoffLimit (6 by default), status.failed; ContainerStatus.restartCount of its Pods',
  predicate:
    'a Job that may fail more often than the 6 times that are usual has failed 6 times, and its last attempt failed',
  clears: 'it has ended, or an attempt has run for 7 min',
  patience: 'as many attempts as other Jobs have',
  isNot: 'a Job that is about to give up, which is reported then',
  judge: (job, world, now) => {
    if (job.backoffLimit <= usualBackoffLimit || job.active === 0 || hasEnded(job)) return false;
    const { restarts, last } = attemptsOf(job, world, now);
    const failed = job.failed + restarts;
    if (failed < usualBackoffLimit || last === undefined) return false;
    const { pod, container, runsWellAt } = last;
    return {
      since: beganAt(job),
      facts: { ...containerFacts(pod, container), failed, backoffLimit: job.backoffLimit, pod: pod.ref },
      ...given({ lookAgainAt: runsWellAt }),
    };
  },
});

/** Without anything to compare with. */
const longMs = 12 * hourMs;
/** A Job that takes seconds as a rule is not long after a minute. */
const shortestLongMs = hourMs;

/** How long the Jobs of its CronJob take that succeeded, in the middle; `undefined` for less than two. */
function usualMs(job: JobView, world: ObservedWorld): number | undefined {
  if (job.owner === undefined) return undefined;
  const took = jobsOf(job.owner, world)
    .flatMap(({ startedAt, completedAt }) =>
      startedAt === undefined || completedAt === undefined ? [] : [completedAt - startedAt],
    )
    .sort((a, b) => a - b);
  return took.length < 2 ? undefined : took[Math.floor(took.length / 2)];
}

/** How long it takes at most as a rule, by what was seen of a week of runs (Pro); `undefined`: not known. */
function knownRunMs(
  job: JobView,
  world: ObservedWorld,
): { readonly middle: number; readonly most: number } | undefined {
  const usual = job.owner === undefined ? undefined : world.ownNormal(job.owner)?.usualRun;
  return usual && { middle: usual.median * 1000, most: usual.most * 1000 };
}

/** How long a Job may run: three times as long as usual where that is known, and always until its own deadline. */
function allowedMs(job: JobView, usual: number | undefined, most = 0): number {
  const expected = usual === undefined ? longMs : Math.max(shortestLongMs, 3 * usual, most);
  return Math.max(expected, (job.activeDeadlineSeconds ?? 0) * 1000);
}

const jobRunningLong = detector({
  ...jobs,
  id: 'W15',
  reasons: [{ reason: 'JobRunningLong', family: 'consequence', sure: 'unknown' }],
  severity: 'low',
  exemptions: ['terminating', 'paused'],
  source:
    'batch/v1 Job status.active, startTime, completionTime of the other Jobs of its CronJob; spec.activeDeadlineSeconds',
  predicate:
    'a Job is at work for three times as long as other runs of its CronJob took (an hour at least; in Pro the runs of the last 7 days, also those that are gone), else for 12 h, and longer than its deadline allows',
  clears: 'it ended',
  patience: '12 h, or three times as long as its siblings took: a Job may take its time',
  isNot: 'a Job that nobody has a measure for and that has a long deadline',
  judge: (job, world, now) => {
    if (job.active === 0 || job.startedAt === undefined || hasEnded(job)) return false;
    const known = knownRunMs(job, world);
    const usual = known?.middle ?? usualMs(job, world);
    const since = job.startedAt + allowedMs(job, usual, known?.most);
    if (now < since) return { lookAgainAt: since };
    const usualSeconds = usual === undefined ? undefined : Math.round(usual / 1000);
    return { since, facts: { startedAt: job.startedAt, active: job.active, ...given({ usualSeconds }) } };
  },
});

/** The label by which Kueue manages a Job: it is suspended until there is room for it. */
const queueLabel = 'kueue.x-k8s.io/queue-name';

const jobSuspended = detector({
  ...jobs,
  id: 'W16',
  reasons: [{ reason: 'JobSuspended', family: 'consequence', sure: 'high' }],
  severity: 'low',
  forSeconds: 24 * 3600,
  settle: 'conclusive',
  source: 'batch/v1 Job spec.suspend, condition Suspended=True; label kueue.x-k8s.io/queue-name, spec.managedBy',
  predicate: 'a Job that no queue and no other controller starts is suspended for 24 h',
  clears: 'it is not suspended any more, or has ended',
  patience: 'a day: somebody may want to look before it starts',
  isNot: 'a Job that waits for its turn in a queue (Kueue), or that another controller starts',
  judge: (job) => {
    const isManaged = job.owner !== undefined || job.managedBy !== undefined || queueLabel in job.labels;
    if (!job.suspended || isManaged || hasEnded(job)) return false;
    const suspended = conditionOf(job, 'Suspended');
    return { since: suspended?.status === 'True' ? suspended.since : beganAt(job) };
  },
});

/** Jobs, in the order of the catalogue. */
export const jobDetectors: readonly Detector[] = [jobFailed, jobRetrying, jobRunningLong, jobSuspended];
