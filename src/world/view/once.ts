import { perRevision } from './per-revision.ts';
import type { ObservedWorld } from './world.ts';

/**
 * What is the same for all that is judged at one instant, worked out once: a thousand Pods may wait on a thousand Nodes. Anything
 * that changes makes it be worked out anew.
 */
export function once<T>(reckon: (world: ObservedWorld, now: number) => T): (world: ObservedWorld, now: number) => T {
  const answers = perRevision(() => new Map<number, { readonly value: T }>());
  return (world, now) => {
    const known = answers(world);
    const answer = known.get(now) ?? { value: reckon(world, now) };
    known.clear();
    known.set(now, answer);
    return answer.value;
  };
}
