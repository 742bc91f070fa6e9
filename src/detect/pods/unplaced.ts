import { describeRef, namespaceOf } from '../../model/ref.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import { given } from '../../world/reading/fields.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { conditionOf } from '../kit/conditions.ts';
import { type Detector, detector, type Problem } from '../kit/detector.ts';
import { namedObstacles } from '../kit/missing.ts';
import { isOut, rolloutUntil } from '../kit/rolling-out.ts';
import { capacityFor, roomMakers } from '../placement/capacity.ts';
import { lostLabel } from '../placement/lost-label.ts';
import { preemptorOf } from '../placement/preemption.ts';
import { isSelectedNowhere, patienceWith } from '../placement/room.ts';
import { failedScaleUpFor } from '../placement/scale-up.ts';
import { sharedTaint } from '../placement/shared-taint.ts';
import { podsOf } from '../workloads/outage.ts';

/** Of a workload of more replicas its own rows see whether any is on its way: nobody looks at hundreds of Pods for each of them. */
const fewReplicas = 10;

/**
 * Whether its workload served, has nothing left, and waits for room with every Pod that it has; or when to look again (epoch
 * milliseconds), where a rollout is the reason until then, or others are still on their way.
 */
function isStranded(pod: PodView, since: number, world: ObservedWorld, now: number): boolean | number {
  const workload = world.get(world.topOwner(pod.ref));
  if (typeof workload !== 'object' || (workload.kind !== 'Deployment' && workload.kind !== 'StatefulSet')) return false;
  if (workload.replicas > fewReplicas) return false;
  if (!isOut(pod, world, now)) return rolloutUntil(workload, world, now);
  if (workload.replicas === 1) return true;
  // What becomes of the others wakes nobody: they are looked at when it would be told, and now and then after that.
  const dueAt = since + strandedMs;
  if (now < dueAt) return dueAt;
  const coming = podsOf(workload.ref, world).filter(({ deletionAt }) => deletionAt === undefined);
  return coming.every((each) => unplaced(each, 'Unschedulable') !== undefined) || now + againMs;
}

/** Whether nobody is known to make room for it. */
const isShort = ({ settle, forSeconds = 0 }: Pick<Problem, 'forSeconds' | 'settle'>): boolean =>
  settle === 'waits' && forSeconds <= 90;

/** Nobody makes a Node for it, and nothing else serves: whoever leaves has left by then (ms). */
const strandedMs = 35_000;
const nothingLeft: Pick<Problem, 'forSeconds' | 'settle'> = { forSeconds: strandedMs / 1000, settle: 'conclusive' };
/** The same where a Node keeps several away: the others wait a moment later, and it is told of once. */
const sharedByAll: typeof nothingLeft = { ...nothingLeft, settle: 'waits' };
/** The others are looked at again after so long (ms). */
const againMs = 10_000;

/** A Pod that the scheduler has not placed, for one of its reasons. */
function unplaced(pod: PodView, reason: string): { since: number; text: string } | undefined {
  const scheduled = conditionOf(pod, 'PodScheduled');
  if (pod.phase !== 'Pending' || scheduled?.status !== 'False' || scheduled.reason !== reason) return undefined;
  return { since: scheduled.since, text: scheduled.message };
}

const unschedulable = detector({
  judges: 'Pod',
  id: 'P15',
  reasons: [{ reason: 'Unschedulable', family: 'schedule', sure: 'likely' }],
  reads: ['Node', 'Deployment', 'StatefulSet', 'DaemonSet'],
  severity: 'high',
  exemptions: ['terminating', 'disrupted'],
  source: 'core/v1 Pod condition PodScheduled=False, reason Unschedulable',
  predicate:
    'no Node fits a Pod: for 15 min where an autoscaler says that it makes one, for 5 min where Nodes are added (node pools, an autoscaler, a Node made since), for 30 s where none can ever fit (conclusive), for 35 s where the workload served, has nothing left, and none of its Pods is placed (conclusive), for 60 s where a resource is used up, else for 90 s',
  clears: 'the Pod is scheduled',
  symptom: 'start',
  patience:
    '60 s for room to be made, 35 s where nothing is left of what served, 90 s for what else may pass; 5 min where Nodes are added by themselves; 30 s where none can ever fit',
  isNot:
    'a scale-up that the autoscaler has under way; a Pod with scheduling gates; a claim that waits for its first Pod',
  judge: (pod, world, now) => {
    const waits = unplaced(pod, 'Unschedulable');
    if (!waits) return false;
    const failedScaleUp = failedScaleUpFor(pod, world, now);
    const patience = patienceWith(pod, waits.since, waits.text, world, now);
    const unlabelled = isSelectedNowhere(waits.text) ? lostLabel(pod, world, now) : undefined;
    const named = [...namedObstacles(waits.text, namespaceOf(pod.ref)), ...(unlabelled ? [unlabelled] : [])];
    const pushedBy = preemptorOf(world.topOwner(pod.ref), world, now);
    const others = failedScaleUp
      ? [failedScaleUp]
      : pushedBy
        ? [pushedBy]
        : [...capacityFor(pod, waits.text, world), ...roomMakers(waits.text, world, now)];
    const tainted = sharedTaint(waits.text, pod.template.nodeSelector, world, now);
    const stranded = isShort(patience) && isStranded(pod, waits.since, world, now);
    return {
      since: waits.since,
      stands: true,
      ...(stranded === true ? (tainted ? sharedByAll : nothingLeft) : patience),
      ...(typeof stranded === 'number' && { lookAgainAt: stranded }),
      detail: waits.text,
      names: named.length > 0 || patience.settle === 'conclusive' ? named : tainted ? [tainted.node] : others,
      facts: given({ taint: tainted?.taint, preemptor: pushedBy && describeRef(pushedBy) }),
    };
  },
});

const schedulerError = detector({
  judges: 'Pod',
  id: 'P17',
  reasons: [{ reason: 'SchedulerError', family: 'schedule', sure: 'likely' }],
  severity: 'high',
  forSeconds: 60,
  source: 'core/v1 Pod condition PodScheduled=False, reason SchedulerError',
  predicate: 'the scheduler fails to judge a Pod for 60 s',
  clears: 'the Pod is scheduled',
  symptom: 'start',
  patience: '60 s: the scheduler tries again',
  isNot: 'a Pod that fits on no Node (P15)',
  judge: (pod) => {
    const waits = unplaced(pod, 'SchedulerError');
    return waits !== undefined && { since: waits.since, detail: waits.text };
  },
});

const schedulingGated = detector({
  judges: 'Pod',
  id: 'P16',
  reasons: [{ reason: 'SchedulingGated', family: 'schedule', sure: 'likely' }],
  severity: 'low',
  forSeconds: 3600,
  source: 'core/v1 Pod condition PodScheduled=False, reason SchedulingGated; PodSpec.schedulingGates',
  predicate: 'a gate keeps a Pod from the scheduler for an hour',
  clears: 'its gates are gone',
  symptom: 'start',
  patience: 'an hour: queues hold Pods back on purpose',
  isNot: 'a Pod that waits for its turn in a queue',
  judge: (pod) => {
    const waits = unplaced(pod, 'SchedulingGated');
    return (
      waits !== undefined && {
        since: waits.since,
        facts: given({ gates: pod.template.schedulingGates?.join(', ') }),
      }
    );
  },
});

/** Pods without a Node; what tells most first. */
export const unplacedDetectors: readonly Detector[] = [unschedulable, schedulerError, schedulingGated];
