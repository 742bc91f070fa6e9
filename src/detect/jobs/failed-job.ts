import type { Facts } from '../../model/finding.ts';
import { nameOf, type Ref, refOf } from '../../model/ref.ts';
import type { JobView } from '../../world/kinds/workloads/job.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import { given } from '../../world/reading/fields.ts';
import type { Condition } from '../../world/reading/meta.ts';
import type { ObservedWorld, World } from '../../world/view/world.ts';
import { endFacts, lastEnd } from '../kit/containers.ts';

/** A Pod of the Job that failed, for what it died of. */
function failedPod(job: JobView, world: World): PodView | undefined {
  const pods = [...world.linked(job.ref, 'owned-by', 'in')].sort().map((ref) => world.get(ref));
  return pods
    .filter((view) => typeof view === 'object' && view.kind === 'Pod')
    .find(({ phase, containers }) => phase === 'Failed' || containers.some((entry) => lastEnd(entry)?.exitCode));
}

/** Reasons of a failed Job that say nothing of time: Pods of it ended too often, however they did. */
const byPods: ReadonlySet<string> = new Set([
  'BackoffLimitExceeded',
  'PodFailurePolicy',
  'FailedIndexes',
  'MaxFailedIndexesExceeded',
]);

/** The Nodes that took every Pod along for which a Job has failed. None where some Pod failed by itself, or the Job ran out of time. */
function lostNodes(job: JobView, failed: Condition, world: ObservedWorld): readonly Ref[] {
  const nodes = world.lostOn(job.ref);
  if (nodes.length < Math.max(1, job.failed) || !byPods.has(failed.reason)) return [];
  return [...new Set(nodes)].map((node) => refOf('Node', '', node));
}

/** What a failed Job is told by, and the Nodes that are to blame as far as that is plain. */
export function failureOf(
  job: JobView,
  failed: Condition,
  world: ObservedWorld,
): { readonly facts: Facts; readonly names: readonly Ref[] } {
  const names = lostNodes(job, failed, world);
  const [lost] = names;
  const facts = jobFacts(job, failed, world);
  return { names, facts: lost === undefined ? facts : { ...facts, lostOn: nameOf(lost) } };
}

/** What a failed Job is told by. */
function jobFacts(job: JobView, failed: Condition, world: World): Facts {
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
