import type { Ref } from '../model/ref.ts';

/** Refs to the keys of what has to do with them. */
export class Index {
  readonly #keys = new Map<Ref, Set<string>>();

  add(refs: Iterable<Ref>, key: string): void {
    for (const ref of refs) {
      const keys = this.#keys.get(ref);
      if (keys) keys.add(key);
      else this.#keys.set(ref, new Set([key]));
    }
  }

  remove(refs: Iterable<Ref>, key: string): void {
    for (const ref of refs) {
      const keys = this.#keys.get(ref);
      keys?.delete(key);
      if (keys?.size === 0) this.#keys.delete(ref);
    }
  }

  has(ref: Ref): boolean {
    return this.#keys.has(ref);
  }

  get(ref: Ref): Iterable<string> {
    return this.#keys.get(ref) ?? [];
  }
}
