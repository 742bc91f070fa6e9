import { declaredReasons } from '../../src/detect/catalogue.ts';
import type { ReasonRow } from '../../src/detect/kit/detector.ts';
import { families } from '../../src/model/reason-traits.ts';
import { confidences } from '../../src/model/severity.ts';
import { mark } from './mark.ts';

/** Rows of which the first tell most: by family, then by how far the reason alone tells the cause, then as declared. */
function ranked(rows: readonly ReasonRow[]): ReasonRow[] {
  return rows.toSorted(
    (a, b) =>
      families.indexOf(a.family) - families.indexOf(b.family) ||
      confidences.indexOf(a.sure) - confidences.indexOf(b.sure),
  );
}

/**
 * The text of `src/model/reason.ts`: every reason that a detector declares, once. Those who declare the same reason must agree
 * on what is known of it.
 */
export function reasonsText(): string {
  const rows = new Map<string, ReasonRow>();
  for (const row of declaredReasons()) {
    const known = rows.get(row.reason) ?? row;
    if (known.family !== row.family || known.sure !== row.sure)
      throw new Error(`two detectors declare ${row.reason} differently: give it one family and one \`sure\``);
    rows.set(row.reason, known);
  }
  const lines = ranked([...rows.values()]).map(
    ({ reason, family, sure }) => `  ${reason}: { family: '${family}', sure: '${sure}' },`,
  );
  return `// ${mark}
import type { ReasonTraits } from './reason-traits.ts';

/**
 * Every reason an incident can have, as the detectors declare them (\`docs/noticed\`). In order of how much they tell, most
 * first: of several reasons on one object the first names the problem.
 */
export const reasonTraits = {
${lines.join('\n')}
} as const satisfies Readonly<Record<string, ReasonTraits>>;

/** A reason of the table above. */
export type Reason = keyof typeof reasonTraits;

/** Every reason, those that tell most first. */
export const reasons: readonly Reason[] = Object.keys(reasonTraits).filter(isReason);

/** Whether a word is a reason of ours. */
function isReason(word: string): word is Reason {
  return Object.hasOwn(reasonTraits, word);
}
`;
}
