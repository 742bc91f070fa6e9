import { standsIn } from './stand-ins.ts';

/** What stands in the place of a secret. */
export const mark = '***';

/** One kind of secret: what it looks like, and what is left of it. */
export type Rule = {
  /** For people and tests. */
  readonly what: string;
  /**
   * Global. It begins at a literal or at the first character of its own class and nests no unbounded repetition, so that it takes
   * linear time whatever a log line holds.
   */
  readonly pattern: RegExp;
  /** A text without any of these cannot match, and is not searched further: in any case of letters where the pattern is, too. */
  readonly needs?: readonly string[];
  /** A cheaper look than the pattern: where it says no, nothing can match. */
  readonly hint?: (text: string) => boolean;
  /** What the match would be without, by what is gone and what stands before it in the text: there it stays. */
  readonly unless?: (gone: string, before: string) => boolean;
  /** Default: what stands before it, the first group, and the mark. */
  readonly keep?: string | ((whole: string, ...groups: (string | undefined)[]) => string);
};

/** Spaces as people and tables write them, within one line. */
export const spaces = '[^\\S\\r\\n]{0,20}';

/** As much of the text before a match as `unless` is shown. */
const charsBefore = 100;

/** The text after one rule. What only stands in for a secret stays, whatever the rule says. */
export function applied({ pattern, unless, keep = `$1${mark}` }: Rule, text: string): string {
  return text.replace(pattern, (whole: string, ...rest: (string | undefined)[]) => {
    const hidden =
      typeof keep === 'string' ? keep.replace(/\$(\d)/g, (_, group) => rest[group - 1] ?? '') : keep(whole, ...rest);
    if (hidden === whole) return whole;
    const kept = hidden.slice(0, hidden.indexOf(mark));
    const gone = whole.slice(kept.length, whole.length - (hidden.length - hidden.lastIndexOf(mark) - mark.length));
    if (standsIn(gone)) return whole;
    if (unless === undefined) return hidden;
    // The last but one of what `replace` tells.
    const at = Number(rest.at(-2));
    return unless(gone, text.slice(Math.max(0, at - charsBefore), at) + kept) ? whole : hidden;
  });
}
