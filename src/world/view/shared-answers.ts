import type { Ref } from '../../model/ref.ts';
import { perRevision } from './per-revision.ts';
import type { World } from './world.ts';

/**
 * What many ask of the same object, worked out once until anything in the world changes: a thousand clients name one database.
 */
export function sharedAnswer<T>(reckon: (ref: Ref, world: World) => T): (ref: Ref, world: World) => T {
  const answers = perRevision(() => new Map<Ref, T>());
  return (ref, world) => {
    const values = answers(world);
    const before = values.get(ref);
    if (before !== undefined) return before;
    const value = reckon(ref, world);
    values.set(ref, value);
    return value;
  };
}
