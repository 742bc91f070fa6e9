import type { Clock } from '../../model/clock.ts';

/**
 * When to look again after what is served has changed: soon, so that what comes together is looked at together, and then twice
 * more, since an API server may tell of a definition before its discovery does (with several of them, each for itself).
 */
const looksMs = [1_000, 5_000, 15_000] as const;

/** Looks again at API groups that have changed: at most one look a second, whatever comes. */
export class Rediscovery {
  readonly #clock: Clock;
  readonly #look: (groups: ReadonlySet<string>) => void;
  /** Group → how many looks at it have been made since it last changed. */
  readonly #looked = new Map<string, number>();
  #cancel: (() => void) | undefined;
  /** When the look that is planned comes (by the clock that never jumps). */
  #plannedFor = Number.POSITIVE_INFINITY;

  constructor(clock: Clock, look: (groups: ReadonlySet<string>) => void) {
    this.#clock = clock;
    this.#look = look;
  }

  /** These groups have changed. */
  touch(groups: Iterable<string>): void {
    for (const group of groups) this.#looked.set(group, 0);
    this.#plan();
  }

  /** No further looks. */
  stop(): void {
    this.#looked.clear();
    this.#cancel?.();
  }

  #plan(): void {
    const fewest = this.#looked.values().reduce((least, made) => (made < least ? made : least), looksMs.length);
    const waitMs = looksMs[fewest];
    if (waitMs === undefined) return;
    const at = this.#clock.monotonic() + waitMs;
    if (at >= this.#plannedFor) return;
    this.#cancel?.();
    this.#plannedFor = at;
    this.#cancel = this.#clock.after(waitMs, () => this.#go());
  }

  #go(): void {
    this.#plannedFor = Number.POSITIVE_INFINITY;
    const groups = new Set(this.#looked.keys());
    for (const [group, made] of this.#looked)
      if (made + 1 < looksMs.length) this.#looked.set(group, made + 1);
      else this.#looked.delete(group);
    this.#look(groups);
    this.#plan();
  }
}
