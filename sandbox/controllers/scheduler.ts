import { type Cluster, objectOf, objectsOf } from '../cluster.ts';
import { fieldAt, timestamp } from '../object.ts';
import type { Condition, Node, Pod } from '../shapes.ts';
import { type Claim, claimNames, claimOf, selectedNode, waitsForConsumer } from '../storage.ts';
import { type Controller, keyOfChange, splitKey } from './controller.ts';
import { recordEvent } from './events.ts';
import { selects, untolerated } from './placement.ts';
import { changeObject, conditionOf } from './pods.ts';

/** Why a node does not take a Pod: the scheduler's words, and whether taking other Pods away could help. */
type Refusal = { readonly reasons: readonly string[]; readonly preemption: string };

const notHelpful = 'Preemption is not helpful for scheduling';
const noVictims = 'No preemption victims found for incoming pod';

/** Units of resource quantities. CPU is counted in thousandths. */
const units: Readonly<Record<string, number>> = {
  m: 0.001,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
};

/** A resource quantity as a number; 0 when it is absent or not one. */
function quantity(value: unknown): number {
  const match = /^([\d.]+)(m|k|M|G|Ki|Mi|Gi|Ti|)$/.exec(String(value ?? ''));
  return match ? Number(match[1]) * (units[match[2] ?? ''] ?? 1) : 0;
}

const requests = (pod: Pod, resource: string): number =>
  pod.spec.containers.reduce(
    (sum, container) => sum + quantity(fieldAt(container, 'resources', 'requests', resource)),
    0,
  );

/** The filters in the scheduler's order; the first that refuses speaks. */
function refusal(pod: Pod, node: Node, others: readonly Pod[]): Refusal | undefined {
  const unschedulable = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
  const cordoned =
    node.spec?.unschedulable && untolerated(pod.spec, { ...node, spec: { taints: [unschedulable] } }, ['NoSchedule']);
  if (cordoned) return { reasons: ['node(s) were unschedulable'], preemption: notHelpful };
  if (untolerated(pod.spec, node, ['NoSchedule', 'NoExecute']))
    return { reasons: ['node(s) had untolerated taint(s)'], preemption: notHelpful };
  if (!selects(pod.spec, node))
    return { reasons: ["node(s) didn't match Pod's node affinity/selector"], preemption: notHelpful };
  const allocatable = node.status.allocatable ?? {};
  const short = ['cpu', 'memory'].filter((resource) => {
    const wanted = requests(pod, resource);
    const taken = others.reduce((sum, other) => sum + requests(other, resource), 0);
    return wanted > 0 && wanted + taken > quantity(allocatable[resource]);
  });
  const full = others.length + 1 > quantity(allocatable.pods);
  const reasons = [...(full ? ['Too many pods'] : []), ...short.map((resource) => `Insufficient ${resource}`)];
  if (reasons.length === 0) return undefined;
  // More than the node has when empty: no eviction would make room.
  const never = short.some((resource) => requests(pod, resource) > quantity(allocatable[resource]));
  return { reasons, preemption: never ? notHelpful : noVictims };
}

/** `2 Insufficient cpu, 1 node(s) were unschedulable`: sorted as the scheduler sorts, as text. */
function histogram(reasons: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .map(([reason, n]) => `${n} ${reason}`)
    .sort()
    .join(', ');
}

/** The sentence of PodScheduled=False and FailedScheduling (pkg/scheduler/framework/types.go). */
function sentence(refusals: readonly Refusal[]): string {
  if (refusals.length === 0) return 'no nodes available to schedule pods';
  const none = `0/${refusals.length} nodes are available: `;
  const filters = histogram(refusals.flatMap((refused) => refused.reasons));
  const preemption = histogram(refusals.map((refused) => refused.preemption));
  return `${none}${filters}. no new claims to deallocate, preemption: ${none}${preemption}.`;
}

