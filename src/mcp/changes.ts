import type { Seen } from '../diagnose/diagnosis.ts';
import { namespaceOf, type Ref } from '../model/ref.ts';
import { pathOf } from './object.ts';

/** Edits are remembered for so long (ms). */
const memoryMs = 30 * 60_000;

/** Edits of an object, of a namespace or of everything, the newest first. */
export function changesIn(
  { view, now }: Seen,
  only: Ref | undefined,
  namespace: string | undefined,
): readonly object[] {
  const refs = only === undefined ? view.world.everything() : [only];
  return [...refs]
    .filter((ref) => only !== undefined || namespace === undefined || namespaceOf(ref) === namespace)
    .flatMap((ref) => view.world.changes(ref, now - memoryMs))
    .sort((a, b) => b.at - a.at)
    .map(({ ref, field, at, by, from, to, container, parts, certain }) => ({
      ...{ object: pathOf(ref), field, at: new Date(at).toISOString() },
      ...{ by, from, to, container, parts },
      // The API shows of some objects that they were written, and not what.
      ...(certain ? {} : { perhaps: true }),
    }));
}
