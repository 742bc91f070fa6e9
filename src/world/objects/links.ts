import { kindOf, nameOf, namespaceOf, type Ref, refOf } from '../../model/ref.ts';
import type { Losses } from '../memory/losses.ts';
import type { PodRecord } from '../pods/pod-record.ts';
import type { LinkType } from '../reading/link-type.ts';
import type { Objects } from './objects.ts';

function* chain<T>(first: Iterable<T>, second: Iterable<T>): Iterable<T> {
  yield* first;
  yield* second;
}

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
        if (!record) return this.#stated(ref, type);
        return record.node === undefined ? [] : [refOf('Node', '', record.node)];
      case 'replaces':
        return this.#replacedBy(ref);
      case 'uses':
        return record ? chain(pods.references(record, type), this.#madeFor(ref)) : this.#stated(ref, type);
      case 'mounts':
      case 'pulls':
        return record ? pods.references(record, type) : this.#stated(ref, type);
      case 'depends-on':
        return this.#dependencies(record);
      case 'asks':
        return record ? pods.references(record, type) : [];
      case 'selects':
        return pods.selections.pods(ref);
      case 'fronts':
        return pods.selections.workloads(ref);
      default:
        return this.#stated(ref, type);
    }
  }

  #in(ref: Ref, type: LinkType): Iterable<Ref> {
    const { links, pods } = this.#objects;
    switch (type) {
      case 'owned-by':
        return this.#objects.childrenOf(ref);
      case 'runs-on':
        return chain(kindOf(ref) === 'Node' ? pods.onNode(nameOf(ref)) : [], links.to(ref, type));
      case 'replaces':
        return this.#replacing(ref);
      case 'uses':
      case 'mounts':
      case 'pulls':
        return chain(pods.referring(ref, type), links.to(ref, type));
      case 'depends-on':
        return this.#objects.get(ref) ? pods.referring(ref, type) : [];
      case 'asks':
        return pods.referring(ref, type);
      case 'selects': {
        const record = pods.record(ref);
        return record ? pods.selections.by(record.siblings.namespace, record.labels) : [];
      }
      case 'fronts': {
        const labels = this.#objects.podLabelsOf(ref);
        return labels ? pods.selections.by(namespaceOf(ref), labels) : [];
      }
      default:
        return links.to(ref, type);
    }
  }

  /** Of the hosts that a Pod's template names those that are Services. */
  *#dependencies(record: PodRecord | undefined): Iterable<Ref> {
    if (!record) return;
    for (const service of this.#objects.pods.references(record, 'depends-on'))
      if (this.#objects.get(service)) yield service;
  }

  /** The claims for devices that were made for a Pod, and which it owns. */
  *#madeFor(pod: Ref): Iterable<Ref> {
    for (const child of this.#objects.childrenOf(pod)) if (kindOf(child) === 'ResourceClaim') yield child;
  }

  /** What an object states by name. */
  *#stated(ref: Ref, type: LinkType): Iterable<Ref> {
    const view = this.#objects.get(ref);
    if (view) for (const link of this.#objects.statedBy(view)) if (link.type === type) yield link.to;
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
