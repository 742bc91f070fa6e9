import { kindOf, nameOf, namespaceOf, type Ref } from '../../model/ref.ts';
import { isSame } from '../../model/same.ts';
import { editedOf } from '../../model/settings-kinds.ts';
import type { Labels } from '../../model/subject.ts';
import { type Projection, type StatedKind, statedKind } from '../kinds/kinds.ts';
import type { PodView } from '../kinds/workloads/pod.ts';
import type { ReferenceType } from '../pods/pod-references.ts';
import type { Objects } from './objects.ts';

/** What of a Pod's references is held. */
const heldReferences: readonly ReferenceType[] = ['uses', 'mounts'];

/**
 * The objects to judge again when one became another (`undefined`: it was or is not there): itself, and whoever is judged by
 * what of it differs.
 */
export function* concerned(
  objects: Objects,
  before: Projection | undefined,
  after: Projection | undefined,
): Iterable<Ref> {
  const view = after ?? before;
  if (!view) return;
  yield view.ref;
  // A controller may release a Pod and another adopt it.
  const owners = [...new Set([before?.owner, after?.owner])].filter((owner) => owner !== undefined);
  // At its first and last sight there is nothing to compare.
  const both = before !== undefined && after !== undefined;
  const row = statedKind(kindOf(view.ref));
  if (view.kind === 'Pod') {
    if (both && owners.length < 2 && isSame(row?.fingerprintForOwners?.(before), row?.fingerprintForOwners?.(after)))
      return;
    for (const owner of owners) yield* [owner, ...objects.ownersOf(owner)];
    for (const pod of [before, after]) if (pod?.kind === 'Pod') yield* failedSiblings(objects, pod);
    yield* selecting(objects, before?.labels, after?.labels, view.ref, row);
    yield* usedBy(objects, view, row);
    // What was made for it goes with it: claims from templates, requests for certificates.
    if (!both) yield* objects.descendantsOf(view.ref);
    return;
  }
  if (view.kind === 'ReplicaSet') yield* owners;
  if (row?.judgedBy && owners.length > 0 && looksDifferent(row.fingerprintForOwners, before, after))
    for (const owner of owners) if (row.judgedBy.includes(kindOf(owner))) yield owner;
  if (!looksDifferent(row?.fingerprintForDependents, before, after)) return;
  if (row?.judgedBy || row?.judgedThrough)
    for (const each of [before, after]) if (each) yield* linked(objects, each, row);
  if (row?.podLabels)
    yield* selecting(objects, before && row.podLabels(before), after && row.podLabels(after), view.ref, row);
  if (view.kind === 'StorageClass') yield* classless(objects);
  if (view.kind === 'CSINode') yield* mountedOn(objects, nameOf(view.ref));
  if (view.kind === 'Node') {
    for (const pod of objects.pods.onNode(nameOf(view.ref))) yield* [pod, ...objects.ownersOf(pod)];
    return;
  }
  // Whether it is there at all is what Pods that need it are judged by.
  if (view.kind === 'ConfigMap' && !both) yield* objects.pods.referring(view.ref, 'uses');
  // By its metadata it is told what is edited of a Secret.
  if (view.kind === 'SecretMetadata') {
    const secret = editedOf(view.ref);
    yield secret;
    // Whether it is there at all matters to who shows its certificate.
    if (!both) yield* objects.links.toAny(secret);
  }
  yield* objects.descendantsOf(view.ref);
  // Which of its ReplicaSets is the newest matters to the Pods of all.
  if (view.kind === 'ReplicaSet') for (const owner of owners) yield* objects.descendantsOf(owner);
}

/** Whether what others are judged by differs; without such a fingerprint only coming and going does. */
function looksDifferent(
  fingerprint: ((view: Projection) => readonly unknown[]) | undefined,
  before: Projection | undefined,
  after: Projection | undefined,
): boolean {
  return !before || !after || !isSame(fingerprint?.(before), fingerprint?.(after));
}

