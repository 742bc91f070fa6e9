import { latest } from '../model/instants.ts';
import { namespaceOf } from '../model/ref.ts';
import { given } from '../world/fields.ts';
import type { PodView } from '../world/kinds/pod.ts';
import { readySince } from '../world/readiness.ts';
import type { ObservedWorld } from '../world/world.ts';
import { conditionOf } from './conditions.ts';
import { containersOf, endFacts, isInit, lastEnd } from './containers.ts';
import { failedInits } from './crash.ts';
import { type Detector, detector, type Judgement } from './detector.ts';
import { isLeaving, nodeNamed } from './exemptions.ts';
import { namedObstacles } from './missing.ts';
import { patienceWith } from './room.ts';
import { isRun } from './runs.ts';

const pods = { judges: 'Pod', edition: 'Community' } as const;
const hour = 60 * 60_000;

/** A Pod that the scheduler has not placed, for one of its reasons. */
function unplaced(pod: PodView, reason: string): { since: number; text: string } | undefined {
  const scheduled = conditionOf(pod, 'PodScheduled');
  if (pod.phase !== 'Pending' || scheduled?.status !== 'False' || scheduled.reason !== reason) return undefined;
  return { since: scheduled.since, text: scheduled.message };
}

const unschedulable = detector({
  ...pods,
  id: 'P15',
  reasons: [{ reason: 'Unschedulable', family: 'schedule', sure: 'likely' }],
  reads: ['Node', 'Deployment'],
  severity: 'high',
  settle: 'waits',
  exemptions: ['terminating', 'disrupted'],
  source: 'core/v1 Pod condition PodScheduled=False, reason Unschedulable',
  predicate:
    'no Node fits a Pod: for 5 min where Nodes are added (node pools, an autoscaler, a Node made since), for 30 s where none can ever fit (conclusive), else for 90 s',
  clears: 'the Pod is scheduled',
  symptom: 'start',
  patience: '90 s for room to be made; 5 min where Nodes are added by themselves; 30 s where none can ever fit',
  isNot:
    'a scale-up that the autoscaler has under way; a Pod with scheduling gates; a claim that waits for its first Pod',
  judge: (pod, world, now) => {
    const waits = unplaced(pod, 'Unschedulable');
    if (!waits) return false;
    return {
      since: waits.since,
      stands: true,
      ...patienceWith(pod, waits.since, waits.text, world, now),
      detail: waits.text,
      names: namedObstacles(waits.text, namespaceOf(pod.ref)),
    };
  },
});

const schedulerError = detector({
  ...pods,
  id: 'P17',
  reasons: [{ reason: 'SchedulerError', family: 'schedule', sure: 'likely' }],
  severity: 'high',
  forSeconds: 60,
  settle: 'waits',
  exemptions: ['terminating'],
  source: 'core/v1 Pod condition PodScheduled=False, reason SchedulerError',
  predicate: 'the scheduler fails to judge a Pod for 60 s',
  clears: 'the Pod is scheduled',
  symptom: 'start',
  patience: '60 s: the scheduler tries again',
  isNot: 'a Pod that fits on no Node (P15)',
  judge: (pod) => {
    const waits = unplaced(pod, 'SchedulerError');
    return waits !== undefined && { since: waits.since, detail: waits.text };
  },
});

/** How long a Pod may be unready: one that was ready before, and one that still starts. */
const lostReadySeconds = 90;
const neverReadySeconds = 900;
/** Node and Pods should tell of a lost Node in one breath: they are marked some seconds after it, and it waits 20 s. */
const nodeLostSeconds = 15;
/** A Pod that was unready longer than this before its Node has a trouble of its own. */
const nodeLostHeadStartMs = 60_000;

function notReady(pod: PodView, world: ObservedWorld): Judgement {
  const ready = conditionOf(pod, 'Ready');
  if (pod.phase !== 'Running' || ready?.status !== 'False') return false;
  const facts = { conditionReason: ready.reason, ...given({ node: pod.node }) };
  const node = nodeNamed(world, pod.node);
  if (node === 'absent') return false;
  const nodeReady = node && conditionOf(node, 'Ready');
  if (node && nodeReady && nodeReady.status !== 'True' && ready.since >= nodeReady.since - nodeLostHeadStartMs) {
    // The control plane marks the Pods of a lost Node: that says nothing of what is in them.
    if (isLeaving(node)) return false;
    return {
      since: ready.since,
      forSeconds: nodeLostSeconds,
      facts,
      names: [node.ref],
    };
  }
  // Init containers have ended by now: only those that run for the life of the Pod can be ready or not.
  const lasting = containersOf(pod).flatMap((container) => (isInit(container) ? [] : [container.state]));
  const started = latest(lasting.map(({ running }) => running?.startedAt ?? Number.POSITIVE_INFINITY));
  // All containers run on, yet readiness was lost after the last one had started.
  const wasReady = Number.isFinite(started) && ready.since > started + 5000;
  const unready = lasting.filter((state) => !state.ready).map(({ name }) => name);
  return {
    since: ready.since,
    forSeconds: wasReady ? lostReadySeconds : neverReadySeconds,
    facts: {
      ...facts,
      ...given({
        container: unready[0],
        unready: unready.join(', ') || undefined,
        lost: wasReady ? 'ready' : undefined,
      }),
    },
  };
}

