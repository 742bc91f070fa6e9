/**
 * What many namespaces share, bounded: whoever brings most gives way first, and whoever takes something out serves them by turns. One team's
 * flood so costs that team, and nobody else. Not for what must never be lost.
 */
export class FairShares<K, V> {
  readonly #entries = new Map<K, V>();
  /** Keys of each namespace, oldest first; the namespace that was served longest ago first. */
  readonly #shares = new Map<string, Set<K>>();
  readonly #max: number;
  readonly #shareOf: (value: V) => string;

  /** `shareOf`: the namespace that an entry counts for, the same for as long as it is in here; empty for what is of the cluster. */
  constructor(max: number, shareOf: (value: V) => string) {
    this.#max = max;
    this.#shareOf = shareOf;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  /** Makes the entry the newest. Returns what has to go for it: the oldest of the namespace that has most. */
  set(key: K, value: V): V | undefined {
    this.delete(key);
    this.#entries.set(key, value);
    const namespace = this.#shareOf(value);
    const share = this.#shares.get(namespace);
    if (share) share.add(key);
    else this.#shares.set(namespace, new Set([key]));
    return this.#entries.size > this.#max ? this.#takeFirst(this.#largest()) : undefined;
  }

  /** Whether there was such an entry. */
  delete(key: K): boolean {
    const value = this.#entries.get(key);
    if (value === undefined) return false;
    this.#entries.delete(key);
    const namespace = this.#shareOf(value);
    const share = this.#shares.get(namespace);
    share?.delete(key);
    if (share?.size === 0) this.#shares.delete(namespace);
    return true;
  }

  /** Takes out the oldest entry of the namespace that was served longest ago. */
  take(): V | undefined {
    const [namespace] = this.#shares.keys();
    if (namespace === undefined) return undefined;
    const taken = this.#takeFirst(namespace);
    const rest = this.#shares.get(namespace);
    if (rest) {
      this.#shares.delete(namespace);
      this.#shares.set(namespace, rest);
    }
    return taken;
  }

  /** What `take` would take. */
  peek(): V | undefined {
    const [share] = this.#shares.values();
    const [key] = share ?? [];
    return key === undefined ? undefined : this.#entries.get(key);
  }

  /** All entries, the oldest first, whosever they are. */
  entries(): IterableIterator<[K, V]> {
    return this.#entries.entries();
  }

  clear(): void {
    this.#entries.clear();
    this.#shares.clear();
  }

  #largest(): string {
    let [largest, most] = ['', 0];
    for (const [namespace, { size }] of this.#shares) if (size > most) [largest, most] = [namespace, size];
    return largest;
  }

  #takeFirst(namespace: string): V | undefined {
    const [key] = this.#shares.get(namespace) ?? [];
    if (key === undefined) return undefined;
    const value = this.#entries.get(key);
    this.delete(key);
    return value;
  }
}
