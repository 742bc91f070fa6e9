import { shortHash } from '../../model/hash.ts';
import type { Cluster } from '../cluster.ts';
import { type KubeObject, timestamp } from '../object.ts';

/**
 * Writes an Event about an object as a controller does. The same event again within the life of the old one counts it up,
 * as client-go's recorder does.
 */
export function recordEvent(
  cluster: Cluster,
  about: KubeObject,
  component: string,
  type: 'Normal' | 'Warning',
  reason: string,
  message: string,
): void {
  const { name, uid, resourceVersion } = about.metadata;
  const namespace = about.metadata.namespace ?? 'default';
  if (!cluster.store.get('namespaces', undefined, namespace)) return;
  const resource = cluster.resource('events');
  const now = timestamp(cluster.clock.now());
  const options = { manager: 'kube-controller-manager' };
  const hash = shortHash([uid, component, reason, message]);
  const eventName = `${name}.${hash}`;
  const same = cluster.store.get('events', namespace, eventName);
  if (same) {
    const count = (typeof same.count === 'number' ? same.count : 1) + 1;
    cluster.writer.change(
      { resource, namespace, name: eventName },
      (live) => ({ ...live, count, lastTimestamp: now }),
      options,
    );
    return;
  }
  const body = {
    metadata: { name: eventName },
    involvedObject: {
      kind: about.kind,
      apiVersion: about.apiVersion,
      name,
      uid,
      resourceVersion,
      ...(about.metadata.namespace ? { namespace } : {}),
    },
    reason,
    message,
    source: { component },
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
    type,
    eventTime: null,
    reportingComponent: component,
    reportingInstance: '',
  };
  cluster.writer.create(resource, namespace, body, options);
}
