import { budgetsOf } from './controllers/disruption.ts';
import { isReady } from './controllers/pods.ts';
import { ApiFailure, notFound } from './failure.ts';
import type { Fields } from './object.ts';
import type { Resource } from './resources.ts';
import type { Pod } from './shapes.ts';
import type { Store } from './store.ts';
import type { Writer } from './writer.ts';

/** `POST pods/<name>/eviction`: deletes the Pod, unless a budget forbids it (pkg/registry/core/pod/storage/eviction.go). */
export function evict(
  { store, writer }: { readonly store: Store; readonly writer: Writer },
  { resource, namespace, name }: { readonly resource: Resource; readonly namespace: string; readonly name: string },
): Fields {
  const pod = store.get('pods', namespace, name) as Pod | undefined;
  if (!pod) throw notFound(resource, name);
  const ended = pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed' || pod.status.phase === 'Pending';
  for (const budget of ended || pod.metadata.deletionTimestamp ? [] : budgetsOf({ store }, pod)) {
    const { currentHealthy = 0, desiredHealthy = 0, disruptionsAllowed = 0 } = budget.status ?? {};
    // What is not ready is in nobody's way while enough others are (unhealthyPodEvictionPolicy IfHealthyBudget).
    if (!isReady(pod) && currentHealthy >= desiredHealthy && desiredHealthy > 0) continue;
    if (disruptionsAllowed > 0) continue;
    const needs = `needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
    const cause = { reason: 'DisruptionBudget', message: `The disruption budget ${budget.metadata.name} ${needs}` };
    const message = "Cannot evict pod as it would violate the pod's disruption budget.";
    throw new ApiFailure(429, 'TooManyRequests', message, { causes: [cause] });
  }
  writer.remove({ resource, namespace, name });
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
}
