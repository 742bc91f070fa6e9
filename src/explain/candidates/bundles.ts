import type { Ref } from '../../model/ref.ts';
import type { Bundle, Entry } from './bundle.ts';
import { Index } from './key-index.ts';
import { LiveBundle, type Part, Parts } from './parts.ts';

/** The bundles of all findings, and which of them hang together. */
export class Bundles {
  readonly #live = new Map<string, LiveBundle>();
  readonly #byAnchor = new Index<LiveBundle>();
  readonly parts = new Parts(this.#byAnchor);

  /** Adds an entry to its bundle, in the place of one with the same finding. */
  add(entry: Entry): void {
    let live = this.#live.get(entry.bundle);
    if (live === undefined) {
      live = new LiveBundle(entry);
      this.#live.set(entry.bundle, live);
      this.parts.join(live);
      this.#byAnchor.add(live.anchors, live);
    }
    live.add(entry);
  }

  /** Takes an entry out of its bundle; an empty bundle is gone. */
  remove(entry: Entry): void {
    const live = this.#live.get(entry.bundle);
    if (live === undefined) return;
    live.remove(entry);
    if (!live.isEmpty) return;
    this.#live.delete(entry.bundle);
    this.#byAnchor.remove(live.anchors, live);
    this.parts.leave(live);
  }

  get(key: string): Bundle | undefined {
    return this.#live.get(key)?.bundle;
  }

  /** The part that a bundle is solved with. */
  partOf(key: string): Part | undefined {
    return this.#live.get(key)?.part;
  }

  /** The part of the bundles of a workload, of an object's own findings, or of what it may be the cause of. */
  partAt(ref: Ref): Part | undefined {
    return this.parts.at(ref);
  }
}
