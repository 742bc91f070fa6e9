import type { WorkloadView } from '../../world/kinds/workloads/workload.ts';
import { selectorOf } from '../../world/reading/label-selector.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { conditionOf } from '../kit/conditions.ts';
import { type Detector, type DetectorOf, detector } from '../kit/detector.ts';
import { revisionRefused } from './revision.ts';

const kinds = ['Deployment', 'StatefulSet', 'DaemonSet'] as const;

type Shared = Omit<DetectorOf<(typeof kinds)[number]>, 'judges' | 'judge'> & {
  readonly judge: (workload: WorkloadView, world: ObservedWorld, now: number) => ReturnType<Detector['judge']>;
};

/** One row for each of the three. */
function forEachKind(shared: Shared): readonly Detector[] {
  return kinds.map((judges) => detector<(typeof kinds)[number]>({ ...shared, judges }));
}

const generationMismatch = forEachKind({
  symptom: 'rollout',
  id: 'W5',
  reasons: [{ reason: 'GenerationMismatch', family: 'consequence', sure: 'unknown' }],
  severity: 'medium',
  forSeconds: 900,
  source: 'apps/v1 status.observedGeneration, metadata.generation',
  predicate: 'its controller has not looked at an edit for 15 min',
  clears: 'the controller has seen the newest generation',
  patience: '15 min: a controller that is restarted, or has much to do, needs a while',
  isNot:
    'a rollout that is slow: the controller has seen it; a Deployment whose ReplicaSet is refused: the controller says so and gets no further',
  judge: (workload, world) => {
    const { kind, generation, observedGeneration } = workload;
    if (observedGeneration >= generation) return false;
    if (kind === 'Deployment' && revisionRefused(workload, world)) return false;
    return { since: 'observed', facts: { generation, observedGeneration } };
  },
});

const deploymentPaused = detector({
  symptom: 'rollout',
  id: 'W6',
  reasons: [{ reason: 'DeploymentPaused', family: 'consequence', sure: 'high' }],
  judges: 'Deployment',
  severity: 'low',
  forSeconds: 24 * 3600,
  settle: 'conclusive',
  exemptions: ['terminating', 'scaledToZero'],
  source: 'apps/v1 Deployment spec.paused, condition Progressing with reason DeploymentPaused',
  predicate: 'it is paused for 24 h: what is edited is not rolled out',
  clears: 'it is not paused any more',
  patience: 'a day: people pause a rollout to look at it',
  isNot: 'a Deployment that wants no Pods',
  judge: (deployment) => {
    if (!deployment.paused) return false;
    const progressing = conditionOf(deployment, 'Progressing');
    return { since: progressing?.reason === 'DeploymentPaused' ? progressing.since : 'observed' };
  },
});

const daemonSetNotScheduled = detector({
  symptom: 'rollout',
  id: 'W12',
  reasons: [{ reason: 'DaemonSetNotScheduled', family: 'consequence', sure: 'unknown' }],
  judges: 'DaemonSet',
  severity: 'medium',
  forSeconds: 600,
  exemptions: ['terminating', 'scaledToZero'],
  source: 'apps/v1 DaemonSet status.desiredNumberScheduled, currentNumberScheduled',
  predicate: 'it has no Pod at all on a Node that should have one, for 10 min',
  clears: 'every Node that should have one has one',
  patience: '10 min: Nodes join, and Pods of a rollout are replaced',
  isNot: 'Pods that are there and not ready; Nodes that its template does not fit',
  judge: ({ ref, created, replicas, ...set }, world) =>
    created < replicas && {
      since: world.since(ref, 'unmade'),
      facts: { wanted: replicas, created, ...selectorOf(set) },
    },
});

const daemonSetMisScheduled = detector({
  symptom: 'rollout',
  id: 'W13',
  reasons: [{ reason: 'DaemonSetMisScheduled', family: 'consequence', sure: 'high' }],
  judges: 'DaemonSet',
  severity: 'low',
  forSeconds: 3600,
  source: 'apps/v1 DaemonSet status.numberMisscheduled',
  predicate: 'it has Pods on Nodes that they should not be on, for an hour',
  clears: 'it has none',
  patience: 'an hour: a Node that is drained or tainted for maintenance looks so for a while',
  isNot: 'a Node that is cordoned for less than an hour',
  judge: ({ ref, misscheduled = 0, ...set }, world) =>
    misscheduled > 0 && { since: world.since(ref, 'misscheduled'), facts: { misscheduled, ...selectorOf(set) } },
});

/** A workload is first counted within seconds of its making; one that is counted later may have served before. */
const firstCountMs = 15_000;

/** Whether no Pod of it was ever ready, as far as that can be known: otherwise nobody says so. */
function neverReady(workload: WorkloadView, world: ObservedWorld): boolean {
  if (workload.ready > 0 || workload.replicas === 0) return false;
  const available = conditionOf(workload, 'Available');
  const since = available?.status === 'False' ? available.since : world.since(workload.ref, 'unserved');
  return since <= workload.createdAt + firstCountMs;
}

const workloadNeverReady = forEachKind({
  symptom: 'rollout',
  id: 'W23',
  reasons: [{ reason: 'WorkloadNeverReady', family: 'consequence', sure: 'unknown' }],
  severity: 'medium',
  forSeconds: 900,
  exemptions: ['terminating', 'scaledToZero', 'paused'],
  source:
    'apps/v1 status.readyReplicas and numberReady since metadata.creationTimestamp; Deployment condition Available',
  predicate: 'none of its Pods has been ready since it was made 15 min ago',
  clears: 'a Pod of it is ready',
  patience: '15 min: a first installation pulls, migrates and waits for others',
  isNot: 'a workload that served before, or was scaled up from zero',
  judge: (workload, world) =>
    neverReady(workload, world) && {
      since: workload.createdAt,
      facts: { wanted: workload.replicas, ready: 0, ...selectorOf(workload) },
    },
});

/** How workloads stand, besides how many of their Pods serve. */
export const standingDetectors: readonly Detector[] = [
  ...generationMismatch,
  deploymentPaused,
  daemonSetMisScheduled,
  ...workloadNeverReady,
];

/** Says more than that a DaemonSet is short of Pods. */
export const placementDetectors: readonly Detector[] = [daemonSetNotScheduled];
