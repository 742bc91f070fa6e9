import type { Cluster } from '../cluster.ts';
import { timestamp } from '../object.ts';
import { resourceKey } from '../resources.ts';
import type { Condition } from '../shapes.ts';
import type { Controller } from './controller.ts';
import { conditionOf, writeStatus } from './pods.ts';

/** What the conditions of a Namespace on its way out say when nothing is in the way (status_condition_utils.go). */
const fine: readonly (readonly [type: string, reason: string, message: string])[] = [
  ['NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'],
  ['NamespaceDeletionGroupVersionParsingFailure', 'ParsedGroupVersions', 'All legacy kube types successfully parsed'],
  [
    'NamespaceDeletionContentFailure',
    'ContentDeleted',
    'All content successfully deleted, may be waiting on finalization',
  ],
  ['NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed'],
  ['NamespaceFinalizersRemaining', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
];

/** Looks again after this long while something is left: half the longest grace of a Pod, in the real one. */
const againMs = 5_000;

/** Empties Namespaces that are being deleted, says what is in the way, then lets them go. */
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
      const left = new Map<string, number>();
      const finalizers = new Map<string, number>();
      for (const resource of cluster.registry.all().filter((each) => each.namespaced))
        for (const object of cluster.store.list(resourceKey(resource), name)) {
          const removed = cluster.writer.remove({ resource, namespace: name, name: object.metadata.name });
          if (!removed.stays) continue;
          const kind = `${resource.plural}.${resource.group}`;
          left.set(kind, (left.get(kind) ?? 0) + 1);
          for (const finalizer of object.metadata.finalizers ?? [])
            finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
        }
      const live = cluster.store.get('namespaces', undefined, name);
      if (!live) return undefined;
      if (left.size > 0) {
        report(cluster, name, left, finalizers);
        return againMs;
      }
      cluster.store.remove('namespaces', live);
      return undefined;
    },
  };
}

const texts = (counts: ReadonlyMap<string, number>, verb: string): string =>
  [...counts]
    .map(([what, count]) => `${what} ${verb} ${count} resource instances`)
    .sort()
    .join(', ');

function report(
  cluster: Cluster,
  name: string,
  left: ReadonlyMap<string, number>,
  finalizers: ReadonlyMap<string, number>,
): void {
  const namespace = cluster.store.get('namespaces', undefined, name);
  if (!namespace) return;
  const wrong = new Map([
    ['NamespaceContentRemaining', ['SomeResourcesRemain', `Some resources are remaining: ${texts(left, 'has')}`]],
    ...(finalizers.size > 0
      ? [
          [
            'NamespaceFinalizersRemaining',
            [
              'SomeFinalizersRemain',
              `Some content in the namespace has finalizers remaining: ${texts(finalizers, 'in')}`,
            ],
          ] as const,
        ]
      : []),
  ] as (readonly [string, readonly [string, string]])[]);
  const before = (namespace.status as { conditions?: Condition[] } | undefined)?.conditions;
  const conditions = fine.map(([type, reason, message]): Condition => {
    const [ownReason, ownMessage] = wrong.get(type) ?? [reason, message];
    const status = wrong.has(type) ? 'True' : 'False';
    const old = conditionOf(before, type);
    const lastTransitionTime = (old?.status === status && old.lastTransitionTime) || timestamp(cluster.clock.now());
    return { type, status, lastTransitionTime, reason: ownReason, message: ownMessage };
  });
  writeStatus(cluster, 'namespaces', namespace, { phase: 'Terminating', conditions });
}
