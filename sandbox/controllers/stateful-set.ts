import { shortHash } from '../../src/model/hash.ts';
import { type Cluster, objectOf } from '../cluster.ts';
import type { Fields } from '../object.ts';
import type { Pod, Volume, Workload } from '../shapes.ts';
import { type Controller, ownedBy, splitKey } from './controller.ts';
import { recordEvent } from './events.ts';
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

/** Makes the claims of a member that are not there yet; the volumes that its Pod has for them. */
function claimsOf(cluster: Cluster, set: Workload, pod: string): Volume[] {
  const { namespace } = set.metadata;
  return (set.spec.volumeClaimTemplates ?? []).map(({ metadata, spec }) => {
    const claimName = `${metadata.name}-${pod}`;
    const resource = cluster.resource('persistentvolumeclaims');
    if (!cluster.store.get('persistentvolumeclaims', namespace, claimName)) {
      const body = { metadata: { name: claimName, labels: set.spec.selector.matchLabels ?? {} }, spec };
      cluster.writer.create(resource, namespace, body, { manager: 'kube-controller-manager' });
      const text = `create Claim ${claimName} Pod ${pod} in StatefulSet ${set.metadata.name} success`;
      recordEvent(cluster, set, 'statefulset-controller', 'Normal', 'SuccessfulCreate', text);
    }
    return { name: metadata.name, persistentVolumeClaim: { claimName } };
  });
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
      const volumes = [...(template.spec.volumes ?? []), ...claimsOf(cluster, set, name)];
      const spec = { hostname: name, subdomain: set.spec.serviceName ?? '' };
      createPod(cluster, set, template, {
        name,
        labels,
        spec: { ...spec, ...(volumes.length > 0 ? { volumes } : {}) },
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
