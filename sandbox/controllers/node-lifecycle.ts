import { type Cluster, objectOf, objectsOf } from '../cluster.ts';
import { timestamp } from '../object.ts';
import type { Condition, Lease, Node, Pod, Taint } from '../shapes.ts';
import type { Controller } from './controller.ts';
import { recordEvent } from './events.ts';
import { tolerates } from './placement.ts';
import { changeObject, conditionOf, isReady, writeStatus } from './pods.ts';

/** `--node-monitor-period` and `--node-monitor-grace-period` of the controller manager. */
const monitorPeriodMs = 5000;
const monitorGraceMs = 50_000;

const lifecycleTaints = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

/** Conditions that turn Unknown with a lost node. */
const nodeConditions = ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready'];

/** Watches heartbeats: a node whose Lease stands still becomes Unknown, is tainted, and its Pods are not ready. */
export function nodeLifecycleController(cluster: Cluster): Controller {
  /** When each node last showed a sign of life, by our own clock; heartbeats are compared, not read as times. */
  const seen = new Map<string, { readonly beat: string; readonly at: number }>();
  return {
    name: 'node-lifecycle',
    concerns: (change) => (change.resource === 'nodes' ? [change.object.metadata.name] : []),
    reconcile(name) {
      const node = objectOf<Node>(cluster, 'nodes', undefined, name);
      if (!node) {
        seen.delete(name);
        return undefined;
      }
      const now = cluster.clock.now();
      const lease = objectOf<Lease>(cluster, 'leases.coordination.k8s.io', 'kube-node-lease', name);
      const heartbeats = (node.status.conditions ?? []).map((condition) => condition.lastHeartbeatTime);
      const beat = `${lease?.spec.renewTime ?? ''} ${heartbeats.join(' ')}`;
      const last = seen.get(name);
      const alive = !last || last.beat !== beat ? { beat, at: now } : last;
      const lost = now - alive.at > monitorGraceMs;
      if (lost) loseContact(cluster, node, now);
      // Our own writes are no sign of life.
      seen.set(name, alive);
      taint(cluster, name, now);
      if (lost || readiness(node)?.status === 'False') markPodsNotReady(cluster, name);
      return monitorPeriodMs;
    },
  };
}

const readiness = (node: Node | undefined): Condition | undefined => conditionOf(node?.status.conditions, 'Ready');

function loseContact(cluster: Cluster, node: Node, now: number): void {
  if (readiness(node)?.status === 'Unknown') return;
  const conditions = nodeConditions.map((type): Condition => {
    const old = conditionOf(node.status.conditions, type);
    const unknown = old
      ? { reason: 'NodeStatusUnknown', message: 'Kubelet stopped posting node status.' }
      : { reason: 'NodeStatusNeverUpdated', message: 'Kubelet never posted node status.' };
    return { ...old, type, status: 'Unknown', ...unknown, lastTransitionTime: timestamp(now) };
  });
  const others = (node.status.conditions ?? []).filter((condition) => !nodeConditions.includes(condition.type));
  writeStatus(cluster, 'nodes', node, { ...node.status, conditions: [...others, ...conditions] });
  const text = `Node ${node.metadata.name} status is now: NodeNotReady`;
  recordEvent(cluster, node, 'node-controller', 'Normal', 'NodeNotReady', text);
}

/** Keeps the two pairs of taints in step with the Ready condition. */
function taint(cluster: Cluster, name: string, now: number): void {
  const node = objectOf<Node>(cluster, 'nodes', undefined, name);
  const status = readiness(node)?.status;
  if (!node || !status) return;
  const key = status === 'Unknown' ? lifecycleTaints[1] : status === 'False' ? lifecycleTaints[0] : undefined;
  const old = node.spec?.taints ?? [];
  const kept = old.filter((t) => !lifecycleTaints.includes(t.key) || t.key === key);
  const missing = ['NoSchedule', 'NoExecute'].filter(
    (effect) => key && !kept.some((t) => t.key === key && t.effect === effect),
  );
  if (missing.length === 0 && kept.length === old.length) return;
  const added = missing.map((effect): Taint => ({ key: key ?? '', effect, timeAdded: timestamp(now) }));
  const taints = [...kept, ...added];
  changeObject(cluster, node, (live) => {
    const { taints: _taints, ...spec } = (live as Node).spec ?? {};
    return { ...live, spec: { ...spec, ...(taints.length > 0 ? { taints } : {}) } };
  });
}

