import { kindOf, type Ref } from '../../model/ref.ts';
import type { WorkloadView } from '../../world/kinds/workloads/workload.ts';
import type { Lapse } from '../../world/memory/instability.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { type Detector, detector } from '../kit/detector.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** What a release brings shows within this time of it. */
const showsMs = 30 * minuteMs;
/** So many lapses more than before, and so many times as many. */
const [moreLapses, timesAsMany] = [3, 4];

/** The newest revision of a Deployment, and the one before it; `undefined`: there are not two, or the newest is one that was there before. */
function releaseOf(deployment: Ref, world: ObservedWorld): { newest: WorkloadView; before: WorkloadView } | undefined {
  let newest: WorkloadView | undefined;
  let before: WorkloadView | undefined;
  for (const ref of world.linked(deployment, 'owned-by', 'in')) {
    const view = kindOf(ref) === 'ReplicaSet' ? world.get(ref) : 'absent';
    if (typeof view !== 'object' || view.kind !== 'ReplicaSet') continue;
    const revision = Number(view.revision ?? 0);
    if (newest === undefined || revision > Number(newest.revision ?? 0)) [before, newest] = [newest, view];
    else if (before === undefined || revision > Number(before.revision ?? 0)) before = view;
  }
  if (newest === undefined || before === undefined || newest.createdAt <= before.createdAt) return undefined;
  return { newest, before };
}

/** Whether it is no affair of one Pod: two of them lapse, and half of those wanted. */
function isWidespread(lapses: readonly Lapse[], replicas: number): boolean {
  const pods = new Set(lapses.map(({ pod }) => pod)).size;
  return pods >= Math.max(Math.min(2, replicas), replicas / 2);
}

const releaseRegression = detector({
  id: 'W22',
  reasons: [{ reason: 'ReleaseRegression', family: 'consequence', sure: 'likely' }],
  judges: 'Deployment',
  reads: ['ReplicaSet', 'Pod'],
  edition: 'Pro',
  severity: 'high',
  forSeconds: 600,
  exemptions: ['terminating', 'scaledToZero', 'paused'],
  source:
    'restarts and losses of readiness of the Pods of two ReplicaSets of one Deployment, as they were seen; annotation deployment.kubernetes.io/revision',
  predicate:
    'half of the Pods of a new revision restart or lose readiness, from its first 30 min on: 4 times as often within an hour as those of the revision before did in its last hour, and 3 times more',
  clears: 'it was rolled back, or none of its Pods restarted or lost readiness for an hour',
  symptom: 'rollout',
  patience:
    '10 min from the first of them: a release may hiccup; the first 5 min of a Pod are how it starts and do not count',
  isNot:
    'what the revision before did as well; one Pod; Pods of a Node that fails; what begins long after the release; a revision whose forerunner nobody has watched for half an hour',
  judge: (deployment, world, now) => {
    const release = releaseOf(deployment.ref, world);
    if (!release) return false;
    const { newest, before } = release;
    const { watchedSince, lapses } = world.instability(newest.ref);
    const [first] = lapses;
    const last = lapses.at(-1);
    if (!first || !last || first.at > newest.createdAt + showsMs) return false;
    if (Math.max(watchedSince, before.createdAt) > newest.createdAt - showsMs) return false;
    if (now >= last.at + hourMs) return false;
    // Within its first hour, so that what was told is not taken back because it goes on more slowly.
    const sinceThen = lapses.filter(({ at }) => at <= first.at + hourMs).length;
    const earlier = world
      .instability(before.ref)
      .lapses.filter(({ at }) => at > newest.createdAt - hourMs && at <= newest.createdAt).length;
    const isWorse = sinceThen >= earlier + moreLapses && sinceThen >= earlier * timesAsMany;
    if (!isWorse || !isWidespread(lapses, deployment.replicas)) return false;
    return {
      since: first.at,
      facts: {
        ...{ wanted: deployment.replicas, ready: deployment.ready, revision: newest.revision ?? '' },
        ...{ lapses: lapses.length, lapsed: new Set(lapses.map(({ pod }) => pod)).size },
        ...{ before: before.revision ?? '', lapsesBefore: earlier },
      },
      lookAgainAt: last.at + hourMs,
    };
  },
});

/** Releases that are worse than what they replace. */
export const regressionDetectors: readonly Detector[] = [releaseRegression];
