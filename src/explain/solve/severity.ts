import type { WorkloadHealth } from '../../model/explanation.ts';
import type { Reason } from '../../model/reason.ts';
import { kindOf, nameOf, namespaceOf, type Ref } from '../../model/ref.ts';
import { picksAll, selectorMatches, type WithParts } from '../../model/selector.ts';
import type { Override } from '../../model/settings.ts';
import { atMost, compareSeverity, milder, type Severity, worse } from '../../model/severity.ts';
import type { WorkloadView } from '../../world/kinds/workloads/workload.ts';
import { isReady } from '../../world/pods/readiness.ts';
import { leadMs, podsCounted } from '../../world/view/bounds.ts';
import { isWorkloadExposed } from '../../world/view/exposure.ts';
import type { World } from '../../world/view/world.ts';
import { podsOf, workloadOf, workloadView } from '../evidence/workload.ts';

/** From this size on losing a node is routine. */
const largeCluster = 500;
/** A workload with at least this share of its replicas ready has lost only a small one. */
const nearlyAll = 0.8;
/** Static Pods of the control plane, by their label `component` (kubeadm and most distributions). */
const controlPlane = new Set(['kube-apiserver', 'kube-scheduler', 'kube-controller-manager', 'etcd']);
/** Kinds whose replicas serve somebody: a Job or a bare Pod has none to spare and nobody waiting. */
const serving = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'ReplicationController']);

/** A workload that is hit, with what is seen of it if it keeps replicas. */
type Hit = { readonly workload: Ref; readonly view: WorkloadView | undefined };

/** What impact is judged by. */
export type Impact = {
  readonly root: Ref;
  readonly reason: Reason;
  /** The worst severity among its findings. */
  readonly worst: Severity;
  /** Whether one of them says that a workload is out: until then what is low by itself is how Pods are moved. */
  readonly outage: boolean;
  readonly workloads: readonly Hit[];
  /** A release is to blame: its next step takes more of it down. */
  readonly released: boolean;
  /** What it failed of is there for the next attempt as well: an edit, or what its program says. */
  readonly lasts: boolean;
  /** When the first of its findings began (epoch milliseconds). */
  readonly since: number;
  readonly world: World;
};

/** A row of the impact table: from the severity so far to the severity after it. */
type Row = { readonly id: string; readonly judge: (impact: Impact, severity: Severity) => Severity };

function hasReadyPod(world: World, workload: Ref, besidesNode?: string): boolean {
  return podsOf(world, workload, podsCounted).some(
    (pod) => isReady(pod) && (besidesNode === undefined || pod.node !== besidesNode),
  );
}

/** It is seen to want replicas and to have none that serves. */
function nothingReady(world: World, { workload, view }: Hit): boolean {
  return view !== undefined && view.replicas > 0 && view.ready === 0 && !hasReadyPod(world, workload);
}

const serves = (ref: Ref): boolean => serving.has(kindOf(ref));

/** A workload that fails sooner after it was made has never served anybody. */
const firstServedMs = 2 * leadMs;

/** It served, as far as can be known, and nothing of it does any more; with a lost Node, what its Pods elsewhere do counts. */
function isOut({ root, reason, since, world }: Impact, hit: Hit): boolean {
  const { view, workload } = hit;
  if (view === undefined || view.replicas === 0 || !serves(workload)) return false;
  if (since < view.createdAt + firstServedMs) return false;
  const lostNode = lostNodeOf({ root, reason });
  return lostNode === undefined ? nothingReady(world, hit) : !hasReadyPod(world, workload, lostNode);
}

/** Whether others use a workload: a Service selects its Pods, which is also how routes lead to it and other workloads name it. */
function isUsed(world: World, workload: Ref): boolean {
  return Iterator.from(world.linked(workload, 'fronts', 'in')).some((ref) => kindOf(ref) === 'Service');
}

/**
 * An impact with the root among those that are hit, where it serves nobody any more and others use it. Until it is late, a workload that is being
 * replaced has no finding of its own, though others fail for want of it.
 */
export function withRoot(impact: Impact): Impact {
  const { root, workloads, world } = impact;
  const own: Hit = { workload: root, view: workloadView(world, root) };
  const isKnown = workloads.some(({ workload }) => workload === root);
  return isKnown || !isOut(impact, own) || !isUsed(world, root)
    ? impact
    : { ...impact, workloads: [own, ...workloads] };
}

/** Kinds whose own failure hits whoever calls through them, however well the workloads stand. */
const carriers: ReadonlySet<string> = new Set([
  ...(['Service', 'Ingress', 'IngressClass', 'Gateway', 'GatewayClass', 'HTTPRoute', 'GRPCRoute', 'TLSRoute'] as const),
  ...(['APIServer', 'APIService', 'Lease', 'Cluster', 'NetworkPolicy'] as const),
]);

