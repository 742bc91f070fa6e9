import { isDeepStrictEqual } from 'node:util';
import { defaultOwnerKeys, ownerIn } from '../../model/owner.ts';
import { kindOf, nameOf, namespaceOf, type Ref, refOf } from '../../model/ref.ts';
import type { Labels } from '../../model/subject.ts';
import type { Projection } from '../kinds/kinds.ts';
import type { Objects } from './objects.ts';

/** What an object says of itself. */
type Said = { readonly labels: Labels; readonly annotations?: Labels | undefined };

const saidAt = (said: Said | undefined, key: string): string | undefined =>
  ownerIn(said?.annotations?.[key]) ?? ownerIn(said?.labels[key]);

/** Who answers for objects, by their labels and annotations, those of their controllers and those of their Namespaces. */
export class Owners {
  readonly #objects: Objects;
  #keys: readonly string[] = defaultOwnerKeys;
  /** Namespaces that have named another owner since they were last taken. */
  #changed = new Set<string>();

  constructor(objects: Objects) {
    this.#objects = objects;
  }

  /** Goes by these labels and annotations, the first that is there first. Returns whether they are others than before. */
  readBy(keys: readonly string[]): boolean {
    if (isDeepStrictEqual(keys, this.#keys)) return false;
    this.#keys = keys;
    return true;
  }

  /** What the object or a controller of it says, by the first key that any of them has; else what its Namespace says. */
  of(ref: Ref): string | undefined {
    const namespace = namespaceOf(ref);
    return (
      this.#saidBy([ref, ...this.#objects.ownersOf(ref)]) ??
      (namespace === '' ? undefined : this.#saidBy([refOf('Namespace', '', namespace)]))
    );
  }

  /** Whether an object names another owner than before, so that what is below it has another one. Notes Namespaces that do. */
  takes(before: Projection | undefined, view: Projection): boolean {
    const isSame = this.#keys.every((key) => saidAt(before, key) === saidAt(view, key));
    if (!isSame && view.kind === 'Namespace') this.#changed.add(nameOf(view.ref));
    return !isSame;
  }

  /** Namespaces that have named another owner since the last call. */
  takeChanged(): ReadonlySet<string> {
    const changed = this.#changed;
    if (changed.size > 0) this.#changed = new Set();
    return changed;
  }

  #saidBy(refs: readonly Ref[]): string | undefined {
    const all = refs.map((ref) => this.#ownWords(ref));
    for (const key of this.#keys)
      for (const said of all) {
        const owner = saidAt(said, key);
        if (owner !== undefined) return owner;
      }
    return undefined;
  }

  /** The annotations of a ReplicaSet are copies of its Deployment's, which are never taken back. */
  #ownWords(ref: Ref): Said {
    const labels = this.#objects.labelsOf(ref);
    const isCopy = kindOf(ref) === 'ReplicaSet' && this.#objects.ownerOf(ref) !== undefined;
    return isCopy ? { labels } : { labels, annotations: this.#objects.annotationsOf(ref) };
  }
}
