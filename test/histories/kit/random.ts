/** Chance from a seed: the same seed, the same history. */
export type Random = {
  /** From 0 up to 1. */
  next(): number;
  /** A whole number below `n`. */
  below(n: number): number;
  pick<T>(list: readonly [T, ...T[]]): T;
  /** True so often. */
  chance(share: number): boolean;
};

/** The generator mulberry32. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (n: number): number => Math.floor(next() * n);
  return { next, below, pick: (list) => list[below(list.length)] ?? list[0], chance: (share) => next() < share };
}
