import { kindOf } from '../model/ref.ts';
import { given } from '../world/fields.ts';
import type { JobView } from '../world/kinds/job.ts';
import type { PodView } from '../world/kinds/pod.ts';
import type { ObservedWorld } from '../world/world.ts';
import { conditionOf } from './conditions.ts';
import { endFacts, lastEnd } from './containers.ts';
import { type Detector, detector } from './detector.ts';

const dayMs = 24 * 60 * 60_000;

/** A Pod of the Job that failed, for what it died of. */
function failedPod(job: JobView, world: ObservedWorld): PodView | undefined {
  const failed = [...world.linked(job.ref, 'owned-by', 'in')]
    .sort()
    .map((ref) => world.get(ref))
    .filter((view) => typeof view === 'object' && view.kind === 'Pod' && view.phase === 'Failed');
  return failed.find((view): view is PodView => typeof view === 'object' && view.kind === 'Pod');
}

const jobFailed = detector({
  id: 'W14',
  reasons: [{ reason: 'JobFailed', family: 'consequence', sure: 'unknown' }],
  judges: 'Job',
  reads: ['Pod'],
  edition: 'Community',
  severity: 'medium',
  settle: 'conclusive',
  exemptions: ['terminating', 'paused'],
  source: 'batch/v1 Job condition Failed=True; one that a CronJob owns is evidence only',
  predicate: 'a Job that no CronJob owns failed for good within the last 24 h',
  clears: 'the Job is gone, or 24 h have passed',
  symptom: 'job',
  patience: 'not at all: the Job has used up its attempts',
  isNot: 'a Job that tries again; one run of a CronJob, which is judged as a CronJob',
  judge: (job, world, now) => {
    const failed = conditionOf(job, 'Failed');
    if (failed?.status !== 'True' || (job.owner !== undefined && kindOf(job.owner) === 'CronJob')) return false;
    if (now >= failed.since + dayMs) return false;
    const pod = failedPod(job, world);
    const state = pod?.containers.find((entry) => (lastEnd(entry)?.exitCode ?? 0) !== 0);
    const end = state && lastEnd(state);
    return {
      since: failed.since,
      lookAgainAt: failed.since + dayMs,
      detail: failed.message,
      facts: {
        conditionReason: failed.reason,
        failed: job.failed,
        ...given({ pod: pod?.ref, container: state?.name, node: pod?.node }),
        ...(end ? endFacts(end) : {}),
      },
    };
  },
});

/** Jobs. */
export const jobDetectors: readonly Detector[] = [jobFailed];
