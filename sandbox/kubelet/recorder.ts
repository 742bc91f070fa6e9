import type { ApiClient } from '../../src/kube/api-client.ts';
import type { Clock } from '../../src/model/clock.ts';
import { shortHash } from '../../src/model/hash.ts';
import { type KubeObject, timestamp } from '../object.ts';

/** Writes an Event about an object (or, with `fieldPath`, one of its containers). Never throws: kubelets drop what fails. */
export type Recorder = (
  about: KubeObject,
  type: 'Normal' | 'Warning',
  reason: string,
  message: string,
  fieldPath?: string,
) => void;

/** How long an event is counted up instead of written anew: longer than any story told here. */
const rememberedEvents = 4096;

/** The event recorder of one node. The same event again counts the first one up, as client-go's correlator does. */
export function createRecorder(
  api: ApiClient,
  clock: Clock,
  node: string,
  onError: (error: unknown) => void,
): Recorder {
  const known = new Map<string, { readonly name: string; count: number }>();
  // One after the other: a count must not overtake its event.
  let line: Promise<unknown> = Promise.resolve();

  async function write(path: string, key: string, body: object, name: string): Promise<void> {
    const before = known.get(key);
    const lastTimestamp = timestamp(clock.now());
    if (before) {
      before.count += 1;
      const patch = { count: before.count, lastTimestamp };
      const contentType = 'application/merge-patch+json';
      await api.json({ method: 'PATCH', path: `${path}/${before.name}`, body: patch, contentType });
      return;
    }
    known.set(key, { name, count: 1 });
    const oldest = known.keys().next();
    if (known.size > rememberedEvents && !oldest.done) known.delete(oldest.value);
    await api.json({ method: 'POST', path, body });
  }

  return (about, type, reason, message, fieldPath) => {
    const { name, uid, resourceVersion } = about.metadata;
    const namespace = about.metadata.namespace ?? 'default';
    const key = shortHash([uid, type, reason, message, fieldPath ?? '']);
    const now = timestamp(clock.now());
    const body = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${name}.${key}`, namespace },
      involvedObject: {
        kind: about.kind,
        ...(about.metadata.namespace ? { namespace } : {}),
        name,
        uid,
        apiVersion: about.apiVersion,
        resourceVersion,
        ...(fieldPath ? { fieldPath } : {}),
      },
      reason,
      message,
      source: { component: 'kubelet', host: node },
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
      type,
      eventTime: null,
      reportingComponent: 'kubelet',
      reportingInstance: node,
    };
    line = line
      .then(() => write(`/api/v1/namespaces/${namespace}/events`, key, body, body.metadata.name))
      .catch(onError);
  };
}