/**
 * Whether others may be hit though all workloads are whole. That a Service is missing or an address outside does not answer only those say who
 * fail; of a lost Node controllers learn later than we do.
 */
const hitsUnseen = ({ root, reason }: Impact): boolean =>
  nodeDown({ root, reason }) || (carriers.has(kindOf(root)) && reason !== 'ServiceMissing');

/** Whether all that is hit still serves whole; a Job, which serves nobody, is not hit by its own failure. */
function isWhole(impact: Impact): boolean {
  const hit = impact.workloads.filter(({ workload }) => workload !== impact.root || serves(workload));
  if (hit.length === 0 || hitsUnseen(impact)) return false;
  return hit.every(
    ({ workload, view }) => serves(workload) && view !== undefined && view.replicas > 0 && view.ready >= view.replicas,
  );
}

/** The last of its kind in the control plane: no other static Pod of the same component is ready. */
function lastOfControlPlane(world: World, ref: Ref): boolean {
  if (kindOf(ref) !== 'Pod' || namespaceOf(ref) !== 'kube-system') return false;
  const { component } = world.labelsOf(ref);
  if (component === undefined || !controlPlane.has(component)) return false;
  for (const node of world.all('Node')) {
    if (node.kind !== 'Node' || !node.controlPlane) continue;
    for (const other of world.linked(node.ref, 'runs-on', 'in')) {
      const view = world.get(other);
      if (typeof view !== 'object' || view.kind !== 'Pod' || other === ref) continue;
      if (view.labels.component === component && isReady(view)) return false;
    }
  }
  return true;
}

/** A DaemonSet has a Pod on every Node and none to spare: losing one says nothing. */
const withReplicas = (workloads: readonly Ref[]): readonly Ref[] =>
  workloads.filter((ref) => serves(ref) && kindOf(ref) !== 'DaemonSet');

/** The workloads of a Node's Pods: one that has recovered elsewhere still counts, or the rest would look like all. */
function workloadsOn(world: World, node: Ref): readonly Ref[] {
  const pods = [...world.linked(node, 'runs-on', 'in', podsCounted)];
  return withReplicas([...new Set(pods.map((pod) => workloadOf(world, pod)))]);
}

/** Cluster DNS by the label that every distribution keeps for its Service's selector. */
function isClusterDns(world: World, ref: Ref): boolean {
  return namespaceOf(ref) === 'kube-system' && world.labelsOf(ref)['k8s-app'] === 'kube-dns';
}

/** PriorityClasses of what the whole cluster depends on (scheduling/v1 `SystemClusterCritical`, `SystemNodeCritical`). */
const criticalClasses: ReadonlySet<string> = new Set(['system-cluster-critical', 'system-node-critical']);

/** An edit that has no effect: how many replicas of the old state are ready says nothing about it. */
const unheeded: ReadonlySet<Reason> = new Set<Reason>(['GenerationMismatch']);

/** What nobody sees in the cluster: that all replicas are ready says nothing of the errors or the latency that an alert is of. */
const unseen: ReadonlySet<Reason> = new Set<Reason>(['ExternalAlert']);

/** One level higher. */
const raised: Readonly<Record<Severity, Severity>> = {
  low: 'medium',
  medium: 'high',
  high: 'critical',
  critical: 'critical',
};

/** Whether the root is a Node that serves nobody. */
const nodeDown = ({ root, reason }: Pick<Impact, 'root' | 'reason'>): boolean =>
  kindOf(root) === 'Node' && (reason === 'NodeNotReady' || reason === 'NodeUnreachable');

