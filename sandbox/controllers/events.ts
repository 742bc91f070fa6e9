import { shortHash } from '../../src/model/hash.ts';
import type { Cluster } from '../cluster.ts';
import { type Fields, fieldAt, type KubeObject, microTimestamp, timestamp } from '../object.ts';

/** Who writes events.k8s.io/v1: times with microseconds, and a series for what repeats (client-go tools/events). */
const writesSeries: ReadonlySet<string> = new Set(['default-scheduler']);

/**
 * Writes an Event about an object as a controller does. The same event again within the life of the old one counts it up,
 * as client-go's recorders do.
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
  const exactly = microTimestamp(cluster.clock.now());
  const options = { manager: 'kube-controller-manager' };
  const hash = shortHash([uid, component, reason, message]);
  const eventName = `${name}.${hash}`;
  const same = cluster.store.get('events', namespace, eventName);
  const isSeries = writesSeries.has(component);
  if (same) {
    const repeated = (live: Fields): Fields =>
      isSeries
        ? { series: { count: Number(fieldAt(live, 'series', 'count') ?? 1) + 1, lastObservedTime: exactly } }
        : { count: (typeof live.count === 'number' ? live.count : 1) + 1, lastTimestamp: now };
    cluster.writer.change(
      { resource, namespace, name: eventName },
      (live) => ({ ...live, ...repeated(live) }),
      options,
    );
    return;
  }
  const told = isSeries
    ? { eventTime: exactly, action: 'Scheduling', source: {}, firstTimestamp: null, lastTimestamp: null }
    : { eventTime: null, source: { component }, firstTimestamp: now, lastTimestamp: now, count: 1 };
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
    type,
    ...told,
    reportingComponent: component,
    reportingInstance: isSeries ? `${component}-sandbox` : '',
  };
  cluster.writer.create(resource, namespace, body, options);
}
