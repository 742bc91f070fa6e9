/** Waits that double with every failure in a row, from the first to the longest; milliseconds. */
export type BackoffRange = { readonly firstMs: number; readonly longestMs: number };

/** Milliseconds to wait after so many failures in a row, from 1. */
export function backoffMs({ firstMs, longestMs }: BackoffRange, failures: number): number {
  return Math.min(longestMs, firstMs * 2 ** (failures - 1));
}

/** A wait of which a share (0 to 1) is left to chance, so that many who failed together come back apart. `random`: from 0 up to 1. */
export function jittered(waitMs: number, share: number, random: number): number {
  return Math.round(waitMs * (1 - share + share * random));
}

/** The waits of one who fails again and again, with full jitter: anything from nothing to the whole wait. */
export class Backoff {
  readonly #range: BackoffRange;
  readonly #random: () => number;
  #failures = 0;

  constructor(range: BackoffRange, random: () => number) {
    this.#range = range;
    this.#random = random;
  }

  /** Counts a failure; milliseconds until the next try. */
  next(): number {
    this.#failures += 1;
    return jittered(backoffMs(this.#range, this.#failures), 1, this.#random());
  }

  reset(): void {
    this.#failures = 0;
  }
}
