import { globMatches } from './selector.ts';
import type { Severity } from './severity.ts';

/** What people know a failure of their own by: one of a condition, a Warning, or the last line of a program that does not serve. */
export type Signature = {
  /** CamelCase; what it is called in `tocsin why` and in facts. */
  readonly name: string;
  /** Kinds of objects; none: all that have such a thing. */
  readonly kinds?: readonly string[];
  /** Globs; none: everywhere. */
  readonly namespaces?: readonly string[];
  readonly condition?: {
    readonly type: string;
    readonly status?: 'True' | 'False' | 'Unknown';
    readonly reason?: string;
    readonly message?: string;
  };
  readonly event?: { readonly reason: string; readonly message?: string };
  readonly lastLine?: string;
  readonly severity?: Severity;
  /** What is wrong, after the name of the object: `has no database connections left`. */
  readonly says: string;
  /** How long it must be so. */
  readonly forSeconds?: number;
};

/** Characters of a text that are looked at, from its end: what a program ended with stands there. */
const maxLooked = 2_000;

/**
 * Whether a text holds a pattern somewhere, in whatever case; `*` and `?` are wildcards and nothing else is. Time is at most the product of both
 * lengths, whatever they hold: there is no pattern that is unsafe. No pattern: any text.
 */
export function holdsPattern(text: string, pattern: string | undefined): boolean {
  if (pattern === undefined) return true;
  return globMatches(`*${pattern.toLowerCase()}*`, text.slice(-maxLooked).toLowerCase());
}
