import { earliest } from '../../model/instants.ts';
import { refOf } from '../../model/ref.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import type { WorkloadView } from '../../world/kinds/workloads/workload.ts';
import { isReady } from '../../world/pods/readiness.ts';
import { given } from '../../world/reading/fields.ts';
import { selectorOf } from '../../world/reading/label-selector.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { conditionOf, startupTaint } from '../kit/conditions.ts';
import { type Detector, detector, type Problem } from '../kit/detector.ts';
import { isLeaving, nodeNamed } from '../kit/exemptions.ts';
import { youngUntil } from '../kit/fleet.ts';
import { outage, podsOf, shortage, shortSince, tooFew } from './outage.ts';

function counts(workload: WorkloadView): { wanted: number; ready: number; available: number } {
  return { wanted: workload.replicas, ready: workload.ready, available: workload.available };
}

const progressDeadlineExceeded = detector({
  id: 'W1',
  reasons: [{ reason: 'ProgressDeadlineExceeded', family: 'consequence', sure: 'unknown' }],
  judges: 'Deployment',
  severity: 'high',
  settle: 'conclusive',
  exemptions: ['terminating', 'scaledToZero', 'paused'],
  source: 'apps/v1 Deployment condition Progressing=False, reason ProgressDeadlineExceeded',
  predicate: 'a rollout made no progress within progressDeadlineSeconds',
  clears: 'Progressing is True',
  symptom: 'rollout',
  patience: 'not at all: `progressDeadlineSeconds` (10 min unless set) have passed',
  isNot: 'a rollout that is slow but moves',
  judge: (deployment) => {
    const progressing = conditionOf(deployment, 'Progressing');
    if (progressing?.status !== 'False' || progressing.reason !== 'ProgressDeadlineExceeded') return false;
    const { wanted, ready, available } = counts(deployment);
    return {
      since: progressing.since,
      facts: { wanted, ready, available, updated: deployment.updated, ...selectorOf(deployment) },
    };
  },
});

const deploymentUnavailable = detector({
  id: 'W2, W3',
  reasons: [{ reason: 'DeploymentUnavailable', family: 'consequence', sure: 'unknown' }],
  judges: 'Deployment',
  reads: ['Pod', 'ReplicaSet'],
  severity: 'high',
  exemptions: ['terminating', 'scaledToZero', 'paused', 'rollout'],
  source: 'apps/v1 Deployment condition Available=False; status.availableReplicas, spec.replicas',
  predicate:
    'no Pod is available for 30 s (15 s while its Pods still run; up to 90 s while one starts as usual), fewer than `maxUnavailable` allows for 90 s (up to 5 min while Pods are being created or become ready), or fewer than it wants for 10 min (medium)',
  clears: 'as many are available as are wanted',
  symptom: 'rollout',
  patience:
    '30 s with nothing left, up to 90 s while a Pod is placed, prepared or started as usual; 10 min where it is only short',
  isNot: 'a rollout or scale-up on its way, a pause, a scale to zero, the only Pod being moved',
  judge: (deployment, world, now) => {
    const { wanted, ready, available } = counts(deployment);
    const condition = conditionOf(deployment, 'Available');
    const facts = { wanted, ready, available, ...selectorOf(deployment) };
    if (condition?.status !== 'False' && available >= wanted) return false;
    const pods = podsOf(deployment.ref, world);
    if (condition?.status !== 'False') return { since: shortSince(deployment, world, pods), ...shortage, facts };
    const { since } = condition;
    // Below what it may do without it still serves a little.
    const patience = available === 0 ? outage({ workload: deployment, pods, since }, world, now) : tooFew(pods, since);
    return { since, ...patience, facts };
  },
});

