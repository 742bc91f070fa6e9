import type { Ref } from './ref.ts';

/** What may fail on one thing and be done for all others. */
export const faultSteps = [
  /** An object was to be taken in as it is now: it counts as out of sight. */
  'take',
  /** An object was to be judged by one detector: what that had found stands. */
  'judge',
  /** The causes of what was found were to be looked for: it is told without. */
  'explain',
  /** An incident was to follow what holds now: it stays as it is. */
  'follow',
  /** What one provider is owed, or reads in a list, was to be gathered: it is left out for now. */
  'list',
  /** The words for a message were to be found: it is told in plain ones. */
  'tell',
] as const;
/** One of the steps above. */
export type FaultStep = (typeof faultSteps)[number];

/** An exception of ours on one thing, which was set aside: all others went on. */
export type Fault = {
  readonly step: FaultStep;
  readonly about: Ref;
  /** Which detector; '' where there is only one way. */
  readonly by: string;
  readonly error: unknown;
};

/** Kept at most: with more of them it does not matter any more which. */
const mostKept = 1_000;
/** What was set aside is tried again after so long (ms), if nothing has happened to it before. */
const retryMs = 10 * 60_000;

type Held = Fault & { readonly retryAt: number };

/**
 * What was set aside, since a step threw on it. Deterministic: the same inputs at the same times set the same aside. Until it is told to set
 * aside it throws on what it is told of: tests are to see every exception.
 */
export class Faults {
  readonly #held = new Map<string, Held>();
  /** Being tried again in this turn: what is not set aside once more is over. */
  readonly #tried = new Set<string>();
  #fresh: Fault[] = [];
  #now = 0;
  #sets = false;

  /** From now on what a step throws on is set aside. */
  setAside(): void {
    this.#sets = true;
  }

  /** A turn begins, at `now` (epoch milliseconds). Returns the objects to be looked at again although nothing happened to them. */
  begin(now: number): readonly Ref[] {
    this.#now = now;
    for (const key of this.#tried) this.#held.delete(key);
    this.#tried.clear();
    if (this.#held.size === 0) return [];
    const due: Ref[] = [];
    for (const [key, { about, retryAt }] of this.#held)
      if (retryAt <= now) {
        this.#tried.add(key);
        due.push(about);
      }
    return due;
  }

  /** A step threw. `untilPassed`: time alone does not try it again. Throws the error on unless it is to set aside. */
  note(fault: Fault, untilPassed = false): void {
    if (!this.#sets) throw fault.error;
    const key = keyOf(fault);
    const known = this.#held.has(key);
    this.#tried.delete(key);
    if (known || this.#held.size < mostKept)
      this.#held.set(key, { ...fault, retryAt: untilPassed ? Number.POSITIVE_INFINITY : this.#now + retryMs });
    if (!known && this.#fresh.length < mostKept) this.#fresh.push(fault);
  }

  /** What `work` gives; where it throws, that is set aside, and this is what `otherwise` gives. */
  guard<T>(at: Omit<Fault, 'error'>, work: () => T, otherwise: () => T): T {
    try {
      const done = work();
      this.passed(at.step, at.about, at.by);
      return done;
    } catch (error) {
      this.note({ ...at, error });
      return otherwise();
    }
  }

  /** A step did not throw (any more). Costs next to nothing as long as nothing is set aside. */
  passed(step: FaultStep, about: Ref, by = ''): void {
    if (this.#held.size > 0) this.#held.delete(keyOf({ step, about, by }));
  }

  /** What is set aside now. */
  all(): Iterable<Fault> {
    return this.#held.values();
  }

  /** What was set aside since the last call and had not been before. */
  takeFresh(): readonly Fault[] {
    const fresh = this.#fresh;
    if (fresh.length > 0) this.#fresh = [];
    return fresh;
  }

  /** When to try again (epoch milliseconds), if anything is to be. */
  wakeAt(): number | undefined {
    if (this.#held.size === 0) return undefined;
    const next = Math.min(...this.#held.values().map(({ retryAt }) => retryAt));
    return Number.isFinite(next) ? next : undefined;
  }
}

function keyOf({ step, about, by }: Pick<Fault, 'step' | 'about' | 'by'>): string {
  return `${step}|${about}|${by}`;
}
