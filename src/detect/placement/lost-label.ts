import type { Ref } from '../../model/ref.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import { once } from '../../world/view/once.ts';
import type { ObservedWorld } from '../../world/view/world.ts';

/** The Nodes that lost a label lately, by `key=value`; of several the first by name. */
const byLabel = once((world): ReadonlyMap<string, Ref> => {
  const lost = new Map<string, Ref>();
  for (const { ref } of world.all('Node'))
    for (const { field, parts = [] } of world.changes(ref, 0))
      if (field === 'labels') for (const part of parts) if (ref < (lost.get(part) ?? '~')) lost.set(part, ref);
  return lost;
});

/** The Node that lost a label lately which a Pod selects its Node by. */
export function lostLabel({ template }: PodView, world: ObservedWorld, now: number): Ref | undefined {
  const wanted = Object.entries(template.nodeSelector);
  if (wanted.length === 0) return undefined;
  const lost = byLabel(world, now);
  return wanted.map(([key, value]) => lost.get(`${key}=${value}`)).find((node) => node !== undefined);
}
