import type { Ref } from '../model/ref.ts';
import type { Holdings } from './holdings.ts';

/** Which Pod of an owner says why it fails: one is asked, and what it says is true of its siblings that fail alike. */
export class Speakers {
  readonly #held: Holdings;
  /** By owner, as long as nothing changes: a thousand siblings ask for the same. */
  readonly #byOwner = new Map<Ref, Ref | undefined>();
  #revision = -1;

  constructor(held: Holdings) {
    this.#held = held;
  }

  /** The first of the Pods of the same owner, by name, that said anything. */
  of(pod: Ref): Ref | undefined {
    const owner = this.#held.objects.pods.record(pod)?.siblings.owner;
    if (owner === undefined) return undefined;
    if (this.#revision !== this.#held.revision) {
      this.#revision = this.#held.revision;
      this.#byOwner.clear();
    }
    if (!this.#byOwner.has(owner)) this.#byOwner.set(owner, this.#lookUp(owner));
    return this.#byOwner.get(owner);
  }

  /** The other Pods of its owner. */
  *siblingsOf(pod: Ref): Iterable<Ref> {
    const owner = this.#held.objects.pods.record(pod)?.siblings.owner;
    if (owner !== undefined) yield* this.#held.objects.pods.ownedBy(owner);
  }

  #lookUp(owner: Ref): Ref | undefined {
    let first: Ref | undefined;
    for (const ref of this.#held.objects.pods.ownedBy(owner))
      if (this.#held.observations.signs(ref).length > 0 && (first === undefined || ref < first)) first = ref;
    return first;
  }
}
