import { parseDurationMs } from '../model/duration.ts';
import { given } from '../world/fields.ts';
import type { PodView } from '../world/kinds/pod.ts';
import { goodRunMs } from '../world/observations.ts';
import type { ObservedWorld } from '../world/world.ts';
import {
  type Container,
  containerFacts,
  eachContainer,
  facet,
  isInit,
  judgesPods,
  lastEnd,
  podExemptions,
  runLengthMs,
} from './containers.ts';
import { type Detector, detector, type Judgement, type LookAgain } from './detector.ts';

/**
 * A container that has run for so long is well again. The incident then holds for another 3 min before it counts as resolved:
 * together the 10 min after which a kubelet forgets its back-off.
 */
const wellRunMs = 7 * 60_000;

/** From the fourth run on a kubelet waits 40 s or more (its back-off starts at 10 s and doubles). */
const longBackOffSeconds = 40;
/** What of such a wait is left between two timestamps of whole seconds. */
const longGapMs = 35_000;
const restartWindowMs = 15 * 60_000;
const manyRestarts = 3;
/** A start error that is over shows in a run of this length. */
const startedWellMs = 2 * 60_000;
/** Exit codes 126 to 128 of a run this short come from the start, not from a command inside a script. */
const shortRunMs = 5000;

/** The back-off a kubelet names: `back-off 5m0s restarting failed container=api …`. */
function backOffSeconds(message: string): number {
  const [, duration = ''] = /back-off (\S+) restarting/.exec(message) ?? [];
  return (parseDurationMs(duration) ?? 0) / 1000;
}

/** How a container is caught between crashes, and until when the answer stands if it now runs well. */
type Loop = { readonly backOffSeconds?: number; readonly lookAgainAt?: number };

/**
 * Whether a container crashes again and again. Between crashes it runs, so a run counts as recovery only when it lasted;
 * that it was looping before shows in the wait before this run, or in restarts that were seen.
 */
function crashLoop(pod: PodView, { state }: Container, world: ObservedWorld, now: number): Loop | undefined {
  const end = lastEnd(state);
  if (pod.template.restartPolicy === 'Never' || !end) return undefined;
  if (pod.template.restartPolicy === 'OnFailure' && end.exitCode === 0) return undefined;
  const endedAt = end.finishedAt ?? now;
  const grew = world.restartsAfter(pod.ref, state.name, endedAt - restartWindowMs);
  if (state.waiting) {
    const waits = backOffSeconds(state.waiting.message);
    const looping = waits >= longBackOffSeconds || grew >= manyRestarts;
    return state.waiting.reason === 'CrashLoopBackOff' && looping ? { backOffSeconds: waits } : undefined;
  }
  const startedAt = state.running?.startedAt ?? state.terminated?.startedAt;
  const before = state.running ? state.last : state.terminated && state.last;
  const waitedLong =
    startedAt !== undefined &&
    startedAt - (before?.finishedAt ?? startedAt) >= longGapMs &&
    before !== undefined &&
    (runLengthMs(before) ?? goodRunMs) < goodRunMs;
  // It has been restarted once more since it was last seen waiting.
  if (!(grew > manyRestarts || (waitedLong && state.restarts > manyRestarts))) return undefined;
  if (!state.running) return {};
  const wellAt = state.running.startedAt + wellRunMs;
  return now < wellAt ? { lookAgainAt: wellAt } : undefined;
}

/** Whether the last run ended because it could not even begin. */
function failedToStart({ state }: Container): boolean {
  const end = lastEnd(state);
  if (!end) return false;
  const byCode = end.exitCode >= 126 && end.exitCode <= 128 && (runLengthMs(end) ?? 0) < shortRunMs;
  return end.reason === 'StartError' || end.reason === 'ContainerCannotRun' || byCode;
}

function ranOutOfMemory({ state }: Container): boolean {
  return lastEnd(state)?.reason === 'OOMKilled';
}

/** Until it has run so long, how a container ended before still counts: when that is; `false` when it has. */
function unlessRunning({ state }: Container, forMs: number, now: number): LookAgain | Record<string, never> | false {
  if (!state.running) return {};
  const wellAt = state.running.startedAt + forMs;
  return now < wellAt && { lookAgainAt: wellAt };
}

function judgeCrashLoop(pod: PodView, world: ObservedWorld, now: number, init: boolean): Judgement {
  return eachContainer(pod, (container) => {
    // What another row says more exactly is left to it.
    if (isInit(container) !== init || failedToStart(container) || ranOutOfMemory(container)) return false;
    const loop = crashLoop(pod, container, world, now);
    if (!loop) return false;
    return {
      scope: container.state.name,
      since: world.since(pod.ref, facet(container, 'crashing')),
      facts: { ...containerFacts(pod, container), ...given({ backOffSeconds: loop.backOffSeconds }) },
      ...given({ lookAgainAt: loop.lookAgainAt }),
    };
  });
}

