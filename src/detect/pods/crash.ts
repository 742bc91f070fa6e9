import type { PodView } from '../../world/kinds/workloads/pod.ts';
import { given } from '../../world/reading/fields.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
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
} from '../kit/containers.ts';
import { type Detector, detector, type Judgement, type LookAgain } from '../kit/detector.ts';
import { nodeNamed } from '../kit/exemptions.ts';
import { givenByLimitRange } from '../kit/limit-range.ts';
import { crashLoop, isMeantToRestart, wellRunMs } from './crash-loop.ts';
import { endedFor } from './probe-events.ts';
import { isUsual } from './restart-rate.ts';
import { failsHereAlone } from './siblings.ts';

/** A start error that is over shows in a run of this length. */
const startedWellMs = 2 * 60_000;
/** Exit codes 126 to 128 of a run this short come from the start, not from a command inside a script. */
const shortRunMs = 5000;

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
    if (endedFor(pod, container, world, now) === 'liveness') return false;
    const loop = crashLoop(pod, container, world, now);
    if (!loop) return false;
    const { backOffSeconds, ...problem } = loop;
    return {
      ...problem,
      ...(init && failsHereAlone(pod, world) && { settle: 'waits' as const }),
      scope: container.state.name,
      since: world.since(pod.ref, facet(container, 'crashing')),
      facts: { ...containerFacts(pod, container), ...given({ backOffSeconds }) },
    };
  });
}

/** What the rows of containers that end have in common. */
const judgesEnds = { ...judgesPods, settle: 'conclusive', exemptions: [...podExemptions, 'job'] } as const;

const crashLoopBackOff = detector({
  ...judgesEnds,
  id: 'P1',
  reasons: [{ reason: 'CrashLoopBackOff', family: 'run', sure: 'unknown' }],
  severity: 'high',
  source: 'core/v1 ContainerStatus.state.waiting.reason CrashLoopBackOff, restartCount, lastState.terminated',
  predicate:
    'a container waits in CrashLoopBackOff, and the back-off is 40 s or more or it restarted 3 times in 15 min; where nothing of its workload serves any more, 10 s or more, 35 s after it first ended; 80 s or more where it fails within 3 min of the first start of its workload',
  clears:
    'it ran for 7 min without a restart (with the hold of the incident, the 10 min after which a kubelet forgets its back-off)',
  symptom: 'restart',
  patience:
    'not at all: four crashes are behind it, two where nothing else serves, five where its workload starts for the first time',
  isNot:
    'a crash or two while something it needs boots; an old count of restarts; a Node that rebooted; a Job, which is judged as a Job',
  judge: (pod, world, now) => judgeCrashLoop(pod, world, now, false),
});

const initContainerError = detector({
  ...judgesEnds,
  id: 'P13',
  reasons: [{ reason: 'InitContainerError', family: 'run', sure: 'unknown' }],
  severity: 'high',
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
  ...judgesEnds,
  id: 'P2',
  reasons: [{ reason: 'OOMKilled', family: 'run', sure: 'likely' }],
  severity: 'high',
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
        names: givenByLimitRange(pod, container.state.name, world),
        ...recent,
      };
    }),
});

/** The architecture of the Node, where a program is not made for it. */
function architecture(
  pod: PodView,
  text: string | undefined,
  world: ObservedWorld,
): { readonly architecture?: string } {
  const node = text?.includes('exec format error') ? nodeNamed(world, pod.node) : undefined;
  return given({ architecture: typeof node === 'object' ? node.labels['kubernetes.io/arch'] : undefined });
}

const startErrors = detector({
  ...judgesEnds,
  id: 'P5',
  reasons: [{ reason: 'StartError', family: 'run', sure: 'likely' }],
  severity: 'high',
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
      const text = waits ? state.waiting?.message : end?.message;
      return {
        scope: state.name,
        since: world.since(pod.ref, facet(container, end ? 'crashing' : 'waiting/RunContainerError')),
        settle: end && !failsHereAlone(pod, world) ? 'conclusive' : 'waits',
        facts: { ...containerFacts(pod, container), ...architecture(pod, text, world) },
        ...given({ detail: text }),
        ...recent,
      };
    }),
});

const errorWindowMs = 60 * 60_000;
const manyErrors = 3;
/** A run of this length sets a crash apart from a loop. */
const longRunMs = 5 * 60_000;

const containerError = detector({
  ...judgesEnds,
  id: 'P3',
  reasons: [{ reason: 'ContainerError', family: 'run', sure: 'unknown' }],
  severity: 'medium',
  source: 'core/v1 ContainerStatus.restartCount and lastState.terminated',
  predicate:
    'a container ended with an error three times within an hour, each time after it had run for 5 min or more (low where that is usual for its workload, Pro)',
  clears: 'it did not end so for an hour',
  symptom: 'restart',
  patience: 'three times within an hour: one crash is told by nothing but its restart',
  isNot: 'crashes in the first 10 min of a Pod, while what it needs boots; a crash loop (P1); exit code 0 and 143',
  judge: (pod, world, now) =>
    eachContainer(pod, (container) => {
      const { state } = container;
      const end = lastEnd(state);
      if (!end || isInit(container) || failedToStart(container) || ranOutOfMemory(container)) return false;
      const isError = end.exitCode !== 0 && end.exitCode !== 143 && !isMeantToRestart(container, end);
      if (!isError || (runLengthMs(end) ?? 0) < longRunMs || end.finishedAt === undefined) return false;
      const after = Math.max(end.finishedAt - errorWindowMs, pod.createdAt + 10 * 60_000);
      const errors = world.restartsAfter(pod.ref, state.name, after);
      const quietAt = end.finishedAt + errorWindowMs;
      if (errors < manyErrors || now >= quietAt || endedFor(pod, container, world, now) === 'liveness') return false;
      return {
        scope: state.name,
        since: end.finishedAt,
        facts: { ...containerFacts(pod, container), errors },
        lookAgainAt: quietAt,
        // It does so every day: that is for the digest. A crash loop is not, and neither is an OOM kill.
        ...(isUsual(world.topOwner(pod.ref), world) && { severity: 'low' }),
      };
    }),
});

/** Containers that end when they should run; what tells most first. */
export const crashDetectors: readonly Detector[] = [
  crashLoopBackOff,
  oomKilled,
  startErrors,
  initContainerError,
  containerError,
];
