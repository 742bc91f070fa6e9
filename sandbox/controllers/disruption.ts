import { type Cluster, objectOf, objectsOf } from '../cluster.ts';
import { type KubeObject, timestamp } from '../object.ts';
import { matches } from '../selectors.ts';
import type { Condition, LabelSelector, Pod } from '../shapes.ts';
import { type Controller, keyOfChange, splitKey } from './controller.ts';
import { conditionOf, isReady, writeStatus } from './pods.ts';
import { portion } from './rollout.ts';

/** policy/v1 PodDisruptionBudget. */
export type DisruptionBudget = KubeObject & {
  spec: { selector?: LabelSelector; minAvailable?: number | string; maxUnavailable?: number | string };
  status?: {
    disruptionsAllowed: number;
    currentHealthy: number;
    desiredHealthy: number;
    expectedPods: number;
    conditions?: Condition[];
    observedGeneration?: number;
  };
};

const key = 'poddisruptionbudgets.policy';

/** The budgets that select a Pod. */
export function budgetsOf(cluster: Pick<Cluster, 'store'>, pod: KubeObject): DisruptionBudget[] {
  return (cluster.store.list(key, pod.metadata.namespace) as DisruptionBudget[]).filter(
    ({ spec }) => spec.selector && matches(spec.selector, pod.metadata.labels),
  );
}

/** How many Pods of a budget may go now (pkg/controller/disruption). */
export function disruptionController(cluster: Cluster): Controller {
  return {
    name: 'disruption',
    concerns(change) {
      if (change.resource === key) return [keyOfChange(change)];
      if (change.resource !== 'pods') return [];
      return budgetsOf(cluster, change.object).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
    },
    reconcile(budgetKey) {
      const budget = objectOf<DisruptionBudget>(cluster, key, ...splitKey(budgetKey));
      if (!budget?.spec.selector) return undefined;
      const { selector, minAvailable, maxUnavailable } = budget.spec;
      const pods = objectsOf<Pod>(cluster, 'pods', budget.metadata.namespace).filter((pod) =>
        matches(selector, pod.metadata.labels),
      );
      const healthy = pods.filter((pod) => isReady(pod) && !pod.metadata.deletionTimestamp).length;
      const expected = maxUnavailable === undefined && typeof minAvailable === 'number' ? pods.length : scaleOf(pods);
      const desired =
        maxUnavailable === undefined
          ? portion(minAvailable ?? 1, expected, Math.ceil)
          : Math.max(0, expected - portion(maxUnavailable, expected, Math.ceil));
      const disruptionsAllowed = expected > 0 ? Math.max(0, healthy - desired) : 0;
      const observedGeneration = budget.metadata.generation ?? 1;
      const status = disruptionsAllowed > 0 ? ('True' as const) : ('False' as const);
      const old = conditionOf(budget.status?.conditions, 'DisruptionAllowed');
      const condition: Condition = {
        type: 'DisruptionAllowed',
        status,
        message: '',
        observedGeneration,
        reason: disruptionsAllowed > 0 ? 'SufficientPods' : 'InsufficientPods',
        lastTransitionTime: (old?.status === status && old.lastTransitionTime) || timestamp(cluster.clock.now()),
      };
      const numbers = { currentHealthy: healthy, desiredHealthy: desired, expectedPods: expected, disruptionsAllowed };
      writeStatus(cluster, key, budget, { ...numbers, observedGeneration, conditions: [condition] });
      return undefined;
    },
  };

  /** How many Pods their controllers want together. */
  function scaleOf(pods: readonly Pod[]): number {
    const scales = new Map<string, number>();
    for (const pod of pods) {
      const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller);
      const plural = owner?.kind === 'StatefulSet' ? 'statefulsets.apps' : 'replicasets.apps';
      const found = owner && cluster.store.get(plural, pod.metadata.namespace, owner.name);
      const spec = found?.spec as { replicas?: number } | undefined;
      if (owner) scales.set(owner.uid, spec?.replicas ?? 0);
    }
    return [...scales.values()].reduce((sum, replicas) => sum + replicas, 0);
  }
}
