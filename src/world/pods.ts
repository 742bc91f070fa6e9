import { kindOf, nameOf, namespaceOf, type Ref, refOf } from '../model/ref.ts';
import type { Labels } from '../model/subject.ts';
import { registryHost } from './image.ts';
import { createPool } from './intern.ts';
import type { PodView } from './kinds/pod.ts';
import {
  createShapePool,
  numbersOf,
  type PodRecord,
  podNameMark,
  type Siblings,
  sharedTemplate,
  viewOf,
  withClaimsOf,
} from './pod-record.ts';
import type { PodTemplate } from './pod-template.ts';
import { isSame } from './same.ts';

/** Objects that templates refer to by name. */
export type ReferenceType = 'uses' | 'mounts' | 'pulls';

/** All Pods, compact, with the indexes by node, by owner and by what their templates refer to. */
export type PodStore = {
  readonly size: number;
  get(ref: Ref): PodView | undefined;
  record(ref: Ref): PodRecord | undefined;
  records(): Iterable<PodRecord>;
  view(record: PodRecord): PodView;
  /** True when something that is kept of it differs from before. */
  put(view: PodView): boolean;
  remove(ref: Ref): boolean;
  ownedBy(owner: Ref): Iterable<Ref>;
  onNode(node: string): Iterable<Ref>;
  /** What a Pod's template refers to. */
  references(record: PodRecord, type: ReferenceType): Iterable<Ref>;
  /** The Pods whose template refers to an object. */
  referring(target: Ref, type: ReferenceType): Iterable<Ref>;
};

/** Everything a shared template refers to; claims may still hold the mark of the Pod's name. */
function targetsOf(template: PodTemplate, namespace: string, type: ReferenceType): Ref[] {
  switch (type) {
    case 'uses':
      return [
        ...template.secrets.map((name) => refOf('Secret', namespace, name)),
        ...template.configMaps.map((name) => refOf('ConfigMap', namespace, name)),
      ];
    case 'mounts':
      return template.claims.map((name) => refOf('PersistentVolumeClaim', namespace, name));
    case 'pulls':
      return [...new Set(template.containers.map(({ image }) => refOf('Registry', '', registryHost(image))))].sort();
  }
}

const referenceTypes: readonly ReferenceType[] = ['uses', 'mounts', 'pulls'];

/** How many distinct strings and shapes are shared at once; a cluster of 100,000 Pods has fewer in use. */
const poolCapacity = 50_000;

/** Adds to a list in a map, making the list when there is none. */
function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** Takes out of a list in a map, dropping the list with its last entry. */
function takeFrom<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  const at = list?.indexOf(value) ?? -1;
  if (!list || at < 0) return;
  if (list.length === 1) lists.delete(key);
  else list.splice(at, 1);
}

