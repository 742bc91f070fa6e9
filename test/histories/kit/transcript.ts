/**
 * What the judge knows: what products were asked and what they took, what was true of incidents, who was a reader when. Nothing of
 * how Tocsin remembers any of it. Times are epoch milliseconds of the virtual clock.
 */

/** What a product makes of an incident. */
export type Family = 'chat' | 'mail' | 'tracker' | 'pager';

/** A product that knows what it made by the dedup key alone. */
export const knowsByKey = (family: Family): boolean => family === 'pager' || family === 'tracker';

export type Severity = 'low' | 'medium' | 'high' | 'critical';

/** The more, the worse. */
export const rankOf = (severity: Severity): number => ['low', 'medium', 'high', 'critical'].indexOf(severity);

/** How a product answers a request. `hangs`: never. */
export type Answer = 'taken' | 'unavailable' | 'reset' | 'timeout' | 'limited' | 'revoked' | 'refused' | 'hangs';

/** Answers after which nobody knows whether the product has taken it. */
export const isDoubtful = (answer: Answer): boolean => answer === 'reset' || answer === 'timeout' || answer === 'hangs';

/** Answers that say no for good. */
export const isRefusal = (answer: Answer): boolean => answer === 'revoked' || answer === 'refused';

/** One line of a list that a product was sent. */
export type Entry = { readonly root: string; readonly severity: Severity; readonly over: boolean };

/** What a product is asked: one message, whatever it makes of it. */
export type Message = {
  readonly provider: string;
  readonly uid: string;
  readonly family: Family;
  readonly act: 'open' | 'update' | 'resolve' | 'reopen' | 'digest' | 'startup' | 'overview' | 'test';
  /** The incident or list it belongs to. */
  readonly stream: string;
  /** The dedup key. */
  readonly key: string;
  readonly severity: Severity;
  readonly title: string;
  /** When it was decided. */
  readonly decidedAt: number;
  /** A remark on whom it stands in for, or what else a message says beside its incident. */
  readonly note: string;
  /** What an incident's own message says its reason is. */
  readonly reason?: string;
  readonly list?: { readonly entries: readonly Entry[]; readonly total: number };
};

/** One request, in the order in which they were made. */
export type Request = Message & {
  readonly at: number;
  readonly answer: Answer;
  /** Whether the product has it, whatever it answered. */
  readonly taken: boolean;
  /** What it is about at the product: the alert of a key, an issue, a message. */
  readonly thing: string;
  /** The process was killed before it had saved how this ended. */
  cut: boolean;
};

/** What is true of one incident from `at` on. */
export type Fact = {
  readonly at: number;
  readonly incident: string;
  readonly key: string;
  readonly root: string;
  readonly reason: string;
  readonly severity: Severity;
  readonly state: 'Settling' | 'Open' | 'Recovering' | 'Resolved';
  /** It is told as part of another one. */
  readonly folded: boolean;
  /** It was there before Tocsin started to look. */
  readonly baseline: boolean;
};

/** A reader as configured at some instant. */
export type Reader = {
  readonly provider: string;
  readonly uid: string;
  readonly family: Family;
  /** It is told of what begins. */
  readonly active: boolean;
  /** It may not be sent to: suspended, or its spec cannot work. */
  readonly suspended: boolean;
  readonly fallback?: string;
  readonly severities?: readonly Severity[];
  readonly namespaces?: readonly string[];
  /** A tenant's: it hears of this namespace only. */
  readonly home?: string;
};

/** Who was a reader from `at` on. */
export type Roster = { readonly at: number; readonly readers: readonly Reader[] };

/** A time in which people asked not to hear of the objects of that name, as far as the edition let them. */
export type Muting = { readonly name: string; readonly from: number; readonly to: number };

/** A whole history, as the judge sees it. */
export type Transcript = {
  readonly requests: readonly Request[];
  readonly facts: readonly Fact[];
  readonly rosters: readonly Roster[];
  readonly mutings: readonly Muting[];
  /** `forgets`: the process after it knows nothing of what was before. */
  readonly kills: readonly { readonly at: number; readonly forgets: boolean }[];
  /** The objects that are broken at `settledAt`. */
  readonly broken: readonly string[];
  /** All products had been well for hours, and what was broken had stayed broken. */
  readonly settledAt: number;
  /** All products had been well for days, and nothing was broken any more. */
  readonly clearedAt: number;
};

/** What a rule found: who, what, and the acts in question. */
export type Fault = { readonly rule: string; readonly says: string };
