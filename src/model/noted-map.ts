/** A map that knows of which keys something else is held since it was last asked, so that only that has to be saved. */
export class NotedMap<K, V> extends Map<K, V> {
  /** Made with the first change: the constructor of a map sets what it is given. */
  #changed: Set<K> | undefined;

  override set(key: K, value: V): this {
    this.#note(key);
    return super.set(key, value);
  }

  override delete(key: K): boolean {
    if (!super.delete(key)) return false;
    this.#note(key);
    return true;
  }

  /** Holds what was saved: that is no change. */
  restore(saved: Iterable<readonly [K, V]>): void {
    for (const [key, value] of saved) super.set(key, value);
  }

  /** What is held under the keys where it is another than at the last call; `undefined`: nothing any more. */
  *takeChanges(): Generator<readonly [K, V | undefined]> {
    const changed = this.#changed ?? [];
    this.#changed = undefined;
    for (const key of changed) yield [key, this.get(key)];
  }

  #note(key: K): void {
    this.#changed ??= new Set();
    this.#changed.add(key);
  }
}
