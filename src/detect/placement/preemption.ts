import type { Ref } from '../../model/ref.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import { once } from '../../world/view/once.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { conditionOf } from '../kit/conditions.ts';

/** Preemptions are looked at this long (ms): as long as they are told. */
const lookMs = 60 * 60_000;
/** Who preempts comes once those have gone that are in its way: grace periods are 30 s by default. */
const [aheadMs, afterMs] = [5000, 5 * 60_000];

/** A Pod with a priority that came to a Node. `at`: epoch milliseconds. */
type Arrival = { readonly workload: Ref; readonly node: string; readonly priority: number; readonly at: number };

function arrivalOf(pod: PodView, world: ObservedWorld, now: number): Arrival | undefined {
  const { node, template, ref } = pod;
  const scheduled = conditionOf(pod, 'PodScheduled');
  if (node === undefined || template.priority === undefined || scheduled?.status !== 'True') return undefined;
  if (scheduled.since < now - lookMs) return undefined;
  return { workload: world.topOwner(ref), node, priority: template.priority, at: scheduled.since };
}

/** What came to Nodes within the hour with a priority of its own. */
const arrivals = once((world, now): readonly Arrival[] => {
  const found: Arrival[] = [];
  for (const pod of world.all('Pod')) {
    const arrival = pod.kind === 'Pod' ? arrivalOf(pod, world, now) : undefined;
    if (arrival) found.push(arrival);
  }
  return found;
});

/**
 * The workload for which Pods of another were preempted within the hour: of those that came to their Nodes just then the one of the highest
 * priority, which comes there most often.
 */
export function preemptorOf(workload: Ref, world: ObservedWorld, now: number): Ref | undefined {
  const gone = world.departures(workload).filter(({ how, at }) => how === 'preempted' && at > now - lookMs);
  if (gone.length === 0) return undefined;
  const came = new Map<Ref, { readonly priority: number; readonly times: number }>();
  for (const each of arrivals(world, now)) {
    const isThere = gone.some(
      ({ node, at }) => node === each.node && each.at >= at - aheadMs && each.at <= at + afterMs,
    );
    if (!isThere || each.workload === workload) continue;
    const { times = 0 } = came.get(each.workload) ?? {};
    came.set(each.workload, { priority: each.priority, times: times + 1 });
  }
  const [best] = [...came].sort(
    ([a, one], [b, other]) => other.priority - one.priority || other.times - one.times || (a < b ? -1 : 1),
  );
  return best?.[0];
}
