import type { SignKind } from '../model/sign.ts';

/**
 * One way in which a program says something. The pattern is tried on one line of bounded length; what it captures has a name:
 * `host` and `port` for whom it could not reach, `peer` for its name where no address says more, `at` for an address with both, `name` for the path, variable or user.
 *
 * No pattern may begin with a repetition, hold one in another, or repeat without a bound: on any line of 2,000 characters it
 * must take time in proportion to the line.
 */
export interface SignRow {
  /** `none`: it looks like a sign and is said on normal days as well. */
  readonly kind: SignKind | 'none';
  /** Parts in lower case of which one must be in the line, or the pattern is not tried. */
  readonly needs: readonly string[];
  readonly pattern: RegExp;
  /** What the line must say behind it, where the two stand apart; tried once, so that it costs no more than a line. */
  readonly behind?: RegExp;
  /** Whom it is always about, where the line names nobody. */
  readonly whom?: string;
  /** Which program, runtime or library says it so. */
  readonly source: string;
}

/** Rows of one kind. */
export const rowsOf = (kind: SignRow['kind'], rows: readonly Omit<SignRow, 'kind'>[]): readonly SignRow[] =>
  rows.map((row) => ({ kind, ...row }));
