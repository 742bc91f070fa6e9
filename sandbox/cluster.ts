import type { Clock } from '../src/model/clock.ts';
import { establish } from './custom-resources.ts';
import { type Fields, type KubeObject, timestamp } from './object.ts';
import { createRegistry, isServedIn, type Registry, type Resource, resourceKey, splitApiVersion } from './resources.ts';
import { createStore, type Store } from './store.ts';
import { storedAs, takenFrom } from './versions.ts';
import { Writer } from './writer.ts';

/** The state of a simulated cluster and the ways to change it: what HTTP and the controllers share. */
export type Cluster = {
  readonly store: Store;
  readonly registry: Registry;
  readonly writer: Writer;
  readonly clock: Clock;
  /** The resource of a key in our tables; a programming error when there is none. */
  resource(key: string): Resource;
};

/** Namespaces every cluster has. */
const firstNamespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

/** A cluster with the first namespaces in it. Definitions of custom resources take effect as they are written. */
export function createCluster(clock: Clock, compactionAfter: number): Cluster {
  const store = createStore(compactionAfter);
  const registry = createRegistry();
  const writer = new Writer({ store, registry, clock });
  const resource = (key: string): Resource => {
    const found = registry.byKey(key);
    if (!found) throw new Error(`the sandbox does not serve ${key}`);
    return found;
  };
  store.subscribe((change) => {
    if (change.resource !== 'customresourcedefinitions.apiextensions.k8s.io') return;
    if (change.type === 'DELETED') registry.forget(change.object.metadata.name);
    else establishOnce(change.object);
  });
  function establishOnce(definition: KubeObject): void {
    const status = establish(registry, definition, timestamp(clock.now()));
    if (status && !definition.status)
      // After this write has been told to everybody, or listeners would see the two out of order.
      queueMicrotask(() => {
        const key = 'customresourcedefinitions.apiextensions.k8s.io';
        const target = { resource: resource(key), namespace: undefined, name: definition.metadata.name };
        if (store.get(key, undefined, target.name))
          writer.change(target, (live) => ({ ...live, status }), { manager: 'kube-apiserver', subresource: 'status' });
      });
  }
  for (const name of firstNamespaces) {
    const body = { metadata: { name, labels: { 'kubernetes.io/metadata.name': name } } };
    writer.create(resource('namespaces'), undefined, body, { manager: 'kube-apiserver' });
  }
  return { store, registry, writer, clock, resource };
}

/** Writes an object as its manifest says: kind and namespace are taken from it. */
export function createFromManifest(cluster: Cluster, manifest: Fields, manager: string): KubeObject {
  const { group, version } = splitApiVersion(String(manifest.apiVersion));
  const found = cluster.registry
    .all()
    .find((r) => r.group === group && isServedIn(r, version) && r.kind === manifest.kind);
  const resource = found && cluster.registry.at(group, version, found.plural);
  if (!resource) throw new Error(`the sandbox serves no ${String(manifest.kind)} in ${String(manifest.apiVersion)}`);
  const namespace = (manifest.metadata as { namespace?: string } | undefined)?.namespace;
  const where = resource.namespaced ? (namespace ?? 'default') : undefined;
  return cluster.writer.create(storedAs(resource), where, takenFrom(resource, manifest), { manager });
}

/** The live object of a built-in kind, in the shape its caller knows it to have. */
export function objectOf<T extends KubeObject>(
  cluster: Cluster,
  key: string,
  namespace: string | undefined,
  name: string,
): T | undefined {
  return cluster.store.get(key, namespace, name) as T | undefined;
}

/** All objects of a built-in kind, in the shape its caller knows them to have. */
export function objectsOf<T extends KubeObject>(cluster: Cluster, key: string, namespace?: string): T[] {
  return cluster.store.list(key, namespace) as T[];
}

/** The key of a resource by the API version and kind of an owner reference. */
export function keyOfKind(cluster: Cluster, apiVersion: string, kind: string): string | undefined {
  const { group } = splitApiVersion(apiVersion);
  const found = cluster.registry.all().find((r) => r.group === group && r.kind === kind);
  return found && resourceKey(found);
}