/** Who selects Pods with the labels that one has or had, or a workload gives or gave, where those are judged by its kind. */
function* selecting(
  { pods }: Objects,
  before: Labels | undefined,
  after: Labels | undefined,
  ref: Ref,
  row: StatedKind | undefined,
): Iterable<Ref> {
  const judged = (other: Ref): boolean => row?.judgedBy?.includes(kindOf(other)) ?? false;
  const namespace = namespaceOf(ref);
  const isNew = !isSame(before, after);
  for (const labels of isNew ? [before, after] : [after])
    if (labels) for (const other of pods.selections.by(namespace, labels)) if (judged(other)) yield other;
  // What selects nothing is judged by what it just misses: of Pods that are alike the first and the last tell that.
  const isAlone = kindOf(ref) !== 'Pod' || pods.record(ref)?.siblings.pods.length === 1;
  if (isNew && isAlone) for (const other of pods.selections.barren(namespace)) if (judged(other)) yield other;
}

/** Siblings of a failed Pod that are looked at. */
const maxSiblings = 64;

/** The failed Pods of an owner are judged by how many they are. */
function* failedSiblings({ pods }: Objects, { phase, owner }: PodView): Iterable<Ref> {
  if (phase !== 'Failed' || owner === undefined) return;
  for (const ref of Iterator.from(pods.ownedBy(owner)).take(maxSiblings))
    if (pods.record(ref)?.shape.phase === 'Failed') yield ref;
}

/** What a Pod uses and owns, where that is judged by Pods. */
function* usedBy(objects: Objects, pod: PodView, row: StatedKind | undefined): Iterable<Ref> {
  const record = objects.pods.record(pod.ref);
  if (!record) return;
  for (const type of heldReferences)
    for (const ref of objects.pods.references(record, type)) {
      if (row?.judgedBy?.includes(kindOf(ref))) yield ref;
      // Whether somebody waits for a Secret is what its makers are judged by, and what they make it from.
      for (const maker of objects.links.to(ref, 'makes')) yield* [maker, ...usedToMake(objects, maker)];
    }
  // What is made for a Pod alone, it owns.
  for (const ref of objects.childrenOf(pod.ref)) if (row?.judgedBy?.includes(kindOf(ref))) yield ref;
}

/** What a maker of Secrets refers to: its store, its issuer. */
function usedToMake(objects: Objects, maker: Ref): Ref[] {
  const view = objects.get(maker);
  return view === undefined ? [] : objects.statedBy(view).flatMap(({ type, to }) => (type === 'uses' ? [to] : []));
}

/** The claims that Pods of a Node mount: their volumes need the drivers that have registered there. */
function* mountedOn({ pods }: Objects, node: string): Iterable<Ref> {
  for (const pod of pods.onNode(node)) {
    const record = pods.record(pod);
    if (record) yield* pods.references(record, 'mounts');
  }
}

/** The claims that wait and name no class: which one is the default, or was, is what they are judged by. */
function* classless(objects: Objects): Iterable<Ref> {
  for (const ref of objects.refs('PersistentVolumeClaim')) {
    const claim = objects.get(ref);
    if (claim?.kind === 'PersistentVolumeClaim' && claim.phase === 'Pending' && !claim.className) yield ref;
  }
}

/** Who is linked with an object, directly or through one in between, and judged by its kind. */
function* linked(objects: Objects, view: Projection, row: StatedKind): Iterable<Ref> {
  for (const near of neighbours(objects, view)) {
    if (row.judgedBy?.includes(kindOf(near))) yield near;
    const kinds = row.judgedThrough?.[kindOf(near)];
    const between = kinds && objects.get(near);
    if (kinds && between) for (const far of neighbours(objects, between)) if (kinds.includes(kindOf(far))) yield far;
    if (kinds && !between) for (const far of objects.links.toAny(near)) if (kinds.includes(kindOf(far))) yield far;
  }
  if (!row.judgedBy?.includes('Pod')) return;
  for (const type of heldReferences) yield* objects.pods.referring(view.ref, type);
  if (row.selector) yield* objects.pods.selections.pods(view.ref);
}

/** What an object states links to, and who states one to it. */
function* neighbours(objects: Objects, view: Projection): Iterable<Ref> {
  for (const { to } of objects.statedBy(view)) yield to;
  yield* objects.links.toAny(view.ref);
}
