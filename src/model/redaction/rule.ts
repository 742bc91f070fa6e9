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
  /** A text without any of these cannot match, and is not searched further. */
  readonly needs?: readonly string[];
  /** A cheaper look than the pattern: where it says no, nothing can match. */
  readonly hint?: (text: string) => boolean;
  readonly keep: string | ((whole: string, ...groups: (string | undefined)[]) => string);
};

/** Spaces as people and tables write them, within one line. */
export const spaces = '[^\\S\\r\\n]{0,20}';
