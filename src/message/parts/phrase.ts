import type { Finding } from '../../model/finding.ts';
import { describeRef } from '../../model/ref.ts';
import type { Case } from './case.ts';
import type { FactName } from './facts.ts';
import type { Next } from './next.ts';
import { count } from './words.ts';

/**
 * Who does what, in the present tense: what the object itself does (`crashes`, a verb in the singular first), or a subject of its own with what
 * that does (`2 pods of shop/api`, `cannot be scheduled`).
 */
export type Clause = string | readonly [subject: string, predicate: string];

/** The words for one reason, about the object it is about. Every member but `well` may go by the facts of the case. */
export type Phrase = {
  /** What is wrong, in one plain sentence about the object itself. */
  readonly says: (finding: Finding) => string;
  /** What happens, in as few words as a lock screen has room for. `it`: the object by its name. */
  readonly happens: (about: Case, it: string) => Clause;
  /** Why, in few words after a colon (`Secret shop/db is missing`); nothing where the facts do not tell or `happens` says it. */
  readonly why?: (about: Case) => string | undefined;
  /** How it ended (`exit code 137 (SIGKILL, killed)`), which stands there where nobody knows why. */
  readonly ended?: (about: Case) => string | undefined;
  /** It happened at an instant rather than since one. */
  readonly once?: true;
  /** What becomes of others where the object is none that runs, after "3 pods"; default "fail because of it". */
  readonly hits?: string | ((about: Case) => string);
  /** Whether the evidence says why, so that the cause is not called unknown where no rule names one. */
  readonly saysWhy?: (about: Case) => boolean;
  /** A sentence that tells more than `happens` and `why`, for the evidence. */
  readonly evidence?: (about: Case) => string | undefined;
  /** After the object's name when it is over. */
  readonly well: string;
  /** A read-only line that helps with this reason; none where a name cannot stand in one. Default: `kubectl describe` of the object. */
  readonly next?: Next;
  /** What people look for next, in this order; default none. */
  readonly facts?: readonly FactName[];
};

/** A fact as text, `undefined` where it is not known. */
export function fact({ facts }: Case, key: string): string | undefined {
  const value = facts[key];
  return value === undefined || value === '' ? undefined : String(value);
}

/** ` app`: a name after a space, nothing where it is not known. */
export function named(about: Case, key: string): string {
  const value = fact(about, key);
  return value === undefined ? '' : ` ${value}`;
}

/** What somebody said, as a sentence: `The scheduler says: 3 Insufficient cpu.` */
export function quote(who: string, said: string | number | undefined): string | undefined {
  const text = String(said ?? '').trim();
  return text === '' ? undefined : `${who} says: ${text.replace(/\.$/, '')}.`;
}

/** The evidence is what the API itself says of the finding: `The kubelet says: …`. */
export function quoted(who: string): (about: Case) => string | undefined {
  return ({ finding }) => quote(who, finding?.detail);
}

/** A text of the API at the end of a sentence, else what stands for it: `: no space left`. */
export function after(colon: string, { detail = '' }: Pick<Finding, 'detail'>, otherwise = ''): string {
  const text = detail.trim().replace(/\.$/, '') || otherwise;
  return text === '' ? '' : `${colon}${text}`;
}

/** What the API itself says of the finding, as a cause. */
export function said({ finding }: { readonly finding?: Finding | undefined }): string | undefined {
  const text = after('', { detail: finding?.detail ?? '' });
  return text === '' ? undefined : text;
}

/** `is not ready` of a Pod itself, `2 pods of shop/api are not ready` of the workload that it belongs to. */
export function ofPods(one: string, many: string): Phrase['happens'] {
  return ({ root, pods }, it) => {
    if (root.startsWith('Pod/')) return one;
    return pods.length > 1 ? [`${count(pods.length, 'pod')} of ${it}`, many] : [`A pod of ${it}`, one];
  };
}

/** Whether the object of a case is the one that others lost their places to. */
export const isPreemptor = (about: Case): boolean => fact(about, 'preemptor') === describeRef(about.root);

/** What a workload does to others that is scheduled in their place. */
export const pushesOff = 'takes the places of pods of lower priority';
