import { namespaceOf } from '../model/ref.ts';
import { given } from '../world/fields.ts';
import type { PodView } from '../world/kinds/pod.ts';
import type { ObservedWorld } from '../world/world.ts';
import { capacityFor } from './capacity.ts';
import { conditionOf } from './conditions.ts';
import { type Detector, detector, type Problem } from './detector.ts';
import { namedObstacles } from './missing.ts';
import { isOut, rolloutUntil } from './rolling-out.ts';
import { patienceWith } from './room.ts';
import { failedScaleUpFor } from './scale-up.ts';
import { sharedTaint } from './shared-taint.ts';

const pods = { judges: 'Pod', edition: 'Community' } as const;

/**
 * Whether its workload served, has nothing left, and waits for room with the only Pod that it is to have; or when to look again
 * (epoch milliseconds), where a rollout is the reason until then. Of several Pods others may be on their way, which the rows of the workload see.
 */
function isStranded(pod: PodView, world: ObservedWorld, now: number): boolean | number {
  const workload = world.get(world.topOwner(pod.ref));
  if (typeof workload !== 'object' || (workload.kind !== 'Deployment' && workload.kind !== 'StatefulSet')) return false;
  if (workload.replicas !== 1) return false;
  return isOut(pod, world, now) || rolloutUntil(workload, world, now);
}

/** Whether nobody is known to make room for it. */
const isShort = ({ settle, forSeconds = 0 }: Pick<Problem, 'forSeconds' | 'settle'>): boolean =>
  settle === 'waits' && forSeconds <= 90;

/** Nobody makes a Node for it, and nothing else serves: whoever leaves has left by then. */
const nothingLeft: Pick<Problem, 'forSeconds' | 'settle'> = { forSeconds: 35, settle: 'conclusive' };

/** A Pod that the scheduler has not placed, for one of its reasons. */
function unplaced(pod: PodView, reason: string): { since: number; text: string } | undefined {
  const scheduled = conditionOf(pod, 'PodScheduled');
  if (pod.phase !== 'Pending' || scheduled?.status !== 'False' || scheduled.reason !== reason) return undefined;
  return { since: scheduled.since, text: scheduled.message };
}

const unschedulable = detector({
  ...pods,
  id: 'P15',
  reasons: [{ reason: 'Unschedulable', family: 'schedule', sure: 'likely' }],
  reads: ['Node', 'Deployment', 'StatefulSet', 'DaemonSet'],
  severity: 'high',
  settle: 'waits',
  exemptions: ['terminating', 'disrupted'],
  source: 'core/v1 Pod condition PodScheduled=False, reason Unschedulable',
  predicate:
    'no Node fits a Pod: for 15 min where an autoscaler says that it makes one, for 5 min where Nodes are added (node pools, an autoscaler, a Node made since), for 30 s where none can ever fit (conclusive), for 35 s where it is the only replica, and the workload served (conclusive), for 60 s where a resource is used up, else for 90 s',
  clears: 'the Pod is scheduled',
  symptom: 'start',
  patience:
    '60 s for room to be made, 35 s for an only replica that served, 90 s for what else may pass; 5 min where Nodes are added by themselves; 30 s where none can ever fit',
  isNot:
    'a scale-up that the autoscaler has under way; a Pod with scheduling gates; a claim that waits for its first Pod',
  judge: (pod, world, now) => {
    const waits = unplaced(pod, 'Unschedulable');
    if (!waits) return false;
    const failedScaleUp = failedScaleUpFor(pod, world, now);
    const patience = patienceWith(pod, waits.since, waits.text, world, now);
    const named = namedObstacles(waits.text, namespaceOf(pod.ref));
    const others = failedScaleUp ? [failedScaleUp] : capacityFor(pod, waits.text, world);
    const tainted = sharedTaint(waits.text, world, now);
    const stranded = isShort(patience) && isStranded(pod, world, now);
    return {
      since: waits.since,
      stands: true,
      ...(stranded === true ? nothingLeft : patience),
      ...(typeof stranded === 'number' && { lookAgainAt: stranded }),
      detail: waits.text,
      names: named.length > 0 || patience.settle === 'conclusive' ? named : tainted ? [tainted.node] : others,
      ...(tainted && { facts: { taint: tainted.taint } }),
    };
  },
});

const schedulerError = detector({
  ...pods,
  id: 'P17',
  reasons: [{ reason: 'SchedulerError', family: 'schedule', sure: 'likely' }],
  severity: 'high',
  forSeconds: 60,
  settle: 'waits',
  exemptions: ['terminating'],
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
  ...pods,
  id: 'P16',
  reasons: [{ reason: 'SchedulingGated', family: 'schedule', sure: 'likely' }],
  severity: 'low',
  forSeconds: 3600,
  settle: 'waits',
  exemptions: ['terminating'],
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
