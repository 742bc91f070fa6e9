import { shortHash } from '../../src/model/hash.ts';
import { type Cluster, objectOf, objectsOf } from '../cluster.ts';
import type { KubeObject } from '../object.ts';
import type { Deployment, Workload } from '../shapes.ts';
import type { StoreChange } from '../store.ts';
import { type Controller, ownedBy, splitKey } from './controller.ts';
import { reportStatus } from './deployment-status.ts';
import { changeObject, controllerReference, isControlledBy } from './pods.ts';
import { bounds, countOf, revisionAnnotation, revisionOf, roll, scale, sum } from './rollout.ts';

const ownSets = ownedBy('deployments.apps', 'Deployment', 'replicasets.apps');

/** The Deployment that may have waited for a Pod to be gone (`deletePod` in deployment_controller.go); no status tells of that. */
function recreatedFor(cluster: Cluster, { resource, type, object }: StoreChange): readonly string[] {
  if (resource !== 'pods' || type !== 'DELETED') return [];
  const { namespace, ownerReferences } = object.metadata;
  const owner = ownerReferences?.find(({ controller, kind }) => controller && kind === 'ReplicaSet');
  const set = owner && objectOf<Workload>(cluster, 'replicasets.apps', namespace, owner.name);
  const above = set?.metadata.ownerReferences?.find(({ controller, kind }) => controller && kind === 'Deployment');
  return above ? [`${namespace}/${above.name}`] : [];
}

/** Deployment → ReplicaSets: revisions, rolling updates, Progressing and Available (pkg/controller/deployment). */
export function deploymentController(cluster: Cluster): Controller {
  return {
    name: 'deployment',
    concerns: (change) => [...ownSets(change), ...recreatedFor(cluster, change)],
    reconcile(key) {
      const deployment = objectOf<Deployment>(cluster, 'deployments.apps', ...splitKey(key));
      if (!deployment || deployment.metadata.deletionTimestamp) return undefined;
      const own = (): Workload[] =>
        objectsOf<Workload>(cluster, 'replicasets.apps', deployment.metadata.namespace).filter((set) =>
          isControlledBy(set, deployment),
        );
      const { current, created } = currentSet(cluster, deployment, own());
      if (current) roll(cluster, deployment, current, own());
      const sets = own();
      const again = reportStatus(cluster, deployment, current, sets, created);
      if (current) forgetOldSets(cluster, deployment, current, sets);
      return again;
    },
  };
}

/** The ReplicaSet of the present template, made or promoted when it is not the newest yet. */
function currentSet(
  cluster: Cluster,
  deployment: Deployment,
  sets: readonly Workload[],
): { readonly current: Workload | undefined; readonly created: boolean } {
  const hash = templateHash(deployment);
  const found = sets.find((set) => set.metadata.labels?.['pod-template-hash'] === hash);
  const newest = Math.max(0, ...sets.filter((set) => set !== found).map(revisionOf));
  const { replicas } = deployment.spec;
  if (found) {
    const revision = Math.max(revisionOf(found), newest + 1);
    annotate(cluster, deployment, { [revisionAnnotation]: String(revision) });
    return { current: annotate(cluster, found, setAnnotations(deployment, revision)), created: false };
  }
  if (deployment.spec.paused) return { current: undefined, created: false };
  const { template, selector, minReadySeconds } = deployment.spec;
  const labels = { ...template.metadata?.labels, 'pod-template-hash': hash };
  const name = `${deployment.metadata.name}-${hash}`;
  const body = {
    metadata: {
      name,
      labels,
      annotations: setAnnotations(deployment, newest + 1),
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      replicas: 0,
      ...(minReadySeconds ? { minReadySeconds } : {}),
      selector: { ...selector, matchLabels: { ...selector.matchLabels, 'pod-template-hash': hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  };
  const resource = cluster.resource('replicasets.apps');
  const manager = 'kube-controller-manager';
  const set = cluster.writer.create(resource, deployment.metadata.namespace, body, { manager }) as Workload;
  annotate(cluster, deployment, { [revisionAnnotation]: String(newest + 1) });
  const initial = Math.min(replicas, replicas + bounds(deployment).surge - sum(sets, (s) => s.spec.replicas));
  const recreating = deployment.spec.strategy.type === 'Recreate' && sum(sets, (s) => countOf(s, 'replicas')) > 0;
  if (!recreating && initial > 0) scale(cluster, deployment, set, initial);
  return { current: set, created: true };
}

/** Ten letters that are the same for the same template; made of the letters generated names use. */
function templateHash(deployment: Deployment): string {
  const hex = shortHash([JSON.stringify(deployment.spec.template)], 10);
  return hex.replace(/[0-9a-f]/g, (digit) => 'bcdfghjklmnpqrst'[Number.parseInt(digit, 16)] ?? digit);
}

function setAnnotations(deployment: Deployment, revision: number): Readonly<Record<string, string>> {
  const { replicas } = deployment.spec;
  return {
    'deployment.kubernetes.io/desired-replicas': String(replicas),
    'deployment.kubernetes.io/max-replicas': String(replicas + bounds(deployment).surge),
    [revisionAnnotation]: String(revision),
  };
}

function annotate<T extends KubeObject>(cluster: Cluster, object: T, annotations: Readonly<Record<string, string>>): T {
  return changeObject(cluster, object, (live) => ({
    ...live,
    metadata: { ...live.metadata, annotations: { ...live.metadata.annotations, ...annotations } },
  })) as T;
}

/** Old sets without Pods beyond the history limit go, oldest first. */
function forgetOldSets(cluster: Cluster, deployment: Deployment, current: Workload, sets: readonly Workload[]): void {
  const empty = sets
    .filter(
      (set) => set.metadata.uid !== current.metadata.uid && set.spec.replicas === 0 && countOf(set, 'replicas') === 0,
    )
    .sort((a, b) => revisionOf(a) - revisionOf(b));
  const { revisionHistoryLimit } = deployment.spec;
  const resource = cluster.resource('replicasets.apps');
  for (const set of empty.slice(0, Math.max(0, empty.length - revisionHistoryLimit)))
    cluster.writer.remove({ resource, namespace: set.metadata.namespace, name: set.metadata.name });
}
