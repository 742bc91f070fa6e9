import { describeRef } from '../../model/ref.ts';
import type { WorkloadView } from '../../world/kinds/workloads/workload.ts';
import type { DepartureKind } from '../../world/memory/departures.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { type Detector, type DetectorOf, detector, type Problem } from '../kit/detector.ts';
import { preemptorOf } from '../placement/preemption.ts';

const hour = 60 * 60_000;

/** Workloads that make a Pod anew that went. */
const owners = ['Deployment', 'StatefulSet'] as const;

/** Whether enough Pods of a workload went in one way within some time. */
function departed(
  workload: WorkloadView,
  how: DepartureKind,
  { enough, withinMs }: { readonly enough: number; readonly withinMs: number },
  world: ObservedWorld,
  now: number,
): Problem | false {
  const lately = world.departures(workload.ref).filter((each) => each.how === how && each.at > now - withinMs);
  const [first] = lately;
  const counting = lately.at(-enough);
  if (!first || !counting) return false;
  return { since: first.at, facts: { departed: lately.length }, lookAgainAt: counting.at + withinMs };
}

const preempted = owners.map((judges) =>
  detector({
    id: 'P25',
    judges,
    reasons: [{ reason: 'Preempted', family: 'schedule', sure: 'likely' }],
    severity: 'low',
    exemptions: ['terminating', 'scaledToZero'],
    source:
      'core/v1 Pod condition DisruptionTarget, reason PreemptionByScheduler, of Pods of the workload (scheduler preemption/executor.go)',
    predicate: 'two Pods of a workload were preempted within an hour',
    clears: 'fewer were within the last hour',
    symptom: 'gone',
    patience: 'two within an hour: one is how priorities work',
    isNot: 'one preemption; Pods that are evicted through the API or by a drain',
    judge: (workload, world, now) => {
      const found = departed(workload, 'preempted', { enough: 2, withinMs: hour }, world, now);
      if (found === false) return false;
      const by = preemptorOf(workload.ref, world, now);
      return by === undefined
        ? found
        : { ...found, facts: { ...found.facts, preemptor: describeRef(by) }, names: [by] };
    },
  } satisfies DetectorOf<typeof judges>),
);

const exceededGracePeriod = owners.map((judges) =>
  detector({
    id: 'P32',
    judges,
    reasons: [{ reason: 'ExceededGracePeriod', family: 'run', sure: 'likely' }],
    severity: 'low',
    exemptions: ['terminating', 'scaledToZero'],
    source:
      'core/v1 ContainerStateTerminated exit code 137 at the end of the grace period of a Pod that is being deleted',
    predicate: 'three Pods of a workload did not end by themselves within their grace period in a day, and were killed',
    clears: 'fewer were within the last day',
    symptom: 'gone',
    patience: 'three within a day: one may hang by chance',
    isNot: 'Pods that end in time; a Pod that ran out of memory while it ended; a forced deletion',
    judge: (workload, world, now) =>
      departed(workload, 'killedAtGraceEnd', { enough: 3, withinMs: 24 * hour }, world, now),
  } satisfies DetectorOf<typeof judges>),
);

/** Workloads by how their Pods went, in the order of the catalogue. */
export const departedDetectors: readonly Detector[] = [...preempted, ...exceededGracePeriod];
