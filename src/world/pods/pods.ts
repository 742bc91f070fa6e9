import { kindOf, nameOf, namespaceOf, type Ref } from '../../model/ref.ts';
import { isSame } from '../../model/same.ts';
import type { Labels } from '../../model/subject.ts';
import type { PodView } from '../kinds/workloads/pod.ts';
import { createPool } from '../reading/intern.ts';
import type { TemplatePool } from '../reading/template-pool.ts';
import { addTo, takeFrom } from './lists.ts';
import { addressOf, numbersOf, type PodRecord, type Siblings, sharedTemplate } from './pod-record.ts';
import { podsNamedIn, ReferenceIndex, type ReferenceType, referencesOf } from './pod-references.ts';
import { type PodShape, PodShapes } from './pod-shape.ts';
import { PodViews } from './pod-views.ts';
import { Selections } from './selections.ts';

/** How many distinct strings are shared at once; a cluster of 100,000 Pods has fewer in use. */
const poolCapacity = 50_000;

/** Siblings whose shape is compared; Pods of one template have a few different ones between them. */
const lookedAtSiblings = 8;

/** All Pods, compact, with the indexes by node, by owner and by what their templates refer to. */
export class PodStore {
  readonly #pods = new Map<Ref, PodRecord>();
  readonly #families = new Map<Ref, Siblings[]>();
  readonly #byNode = new Map<string, PodRecord[]>();
  readonly #references = new ReferenceIndex();
  /** Which of them are selected by whom. */
  readonly selections = new Selections();
  readonly #strings = createPool<string>(poolCapacity);
  readonly #shapes = new PodShapes();
  readonly #views = new PodViews();

  readonly #templates: TemplatePool;

  /** `templates`: what is kept of a template. */
  constructor(templates: TemplatePool) {
    this.#templates = templates;
  }

  get size(): number {
    return this.#pods.size;
  }

  get(ref: Ref): PodView | undefined {
    const record = this.#pods.get(ref);
    return record && this.view(record);
  }

  record(ref: Ref): PodRecord | undefined {
    return this.#pods.get(ref);
  }

  records(): Iterable<PodRecord> {
    return this.#pods.values();
  }

