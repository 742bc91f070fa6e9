import { type Cluster, objectOf, objectsOf } from '../cluster.ts';
import { quantityText, type ResourceQuota, usedOf } from '../quota.ts';
import { type Controller, keyOfChange, splitKey } from './controller.ts';
import { writeStatus } from './pods.ts';

/** What is counted in its namespace → the status of a ResourceQuota. */
export function resourceQuotaController(cluster: Cluster): Controller {
  return {
    name: 'resourcequota',
    concerns(change) {
      if (change.resource === 'resourcequotas') return [keyOfChange(change)];
      const { namespace } = change.object.metadata;
      if (namespace === undefined || change.resource === 'events' || change.resource.startsWith('leases')) return [];
      return objectsOf(cluster, 'resourcequotas', namespace).map(({ metadata }) => `${namespace}/${metadata.name}`);
    },
    reconcile(key) {
      const quota = objectOf<ResourceQuota>(cluster, 'resourcequotas', ...splitKey(key));
      if (!quota) return undefined;
      const used = [...usedOf(cluster.store, quota)].map(([resource, value]) => [
        resource,
        quantityText(resource, value),
      ]);
      writeStatus(cluster, 'resourcequotas', quota, {
        hard: quota.spec.hard ?? {},
        used: Object.fromEntries(used),
      });
      return undefined;
    },
  };
}
