import { shortHash } from '../../src/model/hash.ts';
import { type Cluster, objectOf, objectsOf } from '../cluster.ts';
import type { Node, Pod, PodSpec, Toleration, Workload } from '../shapes.ts';
import { type Controller, ownedBy, splitKey } from './controller.ts';
import { affinityTo, boundName, selects, untolerated } from './placement.ts';
import { countPods, createPod, deletePod, isActive, isReady, podsOf, writeStatus } from './pods.ts';

const revisionLabel = 'controller-revision-hash';

/** What every daemon Pod tolerates (pkg/controller/daemon/util). */
const daemonTolerations: readonly Toleration[] = [
  { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/disk-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/pid-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
];

/** DaemonSet → one Pod on each node that its template may run on. */
export function daemonSetController(cluster: Cluster): Controller {
  const own = ownedBy('daemonsets.apps', 'DaemonSet', 'pods');
  return {
    name: 'daemonset',
    concerns(change) {
      // A heartbeat changes no placement; a node that comes, goes or is tainted does.
      const moved =
        change.resource === 'nodes' && (change.type !== 'MODIFIED' || specChanged(change.before, change.object));
      if (!moved) return own(change);
      return objectsOf(cluster, 'daemonsets.apps').map((set) => `${set.metadata.namespace}/${set.metadata.name}`);
    },
    reconcile(key) {
      const set = objectOf<Workload>(cluster, 'daemonsets.apps', ...splitKey(key));
      if (!set || set.metadata.deletionTimestamp) return undefined;
      const revision = shortHash([JSON.stringify(set.spec.template)], 10);
      const { template } = set.spec;
      const tolerations = [...(template.spec.tolerations ?? []), ...daemonTolerations];
      const spec: PodSpec = { ...template.spec, tolerations };
      const nodes = objectsOf<Node>(cluster, 'nodes').filter(
        (node) => selects(spec, node) && !untolerated(spec, node, ['NoSchedule', 'NoExecute']),
      );
      place(cluster, set, revision, spec, nodes);
      const pods = podsOf(cluster, set).filter(isActive);
      const { ready, available, againMs } = countPods(pods, set.spec.minReadySeconds, cluster.clock.now());
      const updated = pods.filter((pod) => pod.metadata.labels?.[revisionLabel] === revision).length;
      const missing = nodes.length - available;
      writeStatus(cluster, 'daemonsets.apps', set, {
        currentNumberScheduled: Math.min(pods.length, nodes.length),
        numberMisscheduled: 0,
        desiredNumberScheduled: nodes.length,
        numberReady: ready,
        observedGeneration: set.metadata.generation,
        ...(updated > 0 ? { updatedNumberScheduled: updated } : {}),
        ...(available > 0 ? { numberAvailable: available } : {}),
        ...(missing > 0 ? { numberUnavailable: missing } : {}),
      });
      return againMs;
    },
  };
}

const specChanged = (before: object | undefined, after: object): boolean =>
  JSON.stringify((before as Node | undefined)?.spec) !== JSON.stringify((after as Node).spec);

const nodeOf = (pod: Pod): string | undefined => pod.spec.nodeName ?? boundName(pod.spec);

function place(cluster: Cluster, set: Workload, revision: string, spec: PodSpec, nodes: readonly Node[]): void {
  const all = podsOf(cluster, set);
  const pods = all.filter((pod) => !pod.metadata.deletionTimestamp);
  const names = new Set(nodes.map((node) => node.metadata.name));
  for (const pod of pods)
    if (!names.has(nodeOf(pod) ?? '') || pod.status.phase === 'Failed') deletePod(cluster, set, pod);
  for (const node of nodes) {
    const { name } = node.metadata;
    // A Pod on its way out still holds the place.
    if (all.some((pod) => nodeOf(pod) === name)) continue;
    const { template } = set.spec;
    const extra = { labels: { [revisionLabel]: revision }, spec: { ...spec, affinity: affinityTo(name) } };
    createPod(cluster, set, template, extra);
  }
  if (set.spec.updateStrategy?.type === 'OnDelete') return;
  const allowed = Number(set.spec.updateStrategy?.rollingUpdate?.maxUnavailable ?? 1);
  let down = nodes.length - pods.filter(isReady).length;
  for (const pod of pods) {
    if (pod.metadata.labels?.[revisionLabel] === revision) continue;
    if (isReady(pod) && down >= allowed) continue;
    if (isReady(pod)) down += 1;
    deletePod(cluster, set, pod);
  }
}
