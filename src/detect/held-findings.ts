import { isDeepStrictEqual } from 'node:util';
import { type Finding, referredBy } from '../model/finding.ts';
import type { Ref } from '../model/ref.ts';
import type { Naming } from './kit/detector.ts';

const none: readonly Finding[] = [];
const noNaming: Naming = new Map();

function byIdentity(a: Finding, b: Finding): number {
  return compare(a.scope ?? '', b.scope ?? '') || compare(a.reason, b.reason);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The findings that hold, by subject and by the objects that they refer to. */
export class HeldFindings {
  readonly #bySubject = new Map<Ref, readonly Finding[]>();
  /** Object → subjects → their findings that name it. */
  readonly #namedBy = new Map<Ref, Map<Ref, readonly Finding[]>>();

  /** The findings of one object; the same objects as long as nothing about them changes. */
  of(subject: Ref): readonly Finding[] {
    return this.#bySubject.get(subject) ?? none;
  }

  /** Every finding, ordered by subject, scope and reason. */
  *all(): Iterable<Finding> {
    for (const subject of [...this.#bySubject.keys()].sort()) yield* this.of(subject);
  }

  /** Who names an object. */
  naming(name: Ref): Naming {
    return this.#namedBy.get(name) ?? noNaming;
  }

  /** Every object that a finding names. */
  named(): Iterable<Ref> {
    return this.#namedBy.keys();
  }

  /**
   * Holds what was found of an object from now on; a finding that says the same as before stays the same object. Returns whether
   * anything differs.
   */
  hold(subject: Ref, found: readonly Finding[]): boolean {
    const before = this.of(subject);
    const after = found
      .map((finding) => before.find((known) => isDeepStrictEqual(known, finding)) ?? finding)
      .sort(byIdentity);
    if (after.length === before.length && after.every((finding, at) => finding === before[at])) return false;
    for (const finding of before) for (const name of referredBy(finding)) this.#forget(name, subject);
    for (const finding of after) for (const name of referredBy(finding)) this.#remember(name, finding);
    if (after.length === 0) this.#bySubject.delete(subject);
    else this.#bySubject.set(subject, after);
    return true;
  }

  #remember(name: Ref, finding: Finding): void {
    const { ref } = finding.subject;
    const subjects = this.#namedBy.get(name) ?? new Map<Ref, readonly Finding[]>();
    this.#namedBy.set(name, subjects.set(ref, [...(subjects.get(ref) ?? []), finding]));
  }

  #forget(name: Ref, subject: Ref): void {
    const subjects = this.#namedBy.get(name);
    if (subjects?.delete(subject) && subjects.size === 0) this.#namedBy.delete(name);
  }
}
