type Ranked<Key> = { readonly key: Key; readonly rank: number };

/** Keys by rank, the lowest first: a binary heap that knows where each key is. Every change costs the logarithm of their number. */
export class Ranking<Key> {
  readonly #heap: Ranked<Key>[] = [];
  readonly #indexes = new Map<Key, number>();

  get size(): number {
    return this.#heap.length;
  }

  /** The key of the lowest rank and that rank; `undefined` when there is none. */
  first(): Ranked<Key> | undefined {
    return this.#heap[0];
  }

  /** Adds a key, or gives it another rank. */
  set(key: Key, rank: number): void {
    const index = this.#indexes.get(key) ?? this.#heap.length;
    this.#put({ key, rank }, index);
    this.#settle(index);
  }

  delete(key: Key): void {
    const index = this.#indexes.get(key);
    if (index === undefined) return;
    this.#indexes.delete(key);
    const last = this.#heap.pop();
    if (last === undefined || last.key === key) return;
    this.#put(last, index);
    this.#settle(index);
  }

  #put(ranked: Ranked<Key>, index: number): void {
    this.#heap[index] = ranked;
    this.#indexes.set(ranked.key, index);
  }

  #rankAt(index: number): number {
    return this.#heap[index]?.rank ?? Number.POSITIVE_INFINITY;
  }

  /** Moves what is there up or down to where it belongs. */
  #settle(index: number): void {
    const above = (index - 1) >> 1;
    if (index > 0 && this.#rankAt(index) < this.#rankAt(above)) {
      this.#swap(index, above);
      this.#settle(above);
      return;
    }
    const left = 2 * index + 1;
    const below = this.#rankAt(left + 1) < this.#rankAt(left) ? left + 1 : left;
    if (this.#rankAt(below) >= this.#rankAt(index)) return;
    this.#swap(index, below);
    this.#settle(below);
  }

  #swap(one: number, other: number): void {
    const [first, second] = [this.#heap[one], this.#heap[other]];
    if (first === undefined || second === undefined) return;
    this.#put(second, one);
    this.#put(first, other);
  }
}
