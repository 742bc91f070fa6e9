/** Several values of a key, each once. Most keys of what objects refer to have one, which is kept as it is: a set takes 200 bytes. */
export class Multimap<K, V extends string | object> {
  readonly #values = new Map<K, V | Set<V>>();

  /** Gives a key one more value. */
  add(key: K, value: V): void {
    const known = this.#values.get(key);
    if (known instanceof Set) known.add(value);
    else if (known === undefined) this.#values.set(key, value);
    else if (known !== value) this.#values.set(key, new Set([known, value]));
  }

  /** Takes a value from a key, and the key with its last one. */
  remove(key: K, value: V): void {
    const known = this.#values.get(key);
    const isLast = known instanceof Set ? known.delete(value) && known.size === 0 : known === value;
    if (isLast) this.#values.delete(key);
  }

  /** The values of a key, in the order in which they came. */
  get(key: K): Iterable<V> {
    const known = this.#values.get(key);
    if (known instanceof Set) return known;
    return known === undefined ? [] : [known];
  }

  has(key: K): boolean {
    return this.#values.has(key);
  }

  keys(): Iterable<K> {
    return this.#values.keys();
  }
}
