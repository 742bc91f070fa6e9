import { kindOf, namespaceOf, type Ref, refOf } from '../../model/ref.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import type { ObservedWorld } from '../../world/view/world.ts';

/** The LimitRange of a namespace, where it has one alone. */
export function limitRangeOf(namespace: string, world: ObservedWorld): readonly Ref[] {
  const ranges = [...world.linked(refOf('Namespace', '', namespace), 'limits', 'in')].filter(
    (ref) => kindOf(ref) === 'LimitRange',
  );
  return ranges.length === 1 ? ranges : [];
}

/** The LimitRange that gave a container its memory limit: it has one, and the template that its Pod is made of has none. */
export function givenByLimitRange({ ref, owner, template }: PodView, container: string, world: ObservedWorld) {
  const limitIn = (containers: PodView['template']['containers']): string | undefined =>
    containers.find(({ name }) => name === container)?.memoryLimit;
  const maker = owner === undefined ? 'absent' : world.get(owner);
  if (typeof maker !== 'object' || !('template' in maker)) return [];
  const isGiven = limitIn(template.containers) !== undefined && limitIn(maker.template.containers) === undefined;
  return isGiven ? limitRangeOf(namespaceOf(ref), world) : [];
}
