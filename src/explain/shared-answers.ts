import type { Ref } from '../model/ref.ts';
import type { World } from '../world/world.ts';

/** What was worked out about objects of a world as it is. */
type Known<T> = { readonly revision: number; readonly values: Map<Ref, T> };

/**
 * What many ask of the same object, worked out once until anything in the world changes: a thousand clients name one database.
 */
export function sharedAnswer<T>(reckon: (ref: Ref, world: World) => T): (ref: Ref, world: World) => T {
  const known = new WeakMap<World, Known<T>>();
  return (ref, world) => {
    const { revision } = world;
    const last = known.get(world);
    const { values } = last?.revision === revision ? last : { values: new Map<Ref, T>() };
    if (values !== last?.values) known.set(world, { revision, values });
    const before = values.get(ref);
    if (before !== undefined) return before;
    const value = reckon(ref, world);
    values.set(ref, value);
    return value;
  };
}
