import { type Cluster, objectOf } from '../cluster.ts';
import { ApiFailure } from '../failure.ts';
import { type Fields, timestamp } from '../object.ts';
import type { Condition, Pod, Workload } from '../shapes.ts';
import { type Controller, ownedBy, splitKey } from './controller.ts';
import { conditionOf, countPods, createPod, deletePod, isActive, isReady, podsOf, writeStatus } from './pods.ts';

/** Which Pods go first when there are too many: without a node, then not ready, then the youngest. */
function deletionOrder(a: Pod, b: Pod): number {
  const rank = (pod: Pod): number => (pod.spec.nodeName ? 1 : 0) + (isReady(pod) ? 1 : 0);
  return rank(a) - rank(b) || b.metadata.creationTimestamp.localeCompare(a.metadata.creationTimestamp);
}

/** ReplicaSet → Pods: as many as wanted, and the counts. */
export function replicaSetController(cluster: Cluster): Controller {
  return {
    name: 'replicaset',
    concerns: ownedBy('replicasets.apps', 'ReplicaSet', 'pods'),
    reconcile(key) {
      const set = objectOf<Workload>(cluster, 'replicasets.apps', ...splitKey(key));
      if (!set || set.metadata.deletionTimestamp) return undefined;
      const before = podsOf(cluster, set).filter(isActive);
      const missing = set.spec.replicas - before.length;
      const refusal = create(cluster, set, missing);
      for (const pod of before.toSorted(deletionOrder).slice(0, Math.max(0, -missing))) deletePod(cluster, set, pod);
      const pods = podsOf(cluster, set).filter(isActive);
      const { ready, available, againMs } = countPods(pods, set.spec.minReadySeconds, cluster.clock.now());
      const status: Fields = { replicas: pods.length, observedGeneration: set.metadata.generation };
      if (pods.length > 0) status.fullyLabeledReplicas = pods.length;
      if (ready > 0) status.readyReplicas = ready;
      if (available > 0) status.availableReplicas = available;
      const conditions = failure(cluster, set, refusal);
      if (conditions.length > 0) status.conditions = conditions;
      writeStatus(cluster, 'replicasets.apps', set, status);
      if (refusal) throw refusal;
      return againMs;
    },
  };
}

/** Makes so many Pods, up to the first that is refused. */
function create(cluster: Cluster, set: Workload, count: number): ApiFailure | undefined {
  try {
    for (let i = 0; i < count; i += 1) createPod(cluster, set, set.spec.template);
    return undefined;
  } catch (error) {
    if (error instanceof ApiFailure) return error;
    throw error;
  }
}

/** The one condition of a ReplicaSet: that its Pods are refused. It stays as it began while they are. */
function failure(cluster: Cluster, set: Workload, refusal: ApiFailure | undefined): readonly Condition[] {
  if (!refusal) return [];
  const old = conditionOf(set.status?.conditions as Condition[] | undefined, 'ReplicaFailure');
  if (old) return [old];
  const lastTransitionTime = timestamp(cluster.clock.now());
  const message = refusal.message;
  return [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message, lastTransitionTime }];
}
