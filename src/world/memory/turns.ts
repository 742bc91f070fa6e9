import { kindOf } from '../../model/ref.ts';
import { type Projection, watchedKind } from '../kinds/kinds.ts';
import type { Condition } from '../reading/meta.ts';

/** Condition types of an object that turned from or to True, by when (epoch milliseconds, the oldest first). */
export type Turns = ReadonlyMap<string, readonly number[]>;

/** How long turns are remembered (ms), and how many of one condition. */
const turnMemoryMs = 60 * 60_000;
const maxTurns = 12;
const noConditions: readonly Condition[] = [];
/** It has not turned. */
export const noTurns: readonly number[] = [];

/** The conditions that turned from or to True, of those that its kind remembers, with when they did. */
export function turnedOf(before: Projection | undefined, after: Projection): readonly Condition[] {
  const types = before && watchedKind(kindOf(after.ref))?.turning;
  if (!types || !('conditions' in before) || !('conditions' in after)) return noConditions;
  return after.conditions.filter(({ type, status }) => {
    const was = types.includes(type) && before.conditions.find((condition) => condition.type === type);
    if (!was || (was.status === 'True') === (status === 'True')) return false;
    // Every Pod becomes ready once, and loses it when it goes: only what was lost by one that stays says something.
    return after.kind !== 'Pod' || (status !== 'True' && after.deletionAt === undefined);
  });
}

/** Turns that are remembered after these; the same if that makes no difference. `now`: epoch milliseconds. */
export function turnsAfter(known: Turns, turned: readonly Condition[], now: number): Turns {
  const isOld = (at: number): boolean => at <= now - turnMemoryMs;
  if (turned.length === 0 && !known.values().some((times) => times.some(isOld))) return known;
  const turns = new Map(known);
  for (const { type, since } of turned) turns.set(type, [...(turns.get(type) ?? noTurns), since].slice(-maxTurns));
  for (const [type, times] of turns) {
    const recent = times.filter((at) => !isOld(at));
    if (recent.length === 0) turns.delete(type);
    else turns.set(type, recent);
  }
  return turns;
}
