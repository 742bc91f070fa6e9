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

/** Empties Namespaces that are being deleted, then lets them go. */
export function namespaceController(cluster: Cluster): Controller {
  return {
    name: 'namespace',
    concerns(change) {
      const name = change.resource === 'namespaces' ? change.object.metadata.name : change.object.metadata.namespace;
      const namespace = name ? cluster.store.get('namespaces', undefined, name) : undefined;
      return name && namespace?.metadata.deletionTimestamp ? [name] : [];
    },
    reconcile(name) {
      const namespace = cluster.store.get('namespaces', undefined, name);
      if (!namespace?.metadata.deletionTimestamp) return undefined;
      const resource = cluster.resource('namespaces');
      const target = { resource, namespace: undefined, name };
      const options = { manager: 'kube-controller-manager', subresource: 'status' };
      cluster.writer.change(target, (live) => ({ ...live, status: { phase: 'Terminating' } }), options);
      let left = 0;
      for (const inside of cluster.registry.all().filter((r) => r.namespaced))
        for (const object of cluster.store.list(resourceKey(inside), name))
          if (cluster.writer.remove({ resource: inside, namespace: name, name: object.metadata.name }).stays) left += 1;
      const live = cluster.store.get('namespaces', undefined, name);
      if (left === 0 && live) cluster.store.remove('namespaces', live);
      return undefined;
    },
  };
}
