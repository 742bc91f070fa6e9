/** A map that forgets what was set longest ago beyond a number of entries. */
export class BoundedMap<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #max: number;
  readonly #forgotten: (value: V) => void;

  /** `forgotten` is told of each value that had to go. */
  constructor(max: number, forgotten: (value: V) => void = () => undefined) {
    this.#max = max;
    this.#forgotten = forgotten;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  has(key: K): boolean {
    return this.#entries.has(key);
  }

  /** Makes the entry the newest. */
  set(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#max) return;
    for (const [oldest, forgotten] of this.#entries) {
      this.#entries.delete(oldest);
      this.#forgotten(forgotten);
      break;
    }
  }

  delete(key: K): boolean {
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  /** Oldest first. */
  entries(): IterableIterator<[K, V]> {
    return this.#entries.entries();
  }

  /** Oldest first. */
  values(): IterableIterator<V> {
    return this.#entries.values();
  }
}
