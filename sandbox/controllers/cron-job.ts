import { isReadable, readSchedule, type Schedule } from '../../src/model/cron-schedule.ts';
import { type Cluster, objectOf, objectsOf } from '../cluster.ts';
import { ApiFailure } from '../failure.ts';
import { type Fields, type KubeObject, timestamp } from '../object.ts';
import type { Job } from '../shapes.ts';
import { type Controller, ownedBy, splitKey } from './controller.ts';
import { recordEvent } from './events.ts';
import { conditionOf, controllerReference, isControlledBy, writeStatus } from './pods.ts';

type Reference = { apiVersion: string; kind: string; namespace: string; name: string; uid: string };
type CronJob = KubeObject & {
  spec: {
    schedule: string;
    timeZone?: string;
    concurrencyPolicy: 'Allow' | 'Forbid' | 'Replace';
    startingDeadlineSeconds?: number;
    suspend: boolean;
    successfulJobsHistoryLimit: number;
    failedJobsHistoryLimit: number;
    jobTemplate: { metadata?: { labels?: Fields; annotations?: Fields }; spec: Fields };
  };
  status?: { active?: Reference[]; lastScheduleTime?: string; lastSuccessfulTime?: string };
};

/** The controller wakes so long after a run is due (nextScheduleDelta). */
const delayMs = 100;
/** More missed runs than this are told as too many. */
const manyMissed = 100;

const jobsKey = 'jobs.batch';
const endOf = (job: Job): 'Complete' | 'Failed' | undefined =>
  (['Complete', 'Failed'] as const).find((type) => conditionOf(job.status?.conditions, type)?.status === 'True');

/** CronJob → Jobs, one for each time it is due (pkg/controller/cronjob/cronjob_controllerv2.go). */
export function cronJobController(cluster: Cluster): Controller {
  return {
    name: 'cronjob',
    concerns: ownedBy('cronjobs.batch', 'CronJob', jobsKey),
    reconcile(key) {
      const [namespace, name] = splitKey(key);
      const cronJob = objectOf<CronJob>(cluster, 'cronjobs.batch', namespace, name);
      if (!cronJob) return undefined;
      const jobs = objectsOf<Job>(cluster, jobsKey, namespace).filter((job) => isControlledBy(job, cronJob));
      const status = seen(cluster, cronJob, jobs);
      const again = cronJob.metadata.deletionTimestamp ? undefined : start(cluster, cronJob, status);
      for (const [end, limit] of [
        ['Complete', cronJob.spec.successfulJobsHistoryLimit],
        ['Failed', cronJob.spec.failedJobsHistoryLimit],
      ] as const)
        forget(cluster, cronJob, jobs, end, limit);
      const { active, ...times } = status;
      writeStatus(cluster, 'cronjobs.batch', cronJob, { ...times, ...(active.length > 0 ? { active } : {}) });
      return again;
    },
  };
}

type Status = NonNullable<CronJob['status']> & { active: Reference[] };

/** What the status says after a look at its Jobs: those that have ended or gone are active no more. */
function seen(cluster: Cluster, cronJob: CronJob, jobs: readonly Job[]): Status {
  const status: Status = { active: [], ...cronJob.status };
  const wasActive = status.active;
  status.active = wasActive.filter(({ uid, name }) => {
    const job = jobs.find(({ metadata }) => metadata.uid === uid);
    const end = job && endOf(job);
    if (!job) tell(cluster, cronJob, 'Normal', 'MissingJob', `Active job went missing: ${name}`);
    else if (end) tell(cluster, cronJob, 'Normal', 'SawCompletedJob', `Saw completed job: ${name}, condition: ${end}`);
    return job && !end;
  });
  for (const job of jobs) {
    const { name, uid } = job.metadata;
    const doneAt = endOf(job) === 'Complete' ? job.status?.completionTime : undefined;
    if (doneAt && doneAt > (status.lastSuccessfulTime ?? '')) status.lastSuccessfulTime = doneAt;
    if (!endOf(job) && !wasActive.some((reference) => reference.uid === uid))
      tell(
        cluster,
        cronJob,
        'Warning',
        'UnexpectedJob',
        `Saw a job that the controller did not create or forgot: ${name}`,
      );
  }
  return status;
}