/** Builds an empty store. */
export function createPodStore(): PodStore {
  const pods = new Map<Ref, PodRecord>();
  const families = new Map<Ref, Siblings[]>();
  const byNode = new Map<string, PodRecord[]>();
  const byTarget = new Map<Ref, Set<Siblings>>();
  const strings = createPool<string>(poolCapacity);
  const share = (text: string): string => strings(text, () => text);
  const shapeOf = createShapePool(poolCapacity);

  const indexedTargets = function* (siblings: Siblings): Iterable<Ref> {
    for (const type of referenceTypes)
      for (const target of targetsOf(siblings.template, siblings.namespace, type))
        if (!target.includes(podNameMark)) yield target;
  };

  function siblingsOf(view: PodView): Siblings {
    const template = sharedTemplate(view.ref, view.template);
    const namespace = namespaceOf(view.ref);
    const family = view.owner ?? view.ref;
    // With the namespace, because a Node owns its static Pods in all of them. The newest template is the likeliest.
    const known = families
      .get(family)
      ?.findLast((siblings) => siblings.namespace === namespace && isSame(siblings.template, template));
    if (known) return known;
    return {
      family,
      owner: view.owner,
      namespace: share(namespace),
      template,
      labels: view.labels,
      pods: [],
    };
  }

  function join(record: PodRecord): void {
    const { siblings } = record;
    siblings.pods.push(record);
    if (siblings.pods.length > 1) return;
    addTo(families, siblings.family, siblings);
    for (const target of indexedTargets(siblings)) {
      const users = byTarget.get(target);
      if (users) users.add(siblings);
      else byTarget.set(target, new Set([siblings]));
    }
  }

  function leave(record: PodRecord): void {
    const { siblings } = record;
    if (siblings.pods.length === 1) {
      for (const target of indexedTargets(siblings)) {
        const users = byTarget.get(target);
        users?.delete(siblings);
        if (users?.size === 0) byTarget.delete(target);
      }
      takeFrom(families, siblings.family, siblings);
    }
    siblings.pods.splice(siblings.pods.indexOf(record), 1);
  }

  function moveTo(record: PodRecord, node: string | undefined): void {
    if (record.node === node) return;
    if (record.node !== undefined) takeFrom(byNode, record.node, record);
    record.node = node;
    if (node !== undefined) addTo(byNode, node, record);
  }

  function add(view: PodView): void {
    const siblings = siblingsOf(view);
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
      // A Pod mostly looks as the one before it does.
      shape: shapeOf(view, siblings.pods.at(-1)?.shape),
      numbers: numbersOf(view),
    };
    pods.set(record.ref, record);
    join(record);
    moveTo(record, view.node === undefined ? undefined : share(view.node));
  }

  function update(record: PodRecord, view: PodView): boolean {
    const before = { ...record };
    const siblings = siblingsOf(view);
    if (siblings !== record.siblings) {
      leave(record);
      record.siblings = siblings;
      join(record);
    }
    if (!isSame(record.labels, view.labels)) record.labels = sameLabels(siblings.labels, view.labels);
    if (!isSame(record.annotations, view.annotations)) record.annotations = view.annotations;
    record.deletionAt = (view.deletionAt ?? -1000) / 1000;
    record.generation = view.generation;
    record.shape = shapeOf(view, record.shape);
    const numbers = numbersOf(view);
    if (!isSame(numbers, record.numbers)) record.numbers = numbers;
    moveTo(record, view.node === undefined ? undefined : share(view.node));
    return (Object.keys(before) as (keyof PodRecord)[]).some((field) => before[field] !== record[field]);
  }

  function remove(ref: Ref): boolean {
    const record = pods.get(ref);
    if (!record) return false;
    moveTo(record, undefined);
    leave(record);
    return pods.delete(ref);
  }

  return {
    get size() {
      return pods.size;
    },
    get: (ref) => {
      const record = pods.get(ref);
      return record && viewOf(record);
    },
    record: (ref) => pods.get(ref),
    records: () => pods.values(),
    view: viewOf,
    put: (view) => {
      const record = pods.get(view.ref);
      if (record?.uid === view.uid) return update(record, view);
      remove(view.ref);
      add(view);
      return true;
    },
    remove,
    *ownedBy(owner) {
      for (const siblings of families.get(owner) ?? [])
        if (siblings.owner === owner) for (const pod of siblings.pods) yield pod.ref;
    },
    *onNode(node) {
      for (const pod of byNode.get(node) ?? []) yield pod.ref;
    },
    references: (record, type) =>
      targetsOf(withClaimsOf(record.ref, record.siblings.template), namespaceOf(record.ref), type),
    *referring(target, type) {
      for (const siblings of byTarget.get(target) ?? []) for (const pod of siblings.pods) yield pod.ref;
      if (type !== 'mounts') return;
      yield* mountingByOwnName(target);
    },
  };

  /** Claims made for one Pod alone are not indexed: the Pod is found by its name, which the claim's holds. */
  function* mountingByOwnName(claim: Ref): Iterable<Ref> {
    const namespace = namespaceOf(claim);
    const name = nameOf(claim);
    const dashes = [...name.matchAll(/-/g)].map(({ index }) => index);
    const starts = [0, ...dashes.map((at) => at + 1)];
    const ends = [...dashes, name.length];
    for (const start of starts)
      for (const end of ends) {
        const record = pods.get(refOf('Pod', namespace, name.slice(start, end)));
        const marked = `${name.slice(0, start)}${podNameMark}${name.slice(end)}`;
        if (record?.siblings.template.claims.includes(marked)) yield record.ref;
      }
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
