import { kindOf, type Ref } from '../model/ref.ts';
import type { Labels } from '../model/subject.ts';
import type { PodView } from './kinds/pod.ts';
import type { Projection } from './kinds.ts';
import { createPodStore, type PodStore } from './pods.ts';

/** Every kind but Pods: few enough to be kept as their views. */
export type OtherView = Exclude<Projection, PodView>;

/** Owners are followed this far, by the depth of real chains (custom resource, Deployment, ReplicaSet, Pod). */
const maxOwnerDepth = 6;
const noLabels: Labels = {};

/** All objects as last seen, with who owns whom. */
export type Objects = {
  readonly pods: PodStore;
  get(ref: Ref): Projection | undefined;
  of(kind: string): Iterable<Projection>;
  refs(kind: string): Iterable<Ref>;
  count(kind: string): number;
  uidOf(ref: Ref): string | undefined;
  labelsOf(ref: Ref): Labels;
  /** True when something that is kept of it differs from before. */
  putPod(view: PodView): boolean;
  putOther(view: OtherView): void;
  remove(view: Projection): void;
  ownerOf(ref: Ref): Ref | undefined;
  /** The owners of an object from the nearest up. */
  ownersOf(ref: Ref): Iterable<Ref>;
  childrenOf(owner: Ref): Iterable<Ref>;
  /** All that an object owns, through owners in between. */
  descendantsOf(owner: Ref): Iterable<Ref>;
};

/** Builds an empty store. */
export function createObjects(): Objects {
  const pods = createPodStore();
  const others = new Map<string, Map<Ref, OtherView>>();
  const children = new Map<Ref, Set<Ref>>();

  const other = (ref: Ref): OtherView | undefined => others.get(kindOf(ref))?.get(ref);
  const ownerOf = (ref: Ref): Ref | undefined =>
    kindOf(ref) === 'Pod' ? pods.record(ref)?.siblings.owner : other(ref)?.owner;

  function disown({ ref, owner }: OtherView): void {
    const siblings = owner === undefined ? undefined : children.get(owner);
    siblings?.delete(ref);
    if (owner !== undefined && siblings?.size === 0) children.delete(owner);
  }

  function* childrenOf(owner: Ref): Iterable<Ref> {
    yield* pods.ownedBy(owner);
    yield* children.get(owner) ?? [];
  }

  function* descendantsOf(owner: Ref, depth = maxOwnerDepth): Iterable<Ref> {
    for (const child of childrenOf(owner)) {
      yield child;
      if (depth > 1) yield* descendantsOf(child, depth - 1);
    }
  }

  return {
    pods,
    get: (ref) => (kindOf(ref) === 'Pod' ? pods.get(ref) : other(ref)),
    *of(kind) {
      if (kind !== 'Pod') yield* others.get(kind)?.values() ?? [];
      else for (const record of pods.records()) yield pods.view(record);
    },
    refs: (kind) =>
      kind === 'Pod' ? Iterator.from(pods.records()).map(({ ref }) => ref) : (others.get(kind)?.keys() ?? []),
    count: (kind) => (kind === 'Pod' ? pods.size : (others.get(kind)?.size ?? 0)),
    uidOf: (ref) => pods.record(ref)?.uid ?? other(ref)?.uid,
    labelsOf: (ref) => pods.record(ref)?.labels ?? other(ref)?.labels ?? noLabels,
    putPod: pods.put,
    putOther(view) {
      const before = other(view.ref);
      if (before && before.owner !== view.owner) disown(before);
      const ofKind = others.get(view.kind) ?? new Map<Ref, OtherView>();
      others.set(view.kind, ofKind.set(view.ref, view));
      if (view.owner !== undefined) children.set(view.owner, (children.get(view.owner) ?? new Set()).add(view.ref));
    },
    remove(view) {
      if (view.kind === 'Pod') {
        pods.remove(view.ref);
        return;
      }
      disown(view);
      others.get(view.kind)?.delete(view.ref);
    },
    ownerOf,
    *ownersOf(ref) {
      let owner = ownerOf(ref);
      for (let depth = 0; owner !== undefined && depth < maxOwnerDepth; depth++) {
        yield owner;
        owner = ownerOf(owner);
      }
    },
    childrenOf,
    descendantsOf,
  };
}