/** Only the status of the Ready condition changes: its reason and message stay (pkg/controller/util/node). */
function markPodsNotReady(cluster: Cluster, nodeName: string): void {
  for (const pod of podsOn(cluster, nodeName)) {
    if (!isReady(pod)) continue;
    const lastTransitionTime = timestamp(cluster.clock.now());
    const conditions = (pod.status.conditions ?? []).map((condition) =>
      condition.type === 'Ready' ? { ...condition, status: 'False', lastTransitionTime } : condition,
    );
    writeStatus(cluster, 'pods', pod, { ...pod.status, conditions });
    recordEvent(cluster, pod, 'node-controller', 'Warning', 'NodeNotReady', 'Node is not ready');
  }
}

const podsOn = (cluster: Cluster, nodeName: string): Pod[] =>
  objectsOf<Pod>(cluster, 'pods').filter((pod) => pod.spec.nodeName === nodeName);

/** Deletes Pods whose toleration of a NoExecute taint has run out, and Pods whose node is gone. */
export function evictionController(cluster: Cluster): Controller {
  return {
    name: 'taint-eviction',
    concerns(change) {
      if (change.resource === 'nodes') return [change.object.metadata.name];
      const node = change.resource === 'pods' ? (change.object as Pod).spec.nodeName : undefined;
      return node ? [node] : [];
    },
    reconcile(name) {
      const node = objectOf<Node>(cluster, 'nodes', undefined, name);
      const pods = podsOn(cluster, name);
      const resource = cluster.resource('pods');
      if (!node) {
        for (const pod of pods)
          cluster.writer.remove(
            { resource, namespace: pod.metadata.namespace, name: pod.metadata.name },
            { graceSeconds: 0 },
          );
        return undefined;
      }
      const taints = (node.spec?.taints ?? []).filter((t) => t.effect === 'NoExecute');
      const waits = pods
        .filter((pod) => !pod.metadata.deletionTimestamp)
        .map((pod) => ({ pod, at: evictAt(pod, taints) }))
        .filter(({ at }) => at !== undefined);
      const now = cluster.clock.now();
      for (const { pod, at = now } of waits) if (at <= now) evict(cluster, pod);
      const later = waits.flatMap(({ at = now }) => (at > now ? [at - now] : []));
      return later.length > 0 ? Math.min(...later) : undefined;
    },
  };
}

/** When a Pod must go (epoch milliseconds); `undefined`: it may stay. */
function evictAt(pod: Pod, taints: readonly Taint[]): number | undefined {
  const ends = taints.map((t) => {
    const seconds = (pod.spec.tolerations ?? [])
      .filter((toleration) => tolerates(toleration, t))
      .map((toleration) => toleration.tolerationSeconds);
    if (seconds.length === 0) return 0;
    const limited = seconds.filter((value): value is number => value !== undefined);
    if (limited.length === 0) return Number.POSITIVE_INFINITY;
    return Date.parse(t.timeAdded ?? '') + Math.min(...limited) * 1000;
  });
  const first = Math.min(Number.POSITIVE_INFINITY, ...ends);
  return Number.isFinite(first) ? first : undefined;
}

function evict(cluster: Cluster, pod: Pod): void {
  const { namespace, name } = pod.metadata;
  const condition: Condition = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'DeletionByTaintManager',
    message: 'Taint manager: deleting due to NoExecute taint',
    lastTransitionTime: timestamp(cluster.clock.now()),
    lastProbeTime: null,
  };
  writeStatus(cluster, 'pods', pod, { ...pod.status, conditions: [...(pod.status.conditions ?? []), condition] });
  const text = `Marking for deletion Pod ${namespace}/${name}`;
  recordEvent(cluster, pod, 'taint-eviction-controller', 'Normal', 'TaintManagerEviction', text);
  cluster.writer.remove({ resource: cluster.resource('pods'), namespace, name });
}
