import type { Facts } from '../model/finding.ts';
import { given } from '../world/fields.ts';
import type { JobView } from '../world/kinds/job.ts';
import type { PodView } from '../world/kinds/pod.ts';
import type { Condition } from '../world/meta.ts';
import type { World } from '../world/world.ts';
import { endFacts, lastEnd } from './containers.ts';

/** A Pod of the Job that failed, for what it died of. */
function failedPod(job: JobView, world: World): PodView | undefined {
  const pods = [...world.linked(job.ref, 'owned-by', 'in')].sort().map((ref) => world.get(ref));
  return pods
    .filter((view) => typeof view === 'object' && view.kind === 'Pod')
    .find(({ phase, containers }) => phase === 'Failed' || containers.some((entry) => lastEnd(entry)?.exitCode));
}

/** What a failed Job is told by. */
export function jobFacts(job: JobView, failed: Condition, world: World): Facts {
  const pod = failedPod(job, world);
  const state = pod?.containers.find((entry) => (lastEnd(entry)?.exitCode ?? 0) !== 0);
  const end = state && lastEnd(state);
  return {
    conditionReason: failed.reason,
    failed: job.failed,
    ...given({ pod: pod?.ref, container: state?.name, node: pod?.node }),
    ...(end ? endFacts(end) : {}),
  };
}
