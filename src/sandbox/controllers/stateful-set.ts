import { shortHash } from '../../model/hash.ts';
import { type Cluster, objectOf } from '../cluster.ts';
import type { Fields } from '../object.ts';
import type { Pod, Workload } from '../shapes.ts';
import { type Controller, ownedBy, splitKey } from './controller.ts';
import { countPods, createPod, deletePod, isActive, isReady, podsOf, writeStatus } from './pods.ts';

const revisionLabel = 'controller-revision-hash';

/** The number at the end of a Pod's name. */
const ordinalOf = (pod: Pod): number => Number(/-(\d+)$/.exec(pod.metadata.name)?.[1] ?? 0);

/** StatefulSet → Pods with ordinals, one after the other, updated from the highest down. No ControllerRevision objects. */
export function statefulSetController(cluster: Cluster): Controller {
  return {
    name: 'statefulset',
    concerns: ownedBy('statefulsets.apps', 'StatefulSet', 'pods'),
    reconcile(key) {
      const set = objectOf<Workload>(cluster, 'statefulsets.apps', ...splitKey(key));
      if (!set || set.metadata.deletionTimestamp) return undefined;
      const { name } = set.metadata;
      const revision = `${name}-${shortHash([JSON.stringify(set.spec.template)], 10)}`;
      step(cluster, set, revision);
      const pods = podsOf(cluster, set);
      const { ready, available, againMs } = countPods(pods, set.spec.minReadySeconds, cluster.clock.now());
      const updated = pods.filter((pod) => pod.metadata.labels?.[revisionLabel] === revision).length;
      const earlier = set.status?.currentRevision;
      const done = updated === set.spec.replicas && pods.length === updated && ready === updated;
      const current = done || typeof earlier !== 'string' ? revision : earlier;
      const onCurrent = pods.filter((pod) => pod.metadata.labels?.[revisionLabel] === current).length;
      const status: Fields = {
        observedGeneration: set.metadata.generation,
        replicas: pods.length,
        ...(ready > 0 ? { readyReplicas: ready } : {}),
        ...(onCurrent > 0 ? { currentReplicas: onCurrent } : {}),
        ...(updated > 0 ? { updatedReplicas: updated } : {}),
        availableReplicas: available,
        currentRevision: current,
        updateRevision: revision,
        collisionCount: 0,
      };
      writeStatus(cluster, 'statefulsets.apps', set, status);
      return againMs;
    },
  };
}

/** At most one thing in order, as `OrderedReady` says; `Parallel` makes all that is missing at once. */
function step(cluster: Cluster, set: Workload, revision: string): void {
  const { replicas, podManagementPolicy, updateStrategy, template } = set.spec;
  const pods = podsOf(cluster, set).sort((a, b) => ordinalOf(a) - ordinalOf(b));
  const parallel = podManagementPolicy === 'Parallel';
  for (let ordinal = 0; ordinal < replicas; ordinal += 1) {
    const pod = pods.find((candidate) => ordinalOf(candidate) === ordinal);
    if (!pod) {
      const name = `${set.metadata.name}-${ordinal}`;
      const labels = {
        [revisionLabel]: revision,
        'statefulset.kubernetes.io/pod-name': name,
        'apps.kubernetes.io/pod-index': String(ordinal),
      };
      createPod(cluster, set, template, {
        name,
        labels,
        spec: { hostname: name, subdomain: set.spec.serviceName ?? '' },
      });
    } else if (pod.status.phase === 'Failed' && !pod.metadata.deletionTimestamp) deletePod(cluster, set, pod);
    if (!parallel && !(pod && isReady(pod) && isActive(pod))) return;
  }
  const surplus = pods.filter((pod) => ordinalOf(pod) >= replicas).at(-1);
  if (surplus) {
    if (!surplus.metadata.deletionTimestamp) deletePod(cluster, set, surplus);
    return;
  }
  if (updateStrategy?.type === 'OnDelete') return;
  const partition = updateStrategy?.rollingUpdate?.partition ?? 0;
  for (const pod of pods.toReversed()) {
    if (ordinalOf(pod) < partition || pod.metadata.deletionTimestamp) return;
    const outdated = pod.metadata.labels?.[revisionLabel] !== revision;
    if (outdated) deletePod(cluster, set, pod);
    if (outdated || !isReady(pod)) return;
  }
}
