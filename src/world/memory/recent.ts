import { NotedMap } from '../../model/noted-map.ts';
import type { Ref } from '../../model/ref.ts';

const none: readonly never[] = [];

/**
 * What happened lately to objects, of each the latest last: so much of one, of so many (whoever had nothing new for longest is forgotten
 * first), for as long as it is kept. What changed of it is saved, and restored after a restart.
 */
export class Recent<T> extends NotedMap<Ref, readonly T[]> {
  readonly #mostOfOne: number;
  readonly #most: number;

  constructor(bounds: { readonly ofOne: number; readonly objects: number }) {
    super();
    this.#mostOfOne = bounds.ofOne;
    this.#most = bounds.objects;
  }

  /** What happened to an object, the latest last. */
  of(ref: Ref): readonly T[] {
    return this.get(ref) ?? none;
  }

  /** Something happened to an object. */
  remember(ref: Ref, item: T): void {
    const known = this.of(ref);
    this.delete(ref);
    this.set(ref, [...known, item].slice(-this.#mostOfOne));
    const [oldest] = this.size > this.#most ? this.keys().take(1) : [];
    if (oldest !== undefined) this.delete(oldest);
  }

  /** Forgets the rest. */
  keep(isKept: (item: T, ref: Ref, all: readonly T[]) => boolean): void {
    for (const [ref, list] of this) {
      const kept = list.filter((item) => isKept(item, ref, list));
      if (kept.length === 0) this.delete(ref);
      else if (kept.length < list.length) this.set(ref, kept);
    }
  }
}