  /** The Pod that has an address (packed). Looks at all of them: asked for what a program names, and remembered there. */
  at(address: number): Ref | undefined {
    for (const record of this.#pods.values()) if (addressOf(record) === address) return record.ref;
    return undefined;
  }

  /** The view of a record. */
  view(record: PodRecord): PodView {
    return this.#views.of(record);
  }

  /** True when something that is kept of it differs from before. */
  put(view: PodView): boolean {
    const record = this.#pods.get(view.ref);
    if (record?.uid === view.uid) return this.#update(record, view);
    this.remove(view.ref);
    this.#add(view);
    return true;
  }

  remove(ref: Ref): boolean {
    const record = this.#pods.get(ref);
    if (!record) return false;
    this.#views.drop(record);
    this.#moveTo(record, undefined);
    this.#leave(record);
    return this.#pods.delete(ref);
  }

  /** Everything that owns a Pod, whether it is held or not; a Pod without an owner stands for itself. */
  owners(): Iterable<Ref> {
    return this.#families.keys();
  }

  *ownedBy(owner: Ref): Iterable<Ref> {
    for (const siblings of this.#families.get(owner) ?? [])
      if (siblings.owner === owner) for (const pod of siblings.pods) yield pod.ref;
  }

  /** Names of the Nodes that Pods run on, whether these are held or not. */
  nodes(): Iterable<string> {
    return this.#byNode.keys();
  }

  *onNode(node: string): Iterable<Ref> {
    for (const pod of this.#byNode.get(node) ?? []) yield pod.ref;
  }

  /** What a Pod's template refers to. */
  references(record: PodRecord, type: ReferenceType): Iterable<Ref> {
    return referencesOf(record, type);
  }

  /** The Pods whose template refers to an object. */
  *referring(target: Ref, type: ReferenceType): Iterable<Ref> {
    for (const siblings of this.#references.referring(target)) for (const pod of siblings.pods) yield pod.ref;
    if (type === 'mounts') yield* this.#mountingByOwnName(target);
  }

  #add(view: PodView): void {
    const siblings = this.#siblingsOf(view);
    const record: PodRecord = {
      ref: inOnePiece(view.ref),
      uid: view.uid,
      createdAt: view.createdAt / 1000,
      siblings,
      labels: sameLabels(siblings.labels, view.labels),
      annotations: view.annotations,
      node: undefined,
      deletionAt: (view.deletionAt ?? -1000) / 1000,
      generation: view.generation,
      shape: this.#shapes.of(view, likelyShapes(undefined, siblings)),
      numbers: numbersOf(view),
    };
    this.#pods.set(record.ref, record);
    this.#join(record);
    this.#moveTo(record, view.node === undefined ? undefined : this.#share(view.node));
  }

  #update(record: PodRecord, view: PodView): boolean {
    const before = { ...record };
    const siblings = this.#siblingsOf(view);
    if (siblings !== record.siblings) {
      this.#leave(record);
      record.siblings = siblings;
      this.#join(record);
    }
    if (!isSame(record.labels, view.labels)) {
      record.labels = sameLabels(siblings.labels, view.labels);
      this.#select(record);
    }
    if (!isSame(record.annotations, view.annotations)) record.annotations = view.annotations;
    record.deletionAt = (view.deletionAt ?? -1000) / 1000;
    record.generation = view.generation;
    record.shape = this.#shapes.of(view, likelyShapes(record, siblings));
    const numbers = numbersOf(view);
    if (!isSame(numbers, record.numbers)) record.numbers = numbers;
    this.#moveTo(record, view.node === undefined ? undefined : this.#share(view.node));
    const differs = (Object.keys(before) as (keyof PodRecord)[]).some((field) => before[field] !== record[field]);
    if (differs) this.#views.drop(record);
    return differs;
  }

  #share(text: string): string {
    return this.#strings(text, () => text);
  }

  #siblingsOf(view: PodView): Siblings {
    const template = sharedTemplate(view.ref, view.template);
    const namespace = namespaceOf(view.ref);
    const family = view.owner ?? view.ref;
    // With the namespace, because a Node owns its static Pods in all of them. The newest template is the likeliest.
    const known = this.#families
      .get(family)
      ?.findLast((siblings) => siblings.namespace === namespace && isSame(siblings.template, template));
    if (known) return known;
    return {
      family,
      owner: view.owner,
      namespace: this.#share(namespace),
      template: this.#templates(template),
      labels: view.labels,
      varied: false,
      pods: [],
    };
  }

  #join(record: PodRecord): void {
    const { siblings } = record;
    siblings.pods.push(record);
    this.#select(record);
    if (siblings.pods.length > 1) return;
    addTo(this.#families, siblings.family, siblings);
    this.#references.add(siblings);
  }

  #select(record: PodRecord): void {
    if (record.labels !== record.siblings.labels) record.siblings.varied = true;
    this.selections.came(record);
  }

  #leave(record: PodRecord): void {
    const { siblings } = record;
    if (siblings.pods.length === 1) {
      this.selections.went(siblings);
      this.#references.remove(siblings);
      takeFrom(this.#families, siblings.family, siblings);
    }
    siblings.pods.splice(siblings.pods.indexOf(record), 1);
  }

  #moveTo(record: PodRecord, node: string | undefined): void {
    if (record.node === node) return;
    if (record.node !== undefined) takeFrom(this.#byNode, record.node, record);
    record.node = node;
    if (node !== undefined) addTo(this.#byNode, node, record);
  }

  *#mountingByOwnName(claim: Ref): Iterable<Ref> {
    for (const { pod, marked } of podsNamedIn(claim))
      if (this.#pods.get(pod)?.siblings.template.claims.includes(marked)) yield pod;
  }
}

/** A Pod mostly looks as it did, or as one of the newest of its siblings does. */
function* likelyShapes(record: PodRecord | undefined, { pods }: Siblings): Iterable<PodShape> {
  if (record) yield record.shape;
  for (let at = pods.length - 1; at >= 0 && at >= pods.length - lookedAtSiblings; at--) {
    const sibling = pods[at];
    if (sibling) yield sibling.shape;
  }
}

/** The siblings' labels when these are the same: one object for all. */
function sameLabels(shared: Labels, own: Labels): Labels {
  return isSame(shared, own) ? shared : own;
}

/** The same text as one piece: the engine keeps a text put together by a template as a tree of its parts. */
function inOnePiece(ref: Ref): Ref {
  return [kindOf(ref), namespaceOf(ref), nameOf(ref)].join('/') as Ref;
}
