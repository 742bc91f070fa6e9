import type { Ref } from '../../model/ref.ts';
import { Multimap } from '../../world/reading/multimap.ts';

/** Refs to what has to do with them. */
export class Index<T extends string | object = string> {
  readonly #items = new Multimap<Ref, T>();

  add(refs: Iterable<Ref>, item: T): void {
    for (const ref of refs) this.#items.add(ref, item);
  }

  remove(refs: Iterable<Ref>, item: T): void {
    for (const ref of refs) this.#items.remove(ref, item);
  }

  has(ref: Ref): boolean {
    return this.#items.has(ref);
  }

  get(ref: Ref): Iterable<T> {
    return this.#items.get(ref);
  }
}
