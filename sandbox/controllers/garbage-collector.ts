import type { Cluster } from '../cluster.ts';
import { keyOfKind } from '../cluster.ts';
import type { KubeObject } from '../object.ts';
import { resourceKey } from '../resources.ts';
import type { Controller } from './controller.ts';

/** Deletes what is owned by nobody any more (background propagation). */
export function garbageCollector(cluster: Cluster): Controller {
  const gone = (object: KubeObject): boolean => {
    const owners = object.metadata.ownerReferences ?? [];
    return (
      owners.length > 0 &&
      owners.every((owner) => {
        const key = keyOfKind(cluster, owner.apiVersion, owner.kind);
        const namespace = key && cluster.registry.byKey(key)?.namespaced ? object.metadata.namespace : undefined;
        return key === undefined || cluster.store.get(key, namespace, owner.name)?.metadata.uid !== owner.uid;
      })
    );
  };
  return {
    name: 'garbage-collector',
    concerns(change) {
      if (change.type === 'DELETED') return [`owner/${change.object.metadata.uid}`];
      return [];
    },
    reconcile(key) {
      const uid = key.slice('owner/'.length);
      for (const resource of cluster.registry.all())
        for (const object of cluster.store.list(resourceKey(resource)))
          if (object.metadata.ownerReferences?.some((owner) => owner.uid === uid) && gone(object))
            cluster.writer.remove({ resource, namespace: object.metadata.namespace, name: object.metadata.name });
      return undefined;
    },
  };
}
