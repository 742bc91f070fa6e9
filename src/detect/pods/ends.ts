import { latest } from '../../model/instants.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import { readySince } from '../../world/pods/readiness.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { conditionOf } from '../kit/conditions.ts';
import { lastEnd } from '../kit/containers.ts';

/** Failed Pods of one owner that are looked at to tell one from many. */
const siblingSample = 64;

/** When a Pod ended (epoch milliseconds), by its containers or, where none ran, by its conditions. */
export function endedAt(pod: PodView): number {
  const ends = pod.containers.flatMap((state) => lastEnd(state)?.finishedAt ?? []);
  const disrupted = conditionOf(pod, 'DisruptionTarget')?.since;
  return latest([readySince(pod), ...ends, ...(disrupted === undefined ? [] : [disrupted])]);
}

/** The Pods of its owner, itself among them, that ended in the same way after an instant; of very many, a sample. */
export function* alike(
  pod: PodView,
  isAlike: (other: PodView) => boolean,
  after: number,
  world: ObservedWorld,
): Iterable<PodView> {
  if (pod.owner === undefined) return;
  for (const ref of world.linked(pod.owner, 'owned-by', 'in', siblingSample)) {
    const other = world.get(ref);
    if (typeof other === 'object' && other.kind === 'Pod' && isAlike(other) && endedAt(other) > after) yield other;
  }
}
