import { reasons } from '../../model/reason.ts';
import { globMatches } from '../../model/selector.ts';
import { didYouMean } from '../../model/suggest.ts';
import { joinPath } from '../../schema/path.ts';

/** A reason that no incident can have: the field, and what to do about it. */
export type UnknownReason = { readonly rule: 'UnknownReason'; readonly path: string; readonly message: string };

/** Reasons that no incident can have. `path`: of the list. */
export function unknownReasons(globs: readonly string[], path: string): readonly UnknownReason[] {
  return globs.flatMap((glob, index): readonly UnknownReason[] => {
    const bare = glob.replace(/^!/, '');
    if (reasons.some((reason) => globMatches(bare, reason))) return [];
    const at = joinPath(path, index);
    const meant = didYouMean(bare, reasons) || ': docs/noticed lists them all';
    return [
      {
        rule: 'UnknownReason',
        path: at,
        message: `\`${at}\` is "${glob}", which no incident has as its reason${meant}`,
      },
    ];
  });
}
