import type { Change } from './tables.ts';

/** With more changes than this it costs less to write all there is. */
const maxChanges = 20_000;

/**
 * What is to be written: the last change of each row, or everything. Its size is bounded by what the store holds, however long
 * the disk takes.
 */
export class Pending {
  #whole = false;
  #changes = new Map<string, Change>();

  get isEmpty(): boolean {
    return !this.#whole && this.#changes.size === 0;
  }

  /** Everything must be written, not what has changed. */
  demandWhole(): void {
    this.#whole = true;
    this.#changes.clear();
  }

  /** What came after the changes that are there already. */
  add(changes: Iterable<Change>): void {
    if (this.#whole) return;
    for (const change of changes) this.#changes.set(`${change.table}|${change.key}`, change);
    if (this.#changes.size > maxChanges) this.demandWhole();
  }

  /** What came before the changes that are there already. */
  putBack(earlier: ReadonlyMap<string, Change>): void {
    const later = this.#changes;
    this.#changes = new Map();
    this.add(earlier.values());
    this.add(later.values());
  }

  /** Takes what is to be written; `undefined`: everything. */
  take(): ReadonlyMap<string, Change> | undefined {
    const taken = this.#whole ? undefined : this.#changes;
    this.#whole = false;
    this.#changes = new Map();
    return taken;
  }
}
