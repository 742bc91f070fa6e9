import type { ObservedWorld } from '../world/world.ts';

/** What was worked out of a world as it was at one instant. */
type Known<T> = { readonly at: number; readonly revision: number; readonly value: T };

/**
 * What is the same for all that is judged at one instant, worked out once: a thousand Pods may wait on a thousand Nodes. Anything
 * that changes makes it be worked out anew.
 */
export function once<T>(reckon: (world: ObservedWorld, now: number) => T): (world: ObservedWorld, now: number) => T {
  const known = new WeakMap<ObservedWorld, Known<T>>();
  return (world, now) => {
    const { revision } = world;
    const last = known.get(world);
    if (last?.at === now && last.revision === revision) return last.value;
    const value = reckon(world, now);
    known.set(world, { at: now, revision, value });
    return value;
  };
}
