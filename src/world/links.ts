import { kindOf, nameOf, type Ref, refOf } from '../model/ref.ts';
import type { Losses } from './losses.ts';
import type { Objects } from './objects.ts';
import type { LinkType } from './world.ts';

/** The links of objects, computed from what is kept of them and the indexes. */
export class Links {
  readonly #objects: Objects;
  readonly #losses: Losses;

  constructor(objects: Objects, losses: Losses) {
    this.#objects = objects;
    this.#losses = losses;
  }

  /** Linked from (`out`) or to (`in`) an object. */
  of(ref: Ref, type: LinkType, way: 'out' | 'in'): Iterable<Ref> {
    return way === 'out' ? this.#out(ref, type) : this.#in(ref, type);
  }

  #out(ref: Ref, type: LinkType): Iterable<Ref> {
    const { pods } = this.#objects;
    const record = kindOf(ref) === 'Pod' ? pods.record(ref) : undefined;
    switch (type) {
      case 'owned-by': {
        const owner = this.#objects.ownerOf(ref);
        return owner === undefined ? [] : [owner];
      }
      case 'runs-on':
        return record?.node === undefined ? [] : [refOf('Node', '', record.node)];
      case 'replaces':
        return this.#replacedBy(ref);
      default:
        return record ? pods.references(record, type) : [];
    }
  }

  #in(ref: Ref, type: LinkType): Iterable<Ref> {
    const { pods } = this.#objects;
    switch (type) {
      case 'owned-by':
        return this.#objects.childrenOf(ref);
      case 'runs-on':
        return kindOf(ref) === 'Node' ? pods.onNode(nameOf(ref)) : [];
      case 'replaces':
        return this.#replacing(ref);
      default:
        return pods.referring(ref, type);
    }
  }

  #replacedBy(ref: Ref): Ref[] {
    const record = this.#objects.pods.record(ref);
    if (!record) return [];
    const { uid, createdAt, siblings } = record;
    const nodes = this.#losses.replacedBy({ owner: siblings.owner, uid, createdAt: createdAt * 1000 });
    return nodes.map((node) => refOf('Node', '', node));
  }

  /** The Pods that took the place of those lost on a Node. */
  *#replacing(node: Ref): Iterable<Ref> {
    for (const owner of this.#losses.ownersOn(nameOf(node)))
      for (const pod of this.#objects.pods.ownedBy(owner)) if (this.#replacedBy(pod).includes(node)) yield pod;
  }
}
