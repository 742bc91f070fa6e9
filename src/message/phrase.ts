import type { Command } from '../model/command.ts';
import type { Finding } from '../model/finding.ts';
import { describeRef } from '../model/ref.ts';
import type { Case } from './case.ts';
import type { FactName } from './facts.ts';
import { count } from './words.ts';

/** The words for one reason, about the object it is about. Every member but `well` may go by the facts of the case. */
export type Phrase = {
  /** What is wrong, in one plain sentence about the object itself. */
  readonly says: (finding: Finding) => string;
  /** After the object's name, before "since …": begins with a verb in the singular. */
  readonly doing: (about: Case) => string;
  /** It happened at an instant rather than since one: "failed at …". */
  readonly once?: true;
  /** What becomes of others where the object is none that runs, after "3 pods"; default "fail because of it". */
  readonly hits?: string | ((about: Case) => string);
  /** Whether the evidence says why, so that the cause is not called unknown where no rule names one. */
  readonly saysWhy?: (about: Case) => boolean;
  /** A sentence that tells more than `doing`, for the evidence. */
  readonly evidence?: (about: Case) => string | undefined;
  /** After the object's name when it is over. */
  readonly well: string;
  /** A read-only line that helps with this reason; none where a name cannot stand in one. */
  readonly next: (about: Case) => Command | undefined;
  /** What people look for next, in this order. */
  readonly facts: readonly FactName[];
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
export function after(colon: string, { detail = '' }: Finding, otherwise = ''): string {
  const text = detail.trim().replace(/\.$/, '') || otherwise;
  return text === '' ? '' : `${colon}${text}`;
}

/**
 * `has not been ready` of a Pod itself, `has had 2 pods that are not ready` of the workload it belongs to. `one` and `many`
 * follow "a pod" and "2 pods".
 */
export function ofPods(own: string, one: string, many: string): Phrase['doing'] {
  return ({ root, pods }) => {
    if (root.startsWith('Pod/')) return own;
    return pods.length > 1 ? `has had ${count(pods.length, 'pod')} ${many}` : `has had a pod ${one}`;
  };
}

/** Whether the object of a case is the one that others lost their places to. */
export const isPreemptor = (about: Case): boolean => fact(about, 'preemptor') === describeRef(about.root);

/** What a workload does to others that is scheduled in their place. */
export const pushesOff = 'has been taking the places of pods of a lower priority';
