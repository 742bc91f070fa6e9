import type { Ref } from '../../model/ref.ts';
import { addTo, takeFrom } from '../../model/sets.ts';

const nobody: ReadonlySet<never> = new Set();

/** Refs to what has to do with them. */
export class Index<T = string> {
  readonly #items = new Map<Ref, Set<T>>();

  add(refs: Iterable<Ref>, item: T): void {
    for (const ref of refs) addTo(this.#items, ref, item);
  }

  remove(refs: Iterable<Ref>, item: T): void {
    for (const ref of refs) takeFrom(this.#items, ref, item);
  }

  has(ref: Ref): boolean {
    return this.#items.has(ref);
  }

  get(ref: Ref): ReadonlySet<T> {
    return this.#items.get(ref) ?? nobody;
  }
}
