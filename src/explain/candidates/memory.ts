import type { Explanation } from '../../model/explanation.ts';
import type { Finding } from '../../model/finding.ts';
import { isListOf, isNumber, isSavedRef, isText } from '../../model/memory.ts';
import { NotedMap } from '../../model/noted-map.ts';
import type { Ref } from '../../model/ref.ts';
import { aftermathMs } from '../../world/view/bounds.ts';
import type { Edit } from '../evidence/edits.ts';
import { longestOutliveMs } from '../evidence/outlive.ts';
import type { Ended } from './candidates.ts';

/** An effect may start up to 15 min after its cause ended and stay its own for a while: then the cause is forgotten. */
const keepEndedMs = aftermathMs + longestOutliveMs;

function isFinding(value: unknown): value is Finding {
  if (typeof value !== 'object' || value === null) return false;
  const { subject, reason, since, facts, names }: Partial<Finding> = value;
  const isSubject = isSavedRef(subject?.ref) && typeof subject.labels === 'object';
  return isSubject && isText(reason) && isNumber(since) && typeof facts === 'object' && isListOf(names, isSavedRef);
}

function isEnded(value: unknown): value is Ended {
  if (typeof value !== 'object' || value === null) return false;
  return 'finding' in value && isFinding(value.finding) && 'at' in value && isNumber(value.at);
}

/** Whether something remembered is the causes of one object that have ended. */
export const areEnded = (value: unknown): value is readonly Ended[] => isListOf(value, isEnded);

/** What the explainer remembers beyond the world: causes that have ended lately, and changes that are being blamed. */
export class CauseMemory {
  readonly #canCause: (finding: Finding) => boolean;
  readonly #ended = new NotedMap<Ref, readonly Ended[]>();
  #blamed: ReadonlyMap<Ref, readonly Edit[]> = new Map();

  /** `canCause`: whether the end of a finding is worth remembering. */
  constructor(canCause: (finding: Finding) => boolean) {
    this.#canCause = canCause;
  }

  /** What is to be saved. */
  get noted(): NotedMap<Ref, readonly Ended[]> {
    return this.#ended;
  }

  readonly ended = (ref: Ref): readonly Ended[] => this.#ended.get(ref) ?? [];
  /** Changes of an object that are being blamed: the world forgets after 30 min. */
  readonly remembered = (ref: Ref): readonly Edit[] => this.#blamed.get(ref) ?? [];

  /** A finding does not hold any more. */
  cleared(finding: Finding, now: number): void {
    if (this.#canCause(finding)) this.#put(finding.subject.ref, [...this.#without(finding), { finding, at: now }]);
  }

  /** A finding holds (again). */
  holds(finding: Finding): void {
    if (this.#ended.has(finding.subject.ref)) this.#put(finding.subject.ref, this.#without(finding));
  }

  /** Keeps the changes that current explanations blame, for as long as they do. */
  keepBlamed(explanations: Iterable<Explanation>): void {
    const blamed = new Map<Ref, Edit[]>();
    for (const { change } of explanations) {
      if (change === undefined) continue;
      const { also = [], ...rest } = change;
      const kept: Edit = { ...rest, certain: change.certain !== false };
      const { ref, at, certain } = kept;
      const others = also.map((field): Edit => ({ ref, field, at, certain }));
      blamed.set(ref, [...(blamed.get(ref) ?? []), kept, ...others]);
    }
    this.#blamed = blamed;
  }

  /** Forgets what ended too long ago. */
  prune(now: number): void {
    for (const [ref, entries] of this.#ended)
      this.#put(
        ref,
        entries.filter(({ at }) => now < at + keepEndedMs),
      );
  }

  #without({ subject, reason }: Finding): readonly Ended[] {
    return this.ended(subject.ref).filter(({ finding }) => finding.reason !== reason);
  }

  #put(ref: Ref, entries: readonly Ended[]): void {
    if (entries.length === this.ended(ref).length && entries.every((one, index) => one === this.ended(ref)[index]))
      return;
    if (entries.length > 0) this.#ended.set(ref, entries);
    else this.#ended.delete(ref);
  }
}
