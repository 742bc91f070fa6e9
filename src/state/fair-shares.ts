/** Which of several owners has most of what there is room for: it gives way, so that nobody's things push out another's. */
export class FairShares {
  /** Owner → its keys, oldest first. */
  readonly #keys = new Map<string, Set<string>>();
  readonly #owners = new Map<string, string>();

  /** Adds a key, or makes it the newest of its owner. */
  add(key: string, owner: string): void {
    this.delete(key);
    const keys = this.#keys.get(owner);
    if (keys) keys.add(key);
    else this.#keys.set(owner, new Set([key]));
    this.#owners.set(key, owner);
  }

  delete(key: string): void {
    const owner = this.#owners.get(key);
    if (owner === undefined) return;
    this.#owners.delete(key);
    const keys = this.#keys.get(owner);
    keys?.delete(key);
    if (keys?.size === 0) this.#keys.delete(owner);
  }

  /** The oldest key of the owner that has most; `undefined` when there is none. */
  firstToGo(): string | undefined {
    let fullest: ReadonlySet<string> = new Set();
    for (const keys of this.#keys.values()) if (keys.size > fullest.size) fullest = keys;
    const [oldest] = fullest;
    return oldest;
  }

  get size(): number {
    return this.#owners.size;
  }
}