const podNotReady = detector({
  ...pods,
  id: 'P18',
  reasons: [{ reason: 'PodNotReady', family: 'consequence', sure: 'unknown' }],
  reads: ['Node', 'Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet'],
  severity: 'medium',
  settle: 'waits',
  exemptions: ['terminating', 'completed', 'disrupted', 'rollout', 'job', 'oldRevision'],
  source: 'core/v1 Pod condition Ready=False',
  predicate: 'a running Pod is not ready: 15 s with its Node lost, 90 s when it was ready before, else 15 min',
  clears: 'Ready is True',
  symptom: 'ready',
  patience: '90 s for one that was ready; 15 min for one that still starts; 15 s when its Node was lost',
  isNot: 'a rollout, a scale-up, Pods of the old revision, Jobs',
  judge: (pod, world) => notReady(pod, world),
});

/** Reasons of `status.reason` that have rows of their own or are no failure of the Pod. */
const otherFailures = new Set(['Evicted', 'Preempting', 'NodeShutdown', 'Terminated', 'Shutdown']);

const podFailed = detector({
  ...pods,
  id: 'P23',
  reasons: [{ reason: 'PodFailed', family: 'run', sure: 'unknown' }],
  severity: 'medium',
  settle: 'waits',
  exemptions: ['terminating', 'disrupted', 'job', 'staleNode'],
  source: 'core/v1 PodStatus.phase Failed',
  predicate:
    'a Pod that no Job owns failed for good within the last hour (low where a workflow, build or training run owns it: its controller decides)',
  clears: 'the Pod is gone, or an hour has passed',
  symptom: 'gone',
  patience: 'not at all: its phase is final',
  isNot: 'a Pod of a Job, which is judged as a Job; an evicted Pod whose controller has made another',
  judge: (pod, _, now) => {
    if (pod.phase !== 'Failed' || otherFailures.has(pod.reason ?? '') || failedInits(pod).length > 0) return false;
    const ends = pod.containers.flatMap((state) => lastEnd(state) ?? []);
    const failedAt = latest([readySince(pod), ...ends.map(({ finishedAt }) => finishedAt ?? 0)]);
    if (now >= failedAt + hour) return false;
    const state = pod.containers.find((entry) => (entry.terminated?.exitCode ?? 0) !== 0);
    return {
      since: failedAt,
      lookAgainAt: failedAt + hour,
      ...(isRun(pod.owner) && { severity: 'low' }),
      detail: pod.message ?? '',
      facts: {
        ...given({ podReason: pod.reason, node: pod.node, container: state?.name }),
        ...(state?.terminated ? endFacts(state.terminated) : {}),
      },
    };
  },
});

const podStuckTerminating = detector({
  ...pods,
  id: 'P27',
  reasons: [{ reason: 'PodStuckTerminating', family: 'consequence', sure: 'unknown' }],
  reads: ['Node'],
  severity: 'medium',
  forSeconds: 300,
  settle: 'waits',
  exemptions: ['leavingNode'],
  source: 'core/v1 ObjectMeta.deletionTimestamp, which includes the grace period',
  predicate: 'a Pod should have been gone for 5 min',
  clears: 'it is gone',
  symptom: 'gone',
  patience: '5 min after the end of its grace period: volumes and network are given back first',
  isNot: 'a long grace period; a Node that is drained on purpose',
  judge: (pod, world) => {
    if (pod.deletionAt === undefined) return false;
    const node = nodeNamed(world, pod.node);
    const lost = node !== undefined && node !== 'absent' && conditionOf(node, 'Ready')?.status !== 'True';
    return {
      since: pod.deletionAt,
      facts: given({ node: pod.node }),
      names: lost ? [node.ref] : [],
    };
  },
});

const podStatusUnknown = detector({
  ...pods,
  id: 'P28',
  reasons: [{ reason: 'PodStatusUnknown', family: 'consequence', sure: 'unknown' }],
  severity: 'medium',
  forSeconds: 300,
  settle: 'waits',
  exemptions: ['terminating', 'completed', 'disrupted', 'leavingNode'],
  source: 'core/v1 PodStatus.phase Unknown; ContainerStateTerminated.reason ContainerStatusUnknown',
  predicate: 'the state of a Pod or of one of its containers cannot be known for 5 min',
  clears: 'it is known, or the Pod was replaced',
  symptom: 'gone',
  patience: '5 min: a kubelet that restarts needs a moment to know its containers again',
  isNot: 'a Node that is being removed',
  judge: (pod) => {
    const lost = pod.containers.find(({ terminated }) => terminated?.reason === 'ContainerStatusUnknown');
    if (pod.phase !== 'Unknown' && (!lost || pod.phase !== 'Running')) return false;
    return {
      since: conditionOf(pod, 'Ready')?.since ?? pod.createdAt,
      facts: given({ node: pod.node, container: lost?.name }),
    };
  },
});

/** Pods; what tells most first. */
export const podDetectors: readonly Detector[] = [
  unschedulable,
  schedulerError,
  podFailed,
  podStatusUnknown,
  podStuckTerminating,
  podNotReady,
];
