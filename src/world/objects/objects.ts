import { kindOf, namespaceOf, type Ref, refOf } from '../../model/ref.ts';
import { isSame } from '../../model/same.ts';
import { addTo, takeFrom } from '../../model/sets.ts';
import type { Labels } from '../../model/subject.ts';
import type { EventObject } from '../kinds/cluster/event.ts';
import { type Projection, statedKind } from '../kinds/kinds.ts';
import type { PodView } from '../kinds/workloads/pod.ts';
import { PodStore } from '../pods/pods.ts';
import { maxOwnerDepth } from '../reading/bounds.ts';
import { Multimap } from '../reading/multimap.ts';
import { type ObjectLink, ObjectLinks } from '../reading/object-links.ts';
import { createTemplatePool } from '../reading/template-pool.ts';

/** Every kind but Pods, few enough to be kept as their views, and Events, which are not kept as objects. */
export type OtherView = Exclude<Projection, PodView | EventObject>;

const noLabels: Labels = {};
const noLinks: readonly ObjectLink[] = [];

/** Asked of every object that comes in: nothing is cut out of the ref for it. */
const isPod = (ref: Ref): boolean => ref.startsWith('Pod/');

/** All objects as last seen, with who owns whom. */
export class Objects {
  readonly #templates = createTemplatePool();
  readonly pods = new PodStore(this.#templates);
  /** What all but Pods state by name. */
  readonly links = new ObjectLinks();
  readonly #others = new Map<Ref, OtherView>();
  readonly #byKind = new Map<string, Set<Ref>>();
  readonly #children = new Multimap<Ref, Ref>();

  get(ref: Ref): Projection | undefined {
    return isPod(ref) ? this.pods.get(ref) : this.#others.get(ref);
  }

  *of(kind: string): Iterable<Projection> {
    if (kind !== 'Pod')
      for (const ref of this.refs(kind)) {
        const view = this.#others.get(ref);
        if (view) yield view;
      }
    else for (const record of this.pods.records()) yield this.pods.view(record);
  }

  *refs(kind: string): Iterable<Ref> {
    if (kind !== 'Pod') yield* this.#byKind.get(kind) ?? [];
    else for (const { ref } of this.pods.records()) yield ref;
  }

  /** Kinds of which anything but Pods was ever held. */
  kinds(): Iterable<string> {
    return this.#byKind.keys();
  }

  count(kind: string): number {
    return kind === 'Pod' ? this.pods.size : (this.#byKind.get(kind)?.size ?? 0);
  }

  uidOf(ref: Ref): string | undefined {
    return this.pods.record(ref)?.uid ?? this.#others.get(ref)?.uid;
  }

  labelsOf(ref: Ref): Labels {
    return this.pods.record(ref)?.labels ?? this.#others.get(ref)?.labels ?? noLabels;
  }

  /** Those that somebody reads. */
  annotationsOf(ref: Ref): Labels {
    return this.pods.record(ref)?.annotations ?? this.#others.get(ref)?.annotations ?? noLabels;
  }

  /** True when something that is kept of it differs from before. */
  putPod(view: PodView): boolean {
    return this.pods.put(view);
  }

  putOther(view: OtherView): void {
    const before = this.#others.get(view.ref);
    if (before && before.owner !== view.owner) this.#disown(before);
    this.#link(before, view);
    if (!before) addTo(this.#byKind, kindOf(view.ref), view.ref);
    this.#others.set(view.ref, 'template' in view ? { ...view, template: this.#templates(view.template) } : view);
    if (view.owner === undefined) return;
    this.#children.add(view.owner, view.ref);
  }

  remove(view: Projection): void {
    if (view.kind === 'Pod') {
      this.pods.remove(view.ref);
      return;
    }
    if (view.kind === 'Event') return;
    this.#disown(view);
    this.#link(view, undefined);
    this.#others.delete(view.ref);
    takeFrom(this.#byKind, kindOf(view.ref), view.ref);
  }

  ownerOf(ref: Ref): Ref | undefined {
    return isPod(ref) ? this.pods.record(ref)?.siblings.owner : this.#others.get(ref)?.owner;
  }

  /** The owners of an object from the nearest up. */
  *ownersOf(ref: Ref): Iterable<Ref> {
    let owner = this.ownerOf(ref);
    for (let depth = 0; owner !== undefined && depth < maxOwnerDepth; depth++) {
      yield owner;
      owner = this.ownerOf(owner);
    }
  }

  *childrenOf(owner: Ref): Iterable<Ref> {
    yield* this.pods.ownedBy(owner);
    yield* this.#children.get(owner);
  }

  /** All that an object owns, through owners in between. */
  *descendantsOf(owner: Ref, depth = maxOwnerDepth): Iterable<Ref> {
    for (const child of this.childrenOf(owner)) {
      yield child;
      if (depth > 1) yield* this.descendantsOf(child, depth - 1);
    }
  }

  /** What is owned by or runs on an object of a kind that is not held, with all it owns. */
  *lacking(kind: string): Iterable<Ref> {
    for (const owner of [...this.pods.owners(), ...this.#children.keys()])
      if (kindOf(owner) === kind && !this.#others.get(owner)) yield* this.descendantsOf(owner);
    if (kind !== 'Node') return;
    for (const node of this.pods.nodes()) if (!this.#others.get(refOf('Node', '', node))) yield* this.pods.onNode(node);
  }

  /** The links that an object states by name. */
  statedBy(view: Projection): readonly ObjectLink[] {
    return view.kind === 'Pod' ? noLinks : (statedKind(kindOf(view.ref))?.links?.(view) ?? noLinks);
  }

  /** The labels of the Pods that a workload makes. */
  podLabelsOf(ref: Ref): Labels | undefined {
    const view = this.#others.get(ref);
    return view && statedKind(kindOf(ref))?.podLabels?.(view);
  }

  #link(before: OtherView | undefined, after: OtherView | undefined): void {
    const view = after ?? before;
    if (!view) return;
    const row = statedKind(kindOf(view.ref));
    if (row?.links) {
      if (before) this.links.remove(view.ref, row.links(before));
      if (after) this.links.add(view.ref, row.links(after));
    }
    const { selections } = this.pods;
    if (row?.podLabels) selections.makes(view.ref, namespaceOf(view.ref), after && row.podLabels(after));
    if (!row?.selector) return;
    const [was, is] = [before && row.selector(before), after && row.selector(after)];
    if (!isSame(was, is)) selections.put(view.ref, namespaceOf(view.ref), is);
  }

  #disown({ ref, owner }: OtherView): void {
    if (owner !== undefined) this.#children.remove(owner, ref);
  }
}
