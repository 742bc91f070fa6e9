import { given } from '../../world/reading/fields.ts';
import { containerFacts, eachContainer, facet, judgesPods, podExemptions } from '../kit/containers.ts';
import { type Detector, detector } from '../kit/detector.ts';
import { evidenceMs, lastTold, toldSince } from '../kit/told.ts';
import { endedFor, misdirected } from './probe-events.ts';

const restartWindowMs = 15 * 60_000;
const quietMs = 30 * 60_000;

const probeMisconfigured = detector({
  ...judgesPods,
  id: 'P19',
  reasons: [{ reason: 'ProbeMisconfigured', family: 'run', sure: 'high' }],
  severity: 'high',
  forSeconds: 15,
  settle: 'conclusive',
  source:
    "Events Unhealthy of a running container; Container.ports and the ports of its probes (kubelet prober.go, `couldn't find port`)",
  predicate:
    'a probe cannot succeed: its port has a name that no port of the container has, its command is not in the image, its port is not one that the container states and refuses three times while another probe finds the container at work, or a gRPC server answers that it does not have the service (Unimplemented)',
  clears: 'no failure of the probe is reported for 15 min, or the container has another template',
  symptom: 'ready',
  patience: '15 s: waiting does not mend it',
  isNot: 'a container that still boots; a port that is open without being stated',
  judge: (pod, world, now) =>
    eachContainer(pod, (container) => {
      const wrong = misdirected(pod, container, world, now);
      if (!wrong) return false;
      const { probe, port, why, event, says } = wrong;
      return {
        scope: container.state.name,
        since: toldSince(event, container.state.running?.startedAt ?? event.firstAt),
        facts: { ...containerFacts(pod, container), probe, probeFault: why, ...given({ probePort: port }) },
        ...{ detail: says, lookAgainAt: event.lastAt + evidenceMs },
      };
    }),
});

const livenessProbeFailed = detector({
  ...judgesPods,
  id: 'P20',
  reasons: [{ reason: 'LivenessProbeFailed', family: 'run', sure: 'likely' }],
  severity: 'high',
  settle: 'conclusive',
  exemptions: [...podExemptions, 'job'],
  source:
    'Event Killing `failed liveness probe, will be restarted` at the end of the last run (kubelet kuberuntime_manager.go); ContainerStatus.restartCount',
  predicate: 'the kubelet ended a container for its liveness probe, the second time in 15 min',
  clears: 'it was not ended so for 30 min',
  symptom: 'restart',
  patience: 'two kills: one is often a busy moment',
  isNot: 'one kill; a container that ends by itself; a Pod that is being deleted',
  judge: (pod, world, now) =>
    eachContainer(pod, (container) => {
      const { state } = container;
      const end = state.terminated ?? state.last;
      if (endedFor(pod, container, world, now) !== 'liveness' || end?.finishedAt === undefined) return false;
      const quietAt = end.finishedAt + quietMs;
      const restarted = world.restartsAfter(pod.ref, state.name, end.finishedAt - restartWindowMs);
      // It waits for its second restart: that is its second kill.
      const kills = restarted + (state.running ? 0 : 1);
      if (now >= quietAt || kills < 2) return false;
      const says = lastTold(pod.ref, livenessTold(state.name), world, now)?.message;
      return {
        scope: state.name,
        since: world.since(pod.ref, facet(container, 'crashing')),
        facts: { ...containerFacts(pod, container), killedFor: 'liveness' },
        ...given({ detail: says }),
        lookAgainAt: quietAt,
      };
    }),
});

/** What its liveness probe got, of a container. */
function livenessTold(container: string) {
  return { reasons: ['Unhealthy'], container, says: /^Liveness probe/ };
}

const hooks = [
  ['PostStartHookError', 'FailedPostStartHook'],
  ['FailedPreStopHook', 'FailedPreStopHook'],
] as const;

/** A container that runs for so long after its hook failed is well again. */
const wellRunMs = 7 * 60_000;

/** Until when a hook that failed counts; `undefined`: as long as its container waits. */
function wellAgainAt(startedAt: number | undefined, failedAt: number | undefined): number | undefined {
  if (failedAt === undefined) return undefined;
  const isRunningSince = startedAt !== undefined && startedAt > failedAt;
  return Math.min(failedAt + quietMs, isRunningSince ? startedAt + wellRunMs : Number.POSITIVE_INFINITY);
}

const hookFailed = detector({
  ...judgesPods,
  id: 'P31',
  reasons: [
    { reason: 'PostStartHookError', family: 'start', sure: 'likely' },
    { reason: 'FailedPreStopHook', family: 'run', sure: 'likely' },
  ],
  severity: 'medium',
  forSeconds: 60,
  exemptions: [...podExemptions, 'job'],
  source:
    'core/v1 ContainerStateWaiting.reason PostStartHookError; Events FailedPostStartHook, FailedPreStopHook (kubelet kuberuntime_container.go)',
  predicate: 'the postStart or preStop hook of a container failed, twice at least, and the Pod is still there',
  clears: 'it did not fail for 30 min, or the container has run for 7 min since',
  symptom: 'restart',
  patience: '60 s and a second failure: hooks race with what they call',
  isNot: 'a hook that failed once; a Pod that is being deleted',
  judge: (pod, world, now) =>
    eachContainer(pod, (container) => {
      const { name, running, waiting } = container.state;
      for (const [reason, eventReason] of hooks) {
        const event = lastTold(pod.ref, { reasons: [eventReason], container: name, after: now - quietMs }, world, now);
        const isWaiting = reason === 'PostStartHookError' && waiting?.reason === reason;
        if (!isWaiting && (!event || event.count < 2)) continue;
        const wellAt = wellAgainAt(running?.startedAt, event?.lastAt);
        if (wellAt !== undefined && now >= wellAt) continue;
        return {
          ...{ scope: name, reason },
          since: event?.firstAt ?? world.since(pod.ref, facet(container, `waiting/${reason}`)),
          facts: containerFacts(pod, container),
          ...given({ detail: waiting?.message || event?.message, lookAgainAt: wellAt }),
        };
      }
      return false;
    }),
});

/** What probes and hooks tell of containers that run, in the order of the catalogue. */
export const probeDetectors: readonly Detector[] = [probeMisconfigured, livenessProbeFailed, hookFailed];