const statefulSetUnavailable = detector({
  id: 'W7',
  reasons: [{ reason: 'StatefulSetUnavailable', family: 'consequence', sure: 'unknown' }],
  judges: 'StatefulSet',
  reads: ['Pod'],
  severity: 'high',
  exemptions: ['terminating', 'scaledToZero', 'rollout'],
  source: 'apps/v1 StatefulSet status.readyReplicas, spec.replicas',
  predicate:
    'no Pod is ready for 30 s (15 s while its Pods still run; up to 90 s while one starts as usual), or fewer than wanted for 10 min (medium)',
  clears: 'as many are ready as are wanted',
  symptom: 'rollout',
  patience:
    '30 s with nothing left, up to 90 s while a Pod is placed, prepared or started as usual; 10 min where it is only short',
  isNot: 'an ordered start or rollout that moves',
  judge: (set, world, now) => {
    const { wanted, ready, available } = counts(set);
    if (ready >= wanted) return false;
    const pods = podsOf(set.ref, world);
    const lowest = pods
      .filter((pod) => !isReady(pod))
      .map((pod) => pod.ref.slice(pod.ref.lastIndexOf('/') + 1))
      .sort(byOrdinal)[0];
    const since = shortSince(set, world, pods);
    return {
      since,
      ...(ready === 0 ? outage({ workload: set, pods, since }, world, now) : shortage),
      facts: { wanted, ready, available, ...selectorOf(set), ...given({ firstUnready: lowest }) },
    };
  },
});

/** `web-2` before `web-10`: with ordered starts the lowest holds up the others. */
export function byOrdinal(a: string, b: string): number {
  const ordinal = (name: string): number => Number(/\d+$/.exec(name)?.[0] ?? 0);
  return ordinal(a) - ordinal(b) || (a < b ? -1 : 1);
}

const daemonSetUnavailable = detector({
  id: 'W10',
  reasons: [{ reason: 'DaemonSetUnavailable', family: 'consequence', sure: 'unknown' }],
  judges: 'DaemonSet',
  reads: ['Pod', 'Node'],
  severity: 'high',
  exemptions: ['terminating', 'scaledToZero', 'rollout'],
  source: 'apps/v1 DaemonSet status.numberAvailable, desiredNumberScheduled; its Pods joined to their Nodes',
  predicate:
    'no Pod is available for 30 s (15 s while its Pods still run; up to 90 s while one starts as usual), or some on healthy Nodes are missing for 10 min (medium)',
  clears: 'all are available but those on Nodes that are away, leaving or young',
  symptom: 'rollout',
  patience:
    '30 s with nothing left, up to 90 s while a Pod is placed, prepared or started as usual; 10 min where it is only short',
  isNot: 'Pods of Nodes that are away, leaving or young',
  judge: (set, world, now): Problem | false | { lookAgainAt: number } => {
    const { wanted, ready, available } = counts(set);
    if (available >= wanted) return false;
    const pods = podsOf(set.ref, world);
    const unready = pods.filter((pod) => !isReady(pod));
    const excused = unready.map((pod) => excusedUntil(pod, world, now));
    const own = unready.filter((_, at) => excused[at] === undefined);
    const absent = Math.max(0, wanted - pods.length);
    if (own.length + absent === 0) {
      const next = earliest(excused.map((until) => until ?? Number.POSITIVE_INFINITY));
      return Number.isFinite(next) && { lookAgainAt: next };
    }
    const nodes = own.flatMap(({ node }) => node ?? []).sort();
    const since = shortSince(set, world, own);
    return {
      since,
      ...(available === 0 ? outage({ workload: set, pods, since }, world, now) : shortage),
      facts: { wanted, ready, available, unready: own.length, ...selectorOf(set), ...given({ node: nodes[0] }) },
      names: nodes.slice(0, 5).map((node) => refOf('Node', '', node)),
    };
  },
});

/** Until when the Node excuses an unready Pod: for ever while it is away or leaving; `undefined` when it does not. */
export function excusedUntil(pod: PodView, world: ObservedWorld, now: number): number | undefined {
  if (pod.deletionAt !== undefined) return Number.POSITIVE_INFINITY;
  const node = nodeNamed(world, pod.node);
  if (node === undefined) return undefined;
  const away =
    node === 'absent' || conditionOf(node, 'Ready')?.status !== 'True' || isLeaving(node) || startupTaint(node);
  if (away) return Number.POSITIVE_INFINITY;
  return youngUntil(node) > now ? youngUntil(node) : undefined;
}

/** Workloads, in the order of the catalogue. */
export const workloadDetectors: readonly Detector[] = [
  progressDeadlineExceeded,
  deploymentUnavailable,
  statefulSetUnavailable,
  daemonSetUnavailable,
];
