import type { Effort } from '../../model/glob-words.ts';
import type { Selector } from '../../model/selector.ts';
import { coveredBy } from '../../model/selector-cover.ts';
import { joinPath } from '../../schema/path.ts';

/**
 * Why an entry of a list of selectors is never reached, as a sentence: earlier ones have taken all it picks. `path`: of the list;
 * `unit`: what an entry is called.
 */
export function whyNeedless(
  selectors: readonly Selector[],
  index: number,
  { path, unit, effort }: { readonly path: string; readonly unit: string; readonly effort: Effort },
): string | undefined {
  const earlier = coveredBy(selectors.slice(0, index), selectors[index] ?? {}, effort);
  if (earlier === undefined) return undefined;
  const others = earlier.map((other) => `\`${joinPath(path, other)}\``).join(' and ');
  const [verb, those] = earlier.length === 1 ? ['matches', 'earlier one'] : ['together match', 'earlier ones'];
  const isAll = earlier.some((other) => Object.keys(selectors[other] ?? {}).length === 0);
  const all = isAll ? 'everything' : 'all that this one matches';
  return `\`${joinPath(path, index)}\` does nothing, since ${others} before it ${verb} ${all}: remove this ${unit}, or narrow the ${those}`;
}
