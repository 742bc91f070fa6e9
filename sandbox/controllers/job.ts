import { type Cluster, objectOf } from '../cluster.ts';
import { timestamp } from '../object.ts';
import type { Condition, Job, Pod } from '../shapes.ts';
import { type Controller, ownedBy, splitKey } from './controller.ts';
import { recordEvent } from './events.ts';
import { conditionOf, createPod, deletePod, isActive, isReady, podsOf, writeStatus } from './pods.ts';

/** Failed Pods are replaced after 10 s, doubling to 10 min (pkg/controller/job). */
const firstBackoffMs = 10_000;
const maxBackoffMs = 600_000;

const endOf = (pod: Pod): number =>
  Math.max(
    0,
    ...(pod.status.containerStatuses ?? []).map((s) => Date.parse(s.state.terminated?.finishedAt ?? '') || 0),
  );

/** Job → Pods until enough have succeeded or too many have failed. */
export function jobController(cluster: Cluster): Controller {
  return {
    name: 'job',
    concerns: ownedBy('jobs.batch', 'Job', 'pods'),
    reconcile(key) {
      const job = objectOf<Job>(cluster, 'jobs.batch', ...splitKey(key));
      if (!job || job.metadata.deletionTimestamp || job.spec.suspend) return undefined;
      const ended = ['Complete', 'Failed'].some((type) => conditionOf(job.status?.conditions, type)?.status === 'True');
      if (ended) return undefined;
      return advance(cluster, job);
    },
  };
}

function advance(cluster: Cluster, job: Job): number | undefined {
  const now = cluster.clock.now();
  const startTime = job.status?.startTime ?? timestamp(now);
  const pods = podsOf(cluster, job);
  const succeeded = pods.filter((pod) => pod.status.phase === 'Succeeded').length;
  const failures = pods.filter((pod) => pod.status.phase === 'Failed');
  const restarts = job.spec.template.spec.restartPolicy === 'OnFailure' ? restartsOf(pods) : 0;
  const { completions = 1, parallelism, backoffLimit, activeDeadlineSeconds } = job.spec;
  const lateMs =
    activeDeadlineSeconds === undefined ? undefined : Date.parse(startTime) + activeDeadlineSeconds * 1000 - now;
  const verdict =
    succeeded >= completions
      ? complete
      : failures.length > backoffLimit || restarts > backoffLimit
        ? failed('BackoffLimitExceeded', 'Job has reached the specified backoff limit')
        : lateMs !== undefined && lateMs <= 0
          ? failed('DeadlineExceeded', 'Job was active longer than specified deadline')
          : undefined;
  if (verdict) for (const pod of pods.filter(isActive)) deletePod(cluster, job, pod);
  const waitMs = verdict ? 0 : backoffMs(failures, now);
  if (!verdict && waitMs === 0) {
    const missing = Math.min(parallelism, completions - succeeded) - pods.filter(isActive).length;
    const { uid, name } = job.metadata;
    const labels = {
      'batch.kubernetes.io/controller-uid': uid,
      'controller-uid': uid,
      'batch.kubernetes.io/job-name': name,
      'job-name': name,
    };
    for (let i = 0; i < missing; i += 1) createPod(cluster, job, job.spec.template, { labels });
  }
  const active = podsOf(cluster, job).filter(isActive);
  const time = timestamp(now);
  const stamp = (condition: Condition): Condition => ({ ...condition, lastProbeTime: time, lastTransitionTime: time });
  const ready = active.filter(isReady).length;
  writeStatus(cluster, 'jobs.batch', job, {
    startTime,
    ...(verdict === complete ? { completionTime: time } : {}),
    ...(active.length > 0 ? { active: active.length } : {}),
    ...(succeeded > 0 ? { succeeded } : {}),
    ...(failures.length > 0 ? { failed: failures.length } : {}),
    ready,
    terminating: 0,
    uncountedTerminatedPods: {},
    ...(verdict ? { conditions: verdict.map(stamp) } : {}),
  });
  if (verdict === complete) recordEvent(cluster, job, 'job-controller', 'Normal', 'Completed', 'Job completed');
  else if (verdict)
    recordEvent(cluster, job, 'job-controller', 'Warning', verdict[0]?.reason ?? '', verdict[0]?.message ?? '');
  const waits = [waitMs, lateMs].filter((ms): ms is number => ms !== undefined && ms > 0);
  return verdict || waits.length === 0 ? undefined : Math.min(...waits);
}

const restartsOf = (pods: readonly Pod[]): number =>
  pods.flatMap((pod) => pod.status.containerStatuses ?? []).reduce((sum, status) => sum + status.restartCount, 0);

/** Milliseconds until the next Pod may be made after these failures. */
function backoffMs(failures: readonly Pod[], now: number): number {
  if (failures.length === 0) return 0;
  const delay = Math.min(maxBackoffMs, firstBackoffMs * 2 ** (failures.length - 1));
  return Math.max(0, Math.max(...failures.map(endOf)) + delay - now);
}

/** The conditions of the two ends: since 1.31 each final condition has a forerunner. */
const complete: Condition[] = ['SuccessCriteriaMet', 'Complete'].map((type) => ({
  type,
  status: 'True',
  reason: 'CompletionsReached',
  message: 'Reached expected number of succeeded pods',
}));
const failed = (reason: string, message: string): Condition[] =>
  ['FailureTarget', 'Failed'].map((type) => ({ type, status: 'True', reason, message }));
