import type { World } from './world.ts';

/** What is worked out of a world as it is: once until anything changes, for all that ask. */
export function perRevision<T>(workOut: (world: World) => T): (world: World) => T {
  const known = new WeakMap<World, { readonly revision: number; readonly value: T }>();
  return (world) => {
    const { revision } = world;
    const last = known.get(world);
    if (last?.revision === revision) return last.value;
    const value = workOut(world);
    known.set(world, { revision, value });
    return value;
  };
}