const crashLoopBackOff = detector({
  ...judgesPods,
  id: 'P1',
  reasons: [{ reason: 'CrashLoopBackOff', family: 'run', sure: 'unknown' }],
  severity: 'high',
  settle: 'conclusive',
  exemptions: [...podExemptions, 'job'],
  source: 'core/v1 ContainerStatus.state.waiting.reason CrashLoopBackOff, restartCount, lastState.terminated',
  predicate:
    'a container waits in CrashLoopBackOff, and the back-off is 40 s or more or it restarted 3 times in 15 min',
  clears:
    'it ran for 7 min without a restart (with the hold of the incident, the 10 min after which a kubelet forgets its back-off)',
  symptom: 'restart',
  patience: 'not at all: three crashes and a back-off of 40 s are behind it',
  isNot:
    'a crash or two while something it needs boots; an old count of restarts; a Node that rebooted; a Job, which is judged as a Job',
  judge: (pod, world, now) => judgeCrashLoop(pod, world, now, false),
});

const initContainerError = detector({
  ...judgesPods,
  id: 'P13',
  reasons: [{ reason: 'InitContainerError', family: 'run', sure: 'unknown' }],
  severity: 'high',
  settle: 'conclusive',
  exemptions: [...podExemptions, 'job'],
  source: 'core/v1 PodStatus.initContainerStatuses',
  predicate: 'an init container crashes again and again, or failed for good under restartPolicy Never',
  clears: 'the init container succeeded',
  symptom: 'start',
  patience: 'not at all: it has failed several times, or for good',
  isNot: 'an init container that fails once or twice until what it waits for is there',
  judge: (pod, world, now) => {
    if (pod.phase !== 'Failed') return judgeCrashLoop(pod, world, now, true);
    return failedInits(pod).map((container) => ({
      scope: container.state.name,
      since: container.state.terminated?.finishedAt ?? now,
      facts: { ...containerFacts(pod, container), podPhase: pod.phase },
    }));
  },
});

/** Init containers that ended a Pod. */
export function failedInits(pod: PodView): Container[] {
  return pod.containers.flatMap((state) => {
    const template = pod.template.containers.find(({ name }) => name === state.name);
    return template?.role === 'init' && (state.terminated?.exitCode ?? 0) !== 0 ? [{ state, template }] : [];
  });
}

const oomKilled = detector({
  ...judgesPods,
  id: 'P2',
  reasons: [{ reason: 'OOMKilled', family: 'run', sure: 'likely' }],
  severity: 'high',
  settle: 'conclusive',
  exemptions: [...podExemptions, 'job'],
  source: 'core/v1 ContainerStateTerminated.reason OOMKilled; exit code 137 alone is any SIGKILL',
  predicate: 'the last run of a container was ended by the kernel for its memory',
  clears: 'it ran for 7 min since (10 min with the hold of the incident)',
  symptom: 'restart',
  patience: 'not at all: the kernel has ended it',
  isNot: 'exit code 137 alone, which is any SIGKILL; a process that another one in the container outlives',
  judge: (pod, world, now) =>
    eachContainer(pod, (container) => {
      const recent = ranOutOfMemory(container) && unlessRunning(container, wellRunMs, now);
      if (!recent) return false;
      return {
        scope: container.state.name,
        since: world.since(pod.ref, facet(container, 'crashing')),
        facts: containerFacts(pod, container),
        ...recent,
      };
    }),
});

const startErrors = detector({
  ...judgesPods,
  id: 'P5',
  reasons: [{ reason: 'StartError', family: 'run', sure: 'likely' }],
  severity: 'high',
  settle: 'conclusive',
  exemptions: [...podExemptions, 'job'],
  source:
    'core/v1 ContainerStateTerminated.reason StartError, ContainerCannotRun; waiting RunContainerError; exit 126 to 128',
  predicate: 'the runtime cannot start the command of a container',
  clears: 'it ran for 2 min',
  symptom: 'start',
  patience: 'not at all: the runtime has refused the command',
  isNot: 'a script that starts and then exits with 126 or 127 after a while',
  judge: (pod, world, now) =>
    eachContainer(pod, (container) => {
      const { state } = container;
      const waits = state.waiting?.reason === 'RunContainerError';
      const recent = (waits || failedToStart(container)) && unlessRunning(container, startedWellMs, now);
      if (!recent) return false;
      const end = lastEnd(state);
      return {
        scope: state.name,
        since: world.since(pod.ref, facet(container, end ? 'crashing' : 'waiting/RunContainerError')),
        settle: end ? 'conclusive' : 'waits',
        facts: containerFacts(pod, container),
        ...given({ detail: waits ? state.waiting?.message : end?.message }),
        ...recent,
      };
    }),
});

/** Containers that end when they should run, in the order of the catalogue. */
export const crashDetectors: readonly Detector[] = [crashLoopBackOff, oomKilled, startErrors, initContainerError];
