import type { Kind } from '../api/group.ts';
import { limitOf } from '../api/limits.ts';
import { namespaceOf, type Ref } from '../model/ref.ts';
import { isOver, type OwnObjects } from './objects.ts';

/** Which objects take part: the oldest of each namespace, as many as its limit allows. */
export class Admission {
  readonly #objects: OwnObjects;
  readonly #operatorNamespace: string;
  /** Namespaces with more objects than take part, by kind, and those of them that do. */
  readonly #crowded: { readonly [K in Kind]: Map<string, ReadonlySet<Ref>> } = {
    AlertProvider: new Map(),
    Silence: new Map(),
    MaintenanceWindow: new Map(),
    AlertConfig: new Map(),
  };
  /** What must be ranked again: kind and namespace. */
  readonly #stale = new Map<string, { readonly kind: Kind; readonly namespace: string }>();

  constructor(objects: OwnObjects, operatorNamespace: string) {
    this.#objects = objects;
    this.#operatorNamespace = operatorNamespace;
  }

  /** An object came, went, or changed in what it is ranked by. */
  changed(kind: Kind, ref: Ref): void {
    const namespace = namespaceOf(ref);
    this.#stale.set(`${kind}/${namespace}`, { kind, namespace });
  }

  /** Whether there is room for all objects of the kind in the namespace: then none has to be ranked. */
  hasRoom(kind: Kind, namespace: string): boolean {
    return this.#objects.refsIn(kind, namespace).size <= this.#limit(kind, namespace);
  }

  /** Whether the object takes part, as last ranked. */
  has(kind: Kind, ref: Ref): boolean {
    return this.#crowded[kind].get(namespaceOf(ref))?.has(ref) ?? true;
  }

  /** Ranks what has changed, each namespace once. Returns the objects that take part now and did not, or the other way round. */
  rank(now: number): readonly Ref[] {
    const flipped: Ref[] = [];
    for (const { kind, namespace } of this.#stale.values()) {
      const before = this.#crowded[kind].get(namespace);
      const after = this.hasRoom(kind, namespace) ? undefined : this.#oldest(kind, namespace, now);
      if (after) this.#crowded[kind].set(namespace, after);
      else this.#crowded[kind].delete(namespace);
      if (!before && !after) continue;
      for (const ref of this.#objects.refsIn(kind, namespace))
        if ((before?.has(ref) ?? true) !== (after?.has(ref) ?? true)) flipped.push(ref);
    }
    this.#stale.clear();
    return flipped;
  }

  /** How many take part. */
  limit(kind: Kind, ref: Ref): number {
    return this.#limit(kind, namespaceOf(ref));
  }

  #limit(kind: Kind, namespace: string): number {
    return limitOf(kind, namespace, this.#operatorNamespace);
  }

  #oldest(kind: Kind, namespace: string, now: number): ReadonlySet<Ref> {
    const ranked = [...this.#objects.refsIn(kind, namespace)].map((ref) => {
      const createdAt = this.#objects.get(kind, ref)?.createdAt ?? 0;
      return { ref, over: isOver(this.#objects, ref, now) ? 1 : 0, createdAt };
    });
    ranked.sort((a, b) => a.over - b.over || a.createdAt - b.createdAt || (a.ref < b.ref ? -1 : 1));
    return new Set(ranked.slice(0, this.#limit(kind, namespace)).map(({ ref }) => ref));
  }
}
