import { kindOf, type Ref } from '../../model/ref.ts';
import type { JobView } from '../../world/kinds/workloads/job.ts';
import type { Condition } from '../../world/reading/meta.ts';
import type { World } from '../../world/view/world.ts';
import { conditionOf } from './conditions.ts';

/** The Jobs that an object owns, as far as they are seen. */
export function jobsOf(owner: Ref, world: World): JobView[] {
  return [...world.linked(owner, 'owned-by', 'in')].flatMap((ref) => {
    const job = kindOf(ref) === 'Job' ? world.get(ref) : 'absent';
    return typeof job === 'object' && job.kind === 'Job' ? [job] : [];
  });
}

/**
 * The condition by which a Job has failed for good. `FailureTarget` comes first, while its Pods are still there to be asked
 * (KEP-3329); `Failed` follows when they have ended.
 */
export function hasFailed(job: JobView): Condition | undefined {
  return ['FailureTarget', 'Failed']
    .map((type) => conditionOf(job, type))
    .find((condition) => condition?.status === 'True');
}

function hasSucceeded(job: JobView): boolean {
  return ['SuccessCriteriaMet', 'Complete'].some((type) => conditionOf(job, type)?.status === 'True');
}

/** Whether a Job has ended, or is about to. */
export function hasEnded(job: JobView): boolean {
  return hasSucceeded(job) || hasFailed(job) !== undefined;
}

/** When a Job began. */
export function beganAt({ startedAt, createdAt }: JobView): number {
  return startedAt ?? createdAt;
}

/** Of some Jobs the one that began last of those that have ended; of two that began together the last by name. */
export function lastEnded(jobs: readonly JobView[]): JobView | undefined {
  return jobs
    .filter(hasEnded)
    .reduce<JobView | undefined>(
      (last, job) =>
        !last || beganAt(job) > beganAt(last) || (beganAt(job) === beganAt(last) && job.ref > last.ref) ? job : last,
      undefined,
    );
}
