import type { Coverage } from '../model/coverage.ts';
import { qualifiedKind } from '../model/ref.ts';
import { groupOfSource } from '../model/resource.ts';

/**
 * Watches for sources that come into sight only after the start: their permission was granted later, or their definition was
 * installed later. What fails among their objects then was there before, and is no news.
 */
export class LateSources {
  /** Source → its kind, until it has been seen as a whole for the first time. */
  readonly #unseen = new Map<string, string>();
  /** Source → its kind. */
  readonly #seen = new Map<string, string>();
  readonly #kinds = new Set<string>();
  /** Kinds, as refs have them, that were seen as a whole before a restart; `undefined`: nothing tells. */
  #seenBefore: ReadonlySet<string> | undefined;

  /** What is known of a source changed. */
  take({ source, kind, state }: Coverage): void {
    if (this.#seen.has(source)) return;
    this.#unseen.set(source, kind);
    if (state !== 'Watching') return;
    this.#kinds.add(kind);
    this.#unseen.delete(source);
    this.#seen.set(source, kind);
  }

  /** Objects of a source arrived: of one that was never seen as a whole they are its first list. */
  takeObjects(source: string): void {
    const kind = this.#unseen.get(source);
    if (kind !== undefined) this.#kinds.add(kind);
  }

  /** Sources that were seen as a whole, each with the kind it shows. */
  memory(): ReadonlyMap<string, string> {
    return this.#seen;
  }

  /** What was seen before the restart is not seen for the first time. */
  restore(seen: ReadonlyMap<string, string>): void {
    if (seen.size > 0)
      this.#seenBefore = new Set([...seen].map(([source, kind]) => qualifiedKind(groupOfSource(source), kind)));
    for (const [source, kind] of seen) {
      this.#seen.set(source, kind);
      this.#unseen.delete(source);
      this.#kinds.delete(kind);
    }
  }

  /**
   * Whether objects of a kind may come into sight that were in sight before a restart. What nobody could see then (a Secret that Pods
   * name) was known by what could be seen.
   */
  wasSeen(kind: string): boolean {
    return this.#seenBefore?.has(kind) ?? true;
  }

  /** Kinds of which objects came into sight since the last call, by name. */
  takeKinds(): string[] {
    const kinds = [...this.#kinds].sort();
    this.#kinds.clear();
    return kinds;
  }
}
