import { earliest } from '../../model/instants.ts';
import { nameOf } from '../../model/ref.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import type { WorkloadView } from '../../world/kinds/workloads/workload.ts';
import { isReady } from '../../world/pods/readiness.ts';
import { given } from '../../world/reading/fields.ts';
import { selectorOf } from '../../world/reading/label-selector.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { type Detector, detector, type LookAgain, type Problem } from '../kit/detector.ts';
import { podsOf } from './outage.ts';
import { byOrdinal, excusedUntil } from './workload.ts';

const row = {
  severity: 'high',
  exemptions: ['terminating', 'scaledToZero'],
  symptom: 'rollout',
} as const;

/** A new Pod may need this long until it is ready, and nothing moves meanwhile. */
const movesSeconds = 600;
/** A Pod of a revision that nobody wants any more, and that the controller waits for. */
const waitsInVainSeconds = 40;

/** How many Pods of a StatefulSet are to have its new revision. */
const toUpdate = ({ replicas, partition = 0 }: WorkloadView): number => Math.max(0, replicas - partition);

/** Of the Pods of a StatefulSet that are not ready the first by ordinal: with ordered starts it holds up the others. */
function firstUnready(set: WorkloadView, world: ObservedWorld): PodView | undefined {
  const unready = podsOf(set.ref, world).filter((pod) => !isReady(pod) && pod.deletionAt === undefined);
  return unready.sort((a, b) => byOrdinal(nameOf(a.ref), nameOf(b.ref)))[0];
}

/** Whether its controller waits for a Pod to become ready that it would replace if it were. */
function waitsInVain({ isParallel, revision }: WorkloadView, pod: PodView | undefined): boolean {
  const made = pod?.labels['controller-revision-hash'];
  return !isParallel && made !== undefined && revision !== undefined && made !== revision;
}

const statefulSetRolloutStuck = detector({
  ...row,
  id: 'W8',
  reasons: [{ reason: 'StatefulSetRolloutStuck', family: 'consequence', sure: 'unknown' }],
  judges: 'StatefulSet',
  reads: ['Pod'],
  source:
    'apps/v1 StatefulSet status.currentRevision, updateRevision, updatedReplicas; spec.updateStrategy, podManagementPolicy; label controller-revision-hash',
  predicate:
    'a rollout did not move for 10 min, or for 40 s where it waits for a Pod of another revision that is not ready: such a Pod has to be deleted by hand',
  clears: 'a Pod was updated or became ready, or the rollout is complete',
  patience: '10 min: a Pod may need that long to become ready',
  isNot: 'OnDelete, where people replace the Pods; what a partition holds back on purpose',
  judge: (set, world) => {
    const { ref, revision, currentRevision, updated, ready, replicas, updatesOnDelete } = set;
    if (updatesOnDelete || revision === undefined || revision === currentRevision) return false;
    if (set.observedGeneration < set.generation || (updated >= toUpdate(set) && ready >= replicas)) return false;
    const first = firstUnready(set, world);
    const inVain = waitsInVain(set, first);
    return {
      since: world.since(ref, movingFacet(set)),
      forSeconds: inVain ? waitsInVainSeconds : movesSeconds,
      settle: inVain ? 'conclusive' : 'waits',
      facts: {
        ...{ updated, wanted: toUpdate(set), ready, ...selectorOf(set) },
        ...given({ firstUnready: first && nameOf(first.ref), deleteByHand: inVain ? 1 : undefined }),
      },
    };
  },
});

/** The facet under which the world keeps since when a rollout has been where it is (`world/kinds/workloads/workload.ts`). */
function movingFacet({ revision, generation, updated, ready }: WorkloadView): string {
  return `updating/${revision ?? generation}/${updated}/${ready}`;
}

const daemonSetRolloutStuck = detector({
  ...row,
  id: 'W11',
  reasons: [{ reason: 'DaemonSetRolloutStuck', family: 'consequence', sure: 'unknown' }],
  judges: 'DaemonSet',
  reads: ['Pod', 'Node'],
  source:
    'apps/v1 DaemonSet status.updatedNumberScheduled, numberReady; spec.updateStrategy; its Pods joined to their Nodes',
  predicate: 'a rollout did not move for 10 min, and some Pod on a healthy Node is not ready or not there',
  clears: 'a Pod was updated or became ready, or the rollout is complete',
  patience: '10 min: a Pod may need that long to become ready',
  isNot:
    'OnDelete, where people replace the Pods; Nodes that are away, leaving or young; Nodes without a Pod while all Pods there are of the new revision',
  judge: (set, world, now): Problem | LookAgain | false => {
    const { ref, updated, created, replicas, ready, updatesOnDelete } = set;
    if (updatesOnDelete || updated >= replicas || set.observedGeneration < set.generation) return false;
    // Where no Pod of another revision is left there is nothing to roll out: W12 tells of Nodes without one.
    if (updated >= created) return false;
    const pods = podsOf(ref, world);
    const unready = pods.filter((pod) => !isReady(pod));
    const excused = unready.flatMap((pod) => excusedUntil(pod, world, now) ?? []);
    if (unready.length > 0 && excused.length === unready.length && pods.length >= replicas) {
      const next = earliest(excused);
      return Number.isFinite(next) && { lookAgainAt: next };
    }
    return {
      since: world.since(ref, movingFacet(set)),
      forSeconds: movesSeconds,
      facts: { updated, wanted: replicas, ready, ...selectorOf(set) },
    };
  },
});

/** Rollouts that hang without anybody saying so. */
export const rolloutDetectors: readonly Detector[] = [statefulSetRolloutStuck, daemonSetRolloutStuck];
