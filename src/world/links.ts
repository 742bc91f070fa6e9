import { kindOf, nameOf, type Ref, refOf } from '../model/ref.ts';
import type { Losses } from './losses.ts';
import type { Objects } from './objects.ts';
import type { LinkType } from './world.ts';

/** The links of an object, computed from what is kept of it and the indexes. */
export type Links = (ref: Ref, type: LinkType, way: 'out' | 'in') => Iterable<Ref>;

/** Links over the objects and the losses of Pods. */
export function createLinks(objects: Objects, losses: Losses): Links {
  const { pods } = objects;

  function replacedBy(ref: Ref): Ref[] {
    const record = pods.record(ref);
    if (!record) return [];
    const { uid, createdAt, siblings } = record;
    const nodes = losses.replacedBy({ owner: siblings.owner, uid, createdAt: createdAt * 1000 });
    return nodes.map((node) => refOf('Node', '', node));
  }

  /** The Pods that took the place of those lost on a Node. */
  function* replacing(node: Ref): Iterable<Ref> {
    for (const owner of losses.ownersOn(nameOf(node)))
      for (const pod of pods.ownedBy(owner)) if (replacedBy(pod).includes(node)) yield pod;
  }

  function out(ref: Ref, type: LinkType): Iterable<Ref> {
    const record = kindOf(ref) === 'Pod' ? pods.record(ref) : undefined;
    switch (type) {
      case 'owned-by': {
        const owner = objects.ownerOf(ref);
        return owner === undefined ? [] : [owner];
      }
      case 'runs-on':
        return record?.node === undefined ? [] : [refOf('Node', '', record.node)];
      case 'uses':
      case 'mounts':
      case 'pulls':
        return record ? pods.references(record, type) : [];
      case 'replaces':
        return replacedBy(ref);
      default:
        // Selectors, backends and the like come with the kinds that have them.
        return [];
    }
  }

  function into(ref: Ref, type: LinkType): Iterable<Ref> {
    switch (type) {
      case 'owned-by':
        return objects.childrenOf(ref);
      case 'runs-on':
        return kindOf(ref) === 'Node' ? pods.onNode(nameOf(ref)) : [];
      case 'uses':
      case 'mounts':
      case 'pulls':
        return pods.referring(ref, type);
      case 'replaces':
        return replacing(ref);
      default:
        return [];
    }
  }

  return (ref, type, way) => (way === 'out' ? out(ref, type) : into(ref, type));
}
