/** Ids by what they have in common, each group in the order in which they came. */
export class Groups {
  readonly #groups = new Map<string, Set<string>>();

  /** Adds an id, or leaves it where it is. */
  add(group: string, id: string): void {
    const ids = this.#groups.get(group);
    if (ids) ids.add(id);
    else this.#groups.set(group, new Set([id]));
  }

  delete(group: string, id: string): void {
    const ids = this.#groups.get(group);
    ids?.delete(id);
    if (ids?.size === 0) this.#groups.delete(group);
  }

  /** The ids of a group. */
  of(group: string): ReadonlySet<string> {
    return this.#groups.get(group) ?? new Set();
  }

  /** Each group that is not empty, and how many ids it has. */
  *sizes(): Generator<readonly [group: string, size: number]> {
    for (const [group, { size }] of this.#groups) yield [group, size];
  }
}
