import type { Coverage } from '../model/coverage.ts';

/**
 * Watches for sources that come into sight only after the start: their permission was granted later, or their definition was
 * installed later. What fails among their objects then was there before, and is no news.
 */
export class LateSources {
  /** Source → its kind, until it has been seen as a whole for the first time. */
  readonly #unseen = new Map<string, string>();
  readonly #seen = new Set<string>();
  readonly #kinds = new Set<string>();

  /** What is known of a source changed. */
  take({ source, kind, state }: Coverage): void {
    if (this.#seen.has(source)) return;
    this.#unseen.set(source, kind);
    if (state !== 'Watching') return;
    this.#kinds.add(kind);
    this.#unseen.delete(source);
    this.#seen.add(source);
  }

  /** Objects of a source arrived: of one that was never seen as a whole they are its first list. */
  takeObjects(source: string): void {
    const kind = this.#unseen.get(source);
    if (kind !== undefined) this.#kinds.add(kind);
  }

  /** Kinds of which objects came into sight since the last call, by name. */
  takeKinds(): string[] {
    const kinds = [...this.#kinds].sort();
    this.#kinds.clear();
    return kinds;
  }
}
