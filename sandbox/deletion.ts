import type { Clock } from '../src/model/clock.ts';
import { conflict, notFound } from './failure.ts';
import { type Fields, fieldAt, isFields, type KubeObject, type ObjectMeta, timestamp } from './object.ts';
import { type Resource, resourceKey } from './resources.ts';
import type { Store } from './store.ts';

/** Which object a write is about. */
export type Target = { readonly resource: Resource; readonly namespace: string | undefined; readonly name: string };

/** How a delete is done. */
export type DeleteOptions = {
  readonly graceSeconds?: number;
  readonly uid?: string;
  readonly resourceVersion?: string;
};

/** The object a write is about; 404 when it is not there. */
export function liveObject(store: Store, target: Target): KubeObject {
  const found = store.get(resourceKey(target.resource), target.namespace, target.name);
  if (!found) throw notFound(target.resource, target.name);
  return found;
}

/** Deletes an object, or marks it as being deleted when something is still to be done before. */
export function removeObject(
  store: Store,
  clock: Clock,
  target: Target,
  options: DeleteOptions,
): { readonly object: KubeObject; readonly stays: boolean } {
  const before = liveObject(store, target);
  const key = resourceKey(target.resource);
  if (options.uid && options.uid !== before.metadata.uid)
    throw conflict(
      target.resource,
      target.name,
      `Precondition failed: UID in precondition: ${options.uid}, UID in object meta: ${before.metadata.uid}`,
    );
  if (options.resourceVersion && options.resourceVersion !== before.metadata.resourceVersion)
    throw conflict(target.resource, target.name);
  const grace = key === 'pods' ? podGrace(before, options.graceSeconds) : 0;
  const held = (before.metadata.finalizers ?? []).length > 0 || key === 'namespaces';
  if (grace === 0 && !held) return { object: store.remove(key, before), stays: false };
  const earlier = before.metadata.deletionGracePeriodSeconds;
  if (before.metadata.deletionTimestamp && (grace === 0 || (earlier ?? 0) <= grace))
    return { object: before, stays: true };
  const phase = key === 'namespaces' ? { status: { ...statusOf(before), phase: 'Terminating' } } : {};
  const metadata: ObjectMeta = {
    ...before.metadata,
    deletionTimestamp: timestamp(clock.now() + grace * 1000),
    deletionGracePeriodSeconds: grace,
    ...(target.resource.counts ? { generation: (before.metadata.generation ?? 0) + 1 } : {}),
  };
  return { object: store.put(key, { ...before, ...phase, metadata }), stays: true };
}

const statusOf = ({ status }: KubeObject): Fields => (isFields(status) ? status : {});

/** A Pod on a node goes when its kubelet says so. */
export function waitsForKubelet(key: string, object: KubeObject): boolean {
  return key === 'namespaces' || (key === 'pods' && (object.metadata.deletionGracePeriodSeconds ?? 0) > 0);
}

/** Seconds a Pod gets to end: none when nothing runs it or it has ended (registry/core/pod/strategy). */
function podGrace(pod: KubeObject, asked: number | undefined): number {
  const phase = fieldAt(pod, 'status', 'phase');
  if (!fieldAt(pod, 'spec', 'nodeName') || phase === 'Succeeded' || phase === 'Failed') return 0;
  const own = fieldAt(pod, 'spec', 'terminationGracePeriodSeconds');
  return asked ?? (typeof own === 'number' ? own : 30);
}
