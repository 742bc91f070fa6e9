import { shortHash } from '../../src/model/hash.ts';
import { kindOf, nameOf, namespaceOf, type Ref } from '../../src/model/ref.ts';
import { watchedKinds } from '../../src/world/kinds/kinds.ts';
import { recordedNames } from '../scenarios/kit/recorded.ts';
import { askedAt, linesOf, type Moment, momentOf } from './holding.ts';

/**
 * Recorded clusters, each at the moment at which somebody asks, with its lines: so many of all, drawn by their names, so that a new scenario changes
 * few of those that are drawn. `DRAW` draws others by any word, to see how well what was tuned on some does on others.
 */
export function* drawn(count: number): Generator<Moment & { readonly lines: readonly string[] }> {
  const { DRAW: word } = process.env;
  const rank = (name: string): string => shortHash(word === undefined ? [name] : [word, name]);
  const names = recordedNames('labelled').toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
  let left = count;
  for (const name of names) {
    if (left === 0) return;
    const lines = linesOf(name);
    const asked = askedAt(lines);
    const moment = asked === 0 ? undefined : momentOf(lines, asked);
    if (!moment || moment.roots.length === 0 || !moment.roots.every((root) => isThere(root, moment))) continue;
    left -= 1;
    yield { ...moment, lines };
  }
}

/** Whether a root is still there: of an object that was deleted, the live run goes on telling for a while what no dump can hold. */
function isThere(root: Ref, { objects }: Moment): boolean {
  if (!watchedKinds.some(({ kind }) => kind === kindOf(root))) return true;
  return objects.some(
    ({ kind, metadata }) =>
      kind === kindOf(root) && metadata.name === nameOf(root) && (metadata.namespace ?? '') === namespaceOf(root),
  );
}
