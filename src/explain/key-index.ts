import type { Ref } from '../model/ref.ts';

const nobody: ReadonlySet<never> = new Set();

/** Refs to what has to do with them. */
export class Index<T = string> {
  readonly #items = new Map<Ref, Set<T>>();

  add(refs: Iterable<Ref>, item: T): void {
    for (const ref of refs) {
      const items = this.#items.get(ref);
      if (items) items.add(item);
      else this.#items.set(ref, new Set([item]));
    }
  }

  remove(refs: Iterable<Ref>, item: T): void {
    for (const ref of refs) {
      const items = this.#items.get(ref);
      items?.delete(item);
      if (items?.size === 0) this.#items.delete(ref);
    }
  }

  has(ref: Ref): boolean {
    return this.#items.has(ref);
  }

  get(ref: Ref): ReadonlySet<T> {
    return this.#items.get(ref) ?? nobody;
  }
}