/** Makes the Job that is due, if one is; returns milliseconds until the next one. */
function start(cluster: Cluster, cronJob: CronJob, status: Status): number | undefined {
  const { spec } = cronJob;
  const read = readSchedule(spec.schedule, spec.timeZone);
  const warn = (reason: string, message: string): undefined => tell(cluster, cronJob, 'Warning', reason, message);
  if (!isReadable(read) && read.what === 'timeZone')
    return warn('UnknownTimeZone', `invalid timeZone: "${spec.timeZone}": unknown time zone ${spec.timeZone}`);
  if (spec.suspend) return undefined;
  if (!isReadable(read)) return warn('UnparseableSchedule', `unparseable schedule: "${spec.schedule}" : ${read.why}`);
  const now = cluster.clock.now();
  const from = Date.parse(status.lastScheduleTime ?? cronJob.metadata.creationTimestamp);
  if (read.next(from) === undefined)
    return warn(
      'InvalidSchedule',
      `invalid schedule: ${spec.schedule} : time difference between two schedules is less than 1 second`,
    );
  const deadlineMs = (spec.startingDeadlineSeconds ?? Number.POSITIVE_INFINITY) * 1000;
  const { due, missed } = newestDue(read, Math.max(from, now - deadlineMs), now);
  const next = (): number | undefined => {
    const at = read.next(Math.max(now, due ?? 0));
    return at === undefined ? undefined : at - now + delayMs;
  };
  if (due === undefined) return next();
  if (missed > manyMissed)
    warn(
      'TooManyMissedTimes',
      'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew',
    );
  if (due + deadlineMs < now) {
    warn('MissSchedule', `Missed scheduled time to start a job: ${new Date(due).toUTCString().replace('GMT', 'UTC')}`);
    return next();
  }
  const name = `${cronJob.metadata.name}-${Math.floor(due / 60_000)}`;
  if (status.active.some((job) => job.name === name) || status.lastScheduleTime === timestamp(due)) return next();
  if (spec.concurrencyPolicy === 'Forbid' && status.active.length > 0) {
    const text = 'Not starting job because prior execution is running and concurrency policy is Forbid';
    tell(cluster, cronJob, 'Normal', 'JobAlreadyActive', text);
    return next();
  }
  if (spec.concurrencyPolicy === 'Replace') for (const job of status.active) remove(cluster, cronJob, job.name);
  if (spec.concurrencyPolicy === 'Replace') status.active = [];
  create(cluster, cronJob, name, due, status);
  return next();
}

/** The newest time between two at which it was due, and how many there were. Bounded: years of minutes are not counted. */
function newestDue(
  schedule: Schedule,
  after: number,
  until: number,
): { readonly due: number | undefined; readonly missed: number } {
  let due: number | undefined;
  let missed = 0;
  for (let at = schedule.next(after); at !== undefined && at <= until; at = schedule.next(at)) {
    due = at;
    missed += 1;
    if (missed > 10_000) break;
  }
  return { due, missed };
}

function create(cluster: Cluster, cronJob: CronJob, name: string, due: number, status: Status): void {
  const { namespace } = cronJob.metadata;
  const { metadata = {}, spec } = cronJob.spec.jobTemplate;
  const annotations = { ...metadata.annotations, 'batch.kubernetes.io/cronjob-scheduled-timestamp': timestamp(due) };
  const body = {
    metadata: {
      name,
      labels: metadata.labels ?? {},
      annotations,
      ownerReferences: [controllerReference(cronJob)],
    },
    spec,
  };
  try {
    const job = cluster.writer.create(cluster.resource(jobsKey), namespace, body, {
      manager: 'kube-controller-manager',
    });
    const { apiVersion, kind } = job;
    tell(cluster, cronJob, 'Normal', 'SuccessfulCreate', `Created job ${name}`);
    status.active.push({ apiVersion, kind, namespace: namespace ?? '', name, uid: job.metadata.uid });
    status.lastScheduleTime = timestamp(due);
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    tell(cluster, cronJob, 'Warning', 'FailedCreate', `Error creating job: ${error.message}`);
    throw error;
  }
}

/** Only the newest so many Jobs that ended so are kept. */
function forget(cluster: Cluster, cronJob: CronJob, jobs: readonly Job[], end: string, limit: number): void {
  const ended = jobs
    .filter((job) => endOf(job) === end && !job.metadata.deletionTimestamp)
    .sort((a, b) => (a.status?.startTime ?? '').localeCompare(b.status?.startTime ?? ''));
  for (const job of ended.slice(0, Math.max(0, ended.length - limit))) remove(cluster, cronJob, job.metadata.name);
}

function remove(cluster: Cluster, cronJob: CronJob, name: string): void {
  cluster.writer.remove({ resource: cluster.resource(jobsKey), namespace: cronJob.metadata.namespace, name });
  tell(cluster, cronJob, 'Normal', 'SuccessfulDelete', `Deleted job ${name}`);
}

function tell(
  cluster: Cluster,
  cronJob: CronJob,
  type: 'Normal' | 'Warning',
  reason: string,
  message: string,
): undefined {
  recordEvent(cluster, cronJob, 'cronjob-controller', type, reason, message);
}
