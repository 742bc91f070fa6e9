import { qualifiedKind, type Ref, refOf, virtualKinds } from '../../model/ref.ts';
import { groupOf } from '../../model/resource.ts';
import { type Fields, listOf, textOf } from './fields.ts';

/** The kinds of Kubernetes itself that keep other objects as they are, by group. */
const makers: Readonly<Record<string, readonly string[]>> = {
  '': ['Node', 'Pod', 'Service', 'ReplicationController', 'PersistentVolumeClaim'],
  apps: ['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet'],
  batch: ['Job', 'CronJob'],
};

const groupOfMaker = new Map(Object.entries(makers).flatMap(([group, kinds]) => kinds.map((kind) => [kind, group])));

/** What the API server asks of a kind, so that no kind is read as a kind and a namespace. */
const isKind = /^[A-Za-z][A-Za-z0-9]*$/;

/** Whether there can be such an owner: a kind of Kubernetes in its own group, or one of a project's that is called as none of ours. */
function canOwn(group: string, kind: string): boolean {
  const maker = groupOfMaker.get(kind);
  if (qualifiedKind(group, kind) !== kind) return true;
  return maker === undefined ? group.includes('.') && !virtualKinds.includes(kind) : maker === group;
}

/**
 * The controlling owner, the one that keeps the object as it is. The API server takes any from whoever makes the object, and the
 * garbage collector leaves what names a kind that does not exist: such an object has no owner and speaks for itself, so that
 * nobody's Pod becomes the cluster, a registry or another namespace.
 */
export function ownerOf(metadata: Fields, namespace: string | undefined): Ref | undefined {
  const owner = listOf(metadata.ownerReferences).find((reference) => reference.controller === true);
  const kind = textOf(owner?.kind);
  const name = textOf(owner?.name);
  if (kind === undefined || name === undefined || !isKind.test(kind) || name.includes('/')) return undefined;
  const group = groupOf(textOf(owner?.apiVersion) ?? '');
  if (!canOwn(group, kind)) return undefined;
  // Only Nodes own something that is in a namespace without being in one.
  return refOf(qualifiedKind(group, kind), kind === 'Node' && group === '' ? '' : namespace, name);
}