/** The impact table (`docs`: severity is impact), applied from top to bottom. */
const table: readonly Row[] = [
  {
    id: 'nodeWithoutReplicasElsewhere',
    judge: (impact, severity) => {
      const { root, world } = impact;
      if (!nodeDown(impact)) return severity;
      const isLost = (workload: Ref): boolean => !hasReadyPod(world, workload, nameOf(root));
      const hit = withReplicas(impact.workloads.map(({ workload }) => workload));
      if (!hit.some(isLost)) return severity;
      return [...hit, ...workloadsOn(world, root)].every(isLost) ? 'critical' : worse('high', severity);
    },
  },
  {
    id: 'nodeSpared',
    judge: (impact, severity) => {
      const { root, workloads, world } = impact;
      const view = world.get(root);
      if (!nodeDown(impact) || (typeof view === 'object' && view.kind === 'Node' && view.controlPlane)) return severity;
      if (workloads.some(({ workload }) => serves(workload) && !hasReadyPod(world, workload, nameOf(root))))
        return severity;
      return atMost(world.count('Node') >= largeCluster ? 'low' : 'medium', severity);
    },
  },
  {
    id: 'nextRunFails',
    judge: ({ reason, lasts }, severity) =>
      reason === 'CronJobFailing' && lasts ? worse('medium', severity) : severity,
  },
  {
    id: 'workloadDown',
    judge: ({ root, workloads, outage, worst, world }, severity) =>
      kindOf(root) !== 'Node' &&
      (outage || worst !== 'low') &&
      workloads.some((hit) => nothingReady(world, hit) && serves(hit.workload))
        ? worse('high', severity)
        : severity,
  },
  {
    id: 'workloadNearlyWhole',
    judge: ({ root, reason, workloads, released }, severity) => {
      const [only] = workloads;
      if (released || unheeded.has(reason) || unseen.has(reason) || workloads.length !== 1 || only?.workload !== root)
        return severity;
      const { view } = only;
      const whole = view !== undefined && view.replicas > 0 && view.ready / view.replicas >= nearlyAll;
      return whole ? milder(severity) : severity;
    },
  },
  {
    id: 'trafficLost',
    judge: ({ workloads, outage, worst, world }, severity) =>
      (outage || worst !== 'low') &&
      workloads.some((hit) => nothingReady(world, hit) && isWorkloadExposed(world, hit.workload))
        ? 'critical'
        : severity,
  },
  {
    id: 'usedDown',
    judge: (impact, severity) =>
      (impact.outage || impact.worst !== 'low') &&
      impact.workloads.some((hit) => isOut(impact, hit) && isUsed(impact.world, hit.workload))
        ? 'critical'
        : severity,
  },
  {
    id: 'clusterCritical',
    judge: ({ root, workloads, world }, severity) =>
      lastOfControlPlane(world, root) ||
      workloads.some((hit) => nothingReady(world, hit) && isClusterDns(world, hit.workload))
        ? 'critical'
        : severity,
  },
  {
    id: 'criticalAddon',
    judge: ({ root, workloads }, severity) =>
      // A lost Node takes some of each of them along.
      kindOf(root) !== 'Node' && workloads.some(({ view }) => criticalClasses.has(view?.template.priorityClass ?? ''))
        ? raised[severity]
        : severity,
  },
  {
    id: 'nobodyHit',
    judge: (impact, severity) =>
      isWhole(impact) && !unseen.has(impact.reason) && !lastOfControlPlane(impact.world, impact.root)
        ? atMost('medium', severity)
        : severity,
  },
];

/** The severity of an explanation by impact, and the rows that changed it. */
export function judgeImpact(impact: Impact): { severity: Severity; because: readonly string[] } {
  let severity = impact.worst;
  const because: string[] = [];
  for (const { id, judge } of table) {
    const next = judge(impact, severity);
    if (next !== severity) because.push(`${id}: ${severity} → ${next}`);
    severity = next;
  }
  return { severity, because };
}

/**
 * Its controller's own count; with a lost node the Pods that are ready elsewhere, since the controller learns of the loss
 * later than we do.
 */
function readyOf(view: WorkloadView, world: World, lostNode: string | undefined): number {
  if (lostNode === undefined || view.replicas > podsCounted) return view.ready;
  return podsOf(world, view.ref, podsCounted).filter((pod) => isReady(pod) && pod.node !== lostNode).length;
}

/** The Node that is lost, where that is the root. */
export function lostNodeOf(impact: Pick<Impact, 'root' | 'reason'>): string | undefined {
  return nodeDown(impact) ? nameOf(impact.root) : undefined;
}

/** What is left of each workload that keeps replicas and wants some. */
export function healthOf({ root, reason, workloads, world }: Impact): WorkloadHealth[] {
  const lostNode = lostNodeOf({ root, reason });
  const health: WorkloadHealth[] = [];
  for (const { workload: ref, view } of workloads)
    if (view && view.replicas > 0) health.push({ ref, wanted: view.replicas, ready: readyOf(view, world, lostNode) });
  return health;
}

/** What an override says of something of a severity. */
function saidBy(override: Override, before: Severity): Severity {
  const severity = override.severity ?? before;
  return override.maxSeverity === undefined ? severity : atMost(override.maxSeverity, severity);
}

/**
 * The severity after the first override that speaks for an explanation. One that lowers it does so only where it picks all that fails:
 * what one namespace thinks little of may be an outage of another.
 */
export function overridden(explanation: WithParts, overrides: readonly Override[]): Severity {
  const { severity } = explanation;
  const override = overrides.find(
    (each) =>
      selectorMatches(each.selector, explanation) &&
      (compareSeverity(saidBy(each, severity), severity) <= 0 || picksAll(each.selector, explanation)),
  );
  return override ? saidBy(override, severity) : severity;
}
