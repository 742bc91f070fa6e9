import type { NodeStatsView } from '../../world/kinds/cluster/node-stats.ts';
import type { Projection } from '../../world/kinds/kinds.ts';
import { given } from '../../world/reading/fields.ts';
import type { Measured, Usage } from '../../world/reading/usage.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import type { Declaration, Problem } from './detector.ts';

/** Kubelets that are looked at for one object: a volume that many Nodes mount is as full on each. */
const maxKubelets = 8;
/** Nearly nothing is left (percent in use). */
export const lastPercent = 97;
/** Seconds. */
export const minutes = 60;

/** What kubelets measure of an object. */
export function statsOf({ ref }: Projection, world: ObservedWorld): readonly NodeStatsView[] {
  return [...world.linked(ref, 'describes', 'in', maxKubelets)]
    .sort()
    .map((stats) => world.get(stats))
    .filter((view) => typeof view === 'object')
    .filter((view) => view.kind === 'NodeStats');
}

/** What is told of an object by its kubelets, each thing once. */
export function usagesOf(object: Projection, of: Measured, world: ObservedWorld): readonly Usage[] {
  const name = object.ref.slice(object.ref.lastIndexOf('/') + 1);
  const namespace = object.ref.split('/')[1] ?? '';
  const isOf = (usage: Usage): boolean =>
    usage.of === of && (usage.name === undefined || (usage.name === name && usage.namespace === namespace));
  const found = statsOf(object, world).flatMap(({ usages }) => usages.filter(isOf));
  return found.filter(({ container }, at) => found.findIndex((other) => other.container === container) === at);
}

/** What is told of a measurement. */
export function factsOf({ percent, used, capacity, container, fullInHours }: Usage): Problem['facts'] {
  return { percent, ...given({ used, capacity, container, fullInHours }) };
}

/** What all of them have in common. */
export const bySummary = { reads: ['NodeStats'], edition: 'Pro', settle: 'waits' } as const;
/** Where the API documents it. */
export const source =
  'stats/v1alpha1 Summary of the kubelet (k8s.io/kubelet), through the API server; off unless the cluster allows it';

/** What a row of one measurement says for itself. */
export type Row = Pick<
  Declaration,
  'id' | 'severity' | 'predicate' | 'isNot' | 'reasons' | 'forSeconds' | 'clears' | 'patience'
> & {
  readonly of: Measured;
};
