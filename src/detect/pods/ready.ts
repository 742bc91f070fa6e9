import { latest } from '../../model/instants.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import { given } from '../../world/reading/fields.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { conditionOf } from '../kit/conditions.ts';
import { containersOf, isInit } from '../kit/containers.ts';
import { type Detector, detector, type Problem } from '../kit/detector.ts';
import { isLeaving, nodeNamed } from '../kit/exemptions.ts';
import { startPatience } from '../kit/usual-start.ts';
import { hasMisdirected, type ProbeFailure, probeFailure } from './probe-events.ts';

const judgesReadiness = {
  judges: 'Pod',
  reads: ['Node', 'Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet'],
} as const;
const readyExemptions = ['terminating', 'completed', 'disrupted', 'rollout', 'job', 'oldRevision', 'wakeUp'] as const;

/** How long a Pod may be unready: one that was ready before, and one that still starts. */
const lostReadySeconds = 90;
const neverReadySeconds = 900;
/** Some take long at each start, which is known of them after a while: so long is waited for these. */
const longestStartSeconds = 3600;
/** Node and Pods should tell of a lost Node in one breath: they are marked some seconds after it, and it waits 20 s. */
const nodeLostSeconds = 15;
/** A Pod that was unready longer than this before its Node has a trouble of its own. */
const nodeLostHeadStartMs = 60_000;

function notReady(pod: PodView, world: ObservedWorld): Problem | false {
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
    forSeconds: wasReady ? lostReadySeconds : startPatience(pod, world, neverReadySeconds, longestStartSeconds),
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
  ...judgesReadiness,
  id: 'P18',
  reasons: [{ reason: 'PodNotReady', family: 'consequence', sure: 'unknown' }],
  severity: 'medium',
  exemptions: readyExemptions,
  source: 'core/v1 Pod condition Ready=False',
  predicate: 'a running Pod is not ready: 15 s with its Node lost, 90 s when it was ready before, else 15 min',
  clears: 'Ready is True',
  symptom: 'ready',
  patience:
    '90 s for one that was ready; 15 min for one that still starts, and up to 1 h where its workload always takes longer (Pro); 15 s when its Node was lost',
  isNot: 'a rollout, a scale-up, Pods of the old revision, Jobs',
  judge: (pod, world, now) => !probeSays(pod, world, now) && !hasMisdirected(pod, world, now) && notReady(pod, world),
});

/** A container that never got ready and whose probe fails: most boots are over by then. */
const probedSeconds = 300;
const clocksMs = 60_000;

/** What the readiness probe of the first container that is not ready got, where its kubelet told since it is not. */
function probeSays(pod: PodView, world: ObservedWorld, now: number): ProbeFailure | undefined {
  const ready = conditionOf(pod, 'Ready');
  if (pod.phase !== 'Running' || ready?.status !== 'False') return undefined;
  for (const { state, template } of containersOf(pod)) {
    if (state.ready || !state.running || !template?.readinessProbe) continue;
    const failure = probeFailure(pod, state.name, 'readiness', world, now, ready.since - clocksMs);
    if (failure) return failure;
  }
  return undefined;
}

const readinessProbeFailed = detector({
  ...judgesReadiness,
  id: 'P19',
  reasons: [{ reason: 'ReadinessProbeFailed', family: 'consequence', sure: 'unknown' }],
  severity: 'medium',
  exemptions: readyExemptions,
  source: 'core/v1 Pod condition Ready=False; Events Unhealthy `Readiness probe failed` (kubelet prober.go)',
  predicate:
    'a running Pod is not ready and its kubelet says what its readiness probe got: for 90 s when it was ready before, else for 5 min',
  clears: 'Ready is True (there is no Event for that)',
  symptom: 'ready',
  patience:
    '90 s for one that was ready; 5 min for one that still starts, as probes fail until the process listens, and up to 1 h where its workload always takes longer (Pro)',
  isNot: 'a Pod that starts or ends; a Node that was lost; a rollout, a scale-up, Pods of the old revision, Jobs',
  judge: (pod, world, now) => {
    const failure = probeSays(pod, world, now);
    const problem = failure && !hasMisdirected(pod, world, now) && notReady(pod, world);
    if (!failure || !problem || problem.names?.length) return false;
    const wasReady = problem.facts?.lost !== undefined;
    return {
      ...problem,
      ...{
        forSeconds: wasReady ? lostReadySeconds : startPatience(pod, world, probedSeconds, longestStartSeconds),
        detail: failure.says,
      },
    };
  },
});

const flapWindowMs = 15 * 60_000;
const steadyMs = 30 * 60_000;
const maxLosses = 3;
const restartLeadMs = 60_000;

const readinessFlapping = detector({
  ...judgesReadiness,
  id: 'P22',
  reasons: [{ reason: 'ReadinessFlapping', family: 'consequence', sure: 'unknown' }],
  severity: 'medium',
  exemptions: ['terminating', 'completed', 'disrupted', 'job', 'staleNode', 'leavingNode'],
  source: 'core/v1 Pod condition Ready, each time it turned from True',
  predicate: 'a Pod was ready and lost it three times in 15 min, and no container of it was restarted meanwhile',
  clears: 'it was steady for 30 min',
  symptom: 'ready',
  patience: 'three times: once or twice is a busy moment',
  isNot: 'containers that crash, which is its own reason; a Node that comes and goes',
  judge: (pod, world, now) => {
    const losses = world.turns(pod.ref, 'Ready');
    const last = losses.at(-1);
    const node = nodeNamed(world, pod.node);
    if (last === undefined || now >= last + steadyMs) return false;
    if (typeof node === 'object' && conditionOf(node, 'Ready')?.status !== 'True') return false;
    // The last that came so close together; what came before or between counts no more.
    const first = losses.findLast(
      (at, index) => (losses[index + maxLosses - 1] ?? Number.POSITIVE_INFINITY) - at <= flapWindowMs,
    );
    if (first === undefined) return false;
    // A container ends a moment before its Pod is no longer ready.
    const restarted = pod.containers.some(({ name }) => world.restartsAfter(pod.ref, name, first - restartLeadMs) > 0);
    return (
      !restarted && {
        since: first,
        facts: { losses: losses.filter((at) => at >= first).length, ...given({ node: pod.node }) },
        lookAgainAt: last + steadyMs,
      }
    );
  },
});

/** Pods that run and do not serve, in the order of the catalogue. */
export const readyDetectors: readonly Detector[] = [readinessProbeFailed, podNotReady, readinessFlapping];
