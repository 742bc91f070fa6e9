/** What workload controllers do with Pods. */
import { type Cluster, objectsOf } from '../cluster.ts';
import { ApiFailure } from '../failure.ts';
import { randomSuffix } from '../naming.ts';
import type { Fields, KubeObject, OwnerReference } from '../object.ts';
import { resourceKey } from '../resources.ts';
import type { Condition, Pod, PodTemplate } from '../shapes.ts';
import { recordEvent } from './events.ts';

const manager = 'kube-controller-manager';

/** The owner reference of a controlled object. */
export function controllerReference(owner: KubeObject): OwnerReference {
  const { name, uid } = owner.metadata;
  const { apiVersion, kind } = owner;
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** The Pods an object controls. */
export function podsOf(cluster: Cluster, owner: KubeObject): Pod[] {
  return objectsOf<Pod>(cluster, 'pods', owner.metadata.namespace).filter((pod) => isControlledBy(pod, owner));
}

/** Whether an object is controlled by another. */
export function isControlledBy(object: KubeObject, owner: KubeObject): boolean {
  return (object.metadata.ownerReferences ?? []).some((ref) => ref.controller && ref.uid === owner.metadata.uid);
}

/** A condition of an object by type. */
export function conditionOf(conditions: readonly Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** Neither ended nor on its way out. */
export function isActive(pod: Pod): boolean {
  return pod.status.phase !== 'Succeeded' && pod.status.phase !== 'Failed' && !pod.metadata.deletionTimestamp;
}

/** Whether the Pod's Ready condition is true. */
export function isReady(pod: Pod): boolean {
  return conditionOf(pod.status.conditions, 'Ready')?.status === 'True';
}

/** Milliseconds until a ready Pod counts as available: 0 when it does, `undefined` when it is not ready. */
export function untilAvailable(pod: Pod, minReadySeconds: number | undefined, now: number): number | undefined {
  const ready = conditionOf(pod.status.conditions, 'Ready');
  if (ready?.status !== 'True') return undefined;
  return Math.max(0, Date.parse(ready.lastTransitionTime ?? '') + (minReadySeconds ?? 0) * 1000 - now);
}

/** How many of some Pods are ready and available, and when time alone will make another one available. */
export function countPods(
  pods: readonly Pod[],
  minReadySeconds: number | undefined,
  now: number,
): { readonly ready: number; readonly available: number; readonly againMs: number | undefined } {
  const waits = pods.flatMap((pod) => untilAvailable(pod, minReadySeconds, now) ?? []);
  const later = waits.filter((wait) => wait > 0);
  return {
    ready: waits.length,
    available: waits.length - later.length,
    againMs: later.length > 0 ? Math.min(...later) : undefined,
  };
}

/** Creates a Pod from a template, for its owner, and writes the owner's event; throws when the API refuses it. */
export function createPod(
  cluster: Cluster,
  owner: KubeObject,
  template: PodTemplate,
  extra: { readonly name?: string; readonly labels?: Fields; readonly spec?: Fields } = {},
): void {
  const name = extra.name ?? `${owner.metadata.name}-${randomSuffix()}`;
  const generated = extra.name ? {} : { generateName: `${owner.metadata.name}-` };
  const { annotations } = template.metadata ?? {};
  const metadata = {
    name,
    ...generated,
    labels: { ...template.metadata?.labels, ...extra.labels },
    ...(annotations ? { annotations } : {}),
    ownerReferences: [controllerReference(owner)],
  };
  const body = { metadata, spec: { ...template.spec, ...extra.spec } };
  try {
    cluster.writer.create(cluster.resource('pods'), owner.metadata.namespace, body, { manager });
  } catch (error) {
    if (error instanceof ApiFailure && error.code !== 409)
      recordEvent(cluster, owner, ownSource(owner), 'Warning', 'FailedCreate', failedText(owner, name, error.message));
    throw error;
  }
  recordEvent(cluster, owner, ownSource(owner), 'Normal', 'SuccessfulCreate', createdText(owner, name));
}

/** Deletes a Pod of an owner and writes the owner's event. */
export function deletePod(cluster: Cluster, owner: KubeObject, pod: Pod): void {
  const { namespace, name } = pod.metadata;
  cluster.writer.remove({ resource: cluster.resource('pods'), namespace, name });
  const text =
    owner.kind === 'StatefulSet'
      ? `delete Pod ${name} in StatefulSet ${owner.metadata.name} successful`
      : `Deleted pod: ${name}`;
  recordEvent(cluster, owner, ownSource(owner), 'Normal', 'SuccessfulDelete', text);
}

const failedText = (owner: KubeObject, name: string, why: string): string =>
  owner.kind === 'StatefulSet'
    ? `create Pod ${name} in StatefulSet ${owner.metadata.name} failed error: ${why}`
    : `Error creating: ${why}`;

const createdText = (owner: KubeObject, name: string): string =>
  owner.kind === 'StatefulSet'
    ? `create Pod ${name} in StatefulSet ${owner.metadata.name} successful`
    : `Created pod: ${name}`;

/** The component names that the controllers sign their events with. */
const sources: Readonly<Record<string, string>> = {
  ReplicaSet: 'replicaset-controller',
  StatefulSet: 'statefulset-controller',
  DaemonSet: 'daemonset-controller',
  Job: 'job-controller',
};
const ownSource = (owner: KubeObject): string => sources[owner.kind] ?? 'kube-controller-manager';

/** Writes an object's status through the status door; nothing is written when nothing differs. */
export function writeStatus(cluster: Cluster, key: string, object: KubeObject, status: Fields): void {
  const resource = cluster.resource(key);
  const { namespace, name } = object.metadata;
  cluster.writer.change({ resource, namespace, name }, (live) => ({ ...live, status }), {
    manager,
    subresource: 'status',
  });
}

/** Changes an object's metadata or spec. */
export function changeObject(
  cluster: Cluster,
  object: KubeObject,
  compute: (live: KubeObject) => KubeObject,
): KubeObject {
  const { namespace, name } = object.metadata;
  const resource = cluster.registry.all().find((r) => r.kind === object.kind && sameGroup(r, object.apiVersion));
  if (!resource) throw new Error(`the sandbox does not serve ${object.kind} in ${object.apiVersion}`);
  return cluster.writer.change({ resource: cluster.resource(resourceKey(resource)), namespace, name }, compute, {
    manager,
  });
}

const sameGroup = (resource: { readonly group: string }, apiVersion: string): boolean =>
  resource.group === (apiVersion.includes('/') ? apiVersion.split('/')[0] : '');
