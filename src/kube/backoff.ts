/** Waits that double with every failure in a row. */
export type Backoff = {
  /** The next wait in milliseconds. */
  next(): number;
  reset(): void;
};

/** client-go's reflector: 0.8 s doubling to 30 s. */
const firstMs = 800;
const maxMs = 30_000;

/** Full jitter: anything from nothing to the whole step, so that many who failed together come back apart. */
export function createBackoff(random: () => number): Backoff {
  let step = firstMs;
  return {
    next() {
      const wait = step * random();
      step = Math.min(step * 2, maxMs);
      return wait;
    },
    reset() {
      step = firstMs;
    },
  };
}