/** Binds Pods to the node with the fewest Pods that takes them, or says why none does. */
export function scheduler(cluster: Cluster): Controller {
  const unbound = (pod: Pod): boolean =>
    !pod.spec.nodeName && !pod.metadata.deletionTimestamp && pod.status.phase === 'Pending';
  return {
    name: 'scheduler',
    concerns(change) {
      if (change.resource === 'pods' && change.type !== 'DELETED' && unbound(change.object as Pod))
        return [keyOfChange(change)];
      // Room may have come: a node changed, or a Pod has gone or ended; or a claim has its volume.
      const isPlace = change.resource === 'nodes' || change.resource === 'persistentvolumeclaims';
      const leaves = change.resource === 'pods' && (change.type === 'DELETED' || hasEnded(change.object as Pod));
      if (!isPlace && !leaves) return [];
      return objectsOf<Pod>(cluster, 'pods')
        .filter(unbound)
        .map((pod) => `${pod.metadata.namespace}/${pod.metadata.name}`);
    },
    reconcile(key) {
      const pod = objectOf<Pod>(cluster, 'pods', ...splitKey(key));
      if (!pod || !unbound(pod)) return undefined;
      const claims = claimsFor(cluster, pod);
      const bound = objectsOf<Pod>(cluster, 'pods').filter((other) => other.spec.nodeName && !hasEnded(other));
      const nodes = objectsOf<Node>(cluster, 'nodes').map((node) => {
        const others = bound.filter((other) => other.spec.nodeName === node.metadata.name);
        return { node, load: others.length, refused: refusal(pod, node, others) };
      });
      const best = nodes.filter(({ refused }) => !refused).sort((a, b) => a.load - b.load)[0];
      // What preemption looks for is not there before a Node was tried: its words, not ours.
      if (claims.refused) refuse(cluster, pod, `0/${nodes.length} nodes are available: ${claims.refused}. not found`);
      else if (best && claims.waiting.length > 0) select(cluster, claims.waiting, best.node.metadata.name);
      else if (best) bind(cluster, pod, best.node.metadata.name);
      else refuse(cluster, pod, sentence(nodes.flatMap(({ refused }) => refused ?? [])));
      return undefined;
    },
  };
}

/** What keeps a Pod from every Node, or the claims that are met as soon as it has one (plugin volumebinding). */
function claimsFor(cluster: Cluster, pod: Pod): { readonly refused?: string; readonly waiting: readonly Claim[] } {
  const waiting: Claim[] = [];
  let unbound = false;
  for (const name of claimNames(pod)) {
    const claim = claimOf(cluster, pod.metadata.namespace, name);
    if (!claim) return { refused: `persistentvolumeclaim "${name}" not found`, waiting };
    const { phase } = claim.status ?? {};
    const { volumeName = '' } = claim.spec;
    if (phase === 'Lost')
      return {
        refused: `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${volumeName}"`,
        waiting,
      };
    if (claim.metadata.deletionTimestamp)
      return { refused: `persistentvolumeclaim "${name}" is being deleted`, waiting };
    if (phase === 'Bound') continue;
    if (waitsForConsumer(cluster, claim)) waiting.push(claim);
    else unbound = true;
  }
  return unbound ? { refused: 'pod has unbound immediate PersistentVolumeClaims', waiting } : { waiting };
}

/** Says for which Node claims are to be met; the Pod is bound when they are. */
function select(cluster: Cluster, claims: readonly Claim[], node: string): void {
  for (const claim of claims)
    if (!claim.metadata.annotations?.[selectedNode])
      changeObject(cluster, claim, (live) => {
        const annotations = { ...live.metadata.annotations, [selectedNode]: node };
        return { ...live, metadata: { ...live.metadata, annotations } };
      });
}

const hasEnded = (pod: Pod): boolean => pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed';

function bind(cluster: Cluster, pod: Pod, nodeName: string): void {
  const condition: Condition = { type: 'PodScheduled', status: 'True', lastProbeTime: null };
  const metadata = { ...pod.metadata, ...(pod.metadata.generation ? { generation: pod.metadata.generation } : {}) };
  // The binding writes spec.nodeName and the condition in one step.
  cluster.store.put('pods', {
    ...pod,
    metadata,
    spec: { ...pod.spec, nodeName },
    status: { ...pod.status, conditions: withCondition(cluster, pod, condition) },
  });
  const { namespace, name } = pod.metadata;
  const text = `Successfully assigned ${namespace}/${name} to ${nodeName}`;
  recordEvent(cluster, pod, 'default-scheduler', 'Normal', 'Scheduled', text);
}

function refuse(cluster: Cluster, pod: Pod, message: string): void {
  const condition: Condition = {
    type: 'PodScheduled',
    status: 'False',
    reason: 'Unschedulable',
    message,
    lastProbeTime: null,
  };
  const old = conditionOf(pod.status.conditions, 'PodScheduled');
  if (old?.status === 'False' && old.message === message) return;
  const status = { ...pod.status, conditions: withCondition(cluster, pod, condition) };
  const target = { resource: cluster.resource('pods'), namespace: pod.metadata.namespace, name: pod.metadata.name };
  cluster.writer.change(target, (live) => ({ ...live, status }), { manager: 'kube-scheduler', subresource: 'status' });
  recordEvent(cluster, pod, 'default-scheduler', 'Warning', 'FailedScheduling', message);
}

function withCondition(cluster: Cluster, pod: Pod, condition: Condition): Condition[] {
  const conditions = pod.status.conditions ?? [];
  const old = conditionOf(conditions, condition.type);
  const lastTransitionTime =
    (old?.status === condition.status && old.lastTransitionTime) || timestamp(cluster.clock.now());
  const complete = { ...condition, lastTransitionTime, observedGeneration: pod.metadata.generation ?? 1 };
  return [...conditions.filter((other) => other.type !== condition.type), complete];
}
