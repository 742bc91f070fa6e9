import { parseDurationMs } from '../../model/duration.ts';
import { patience } from '../../model/patience.ts';
import type { PodView, Termination } from '../../world/kinds/workloads/pod.ts';
import { isUnedited } from '../../world/kinds/workloads/workload.ts';
import { goodRunMs } from '../../world/memory/facets.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { conditionOf } from '../kit/conditions.ts';
import { type Container, facet, isInit, lastEnd, runLengthMs } from '../kit/containers.ts';
import type { Problem } from '../kit/detector.ts';
import { isOut } from '../kit/rolling-out.ts';

/**
 * A container that has run for so long is well again. The incident then holds for another 3 min before it counts as resolved:
 * together the 10 min after which a kubelet forgets its back-off.
 */
export const wellRunMs = 7 * 60_000;

/** From the fourth run on a kubelet waits 40 s or more (its back-off starts at 10 s and doubles). */
const longBackOffSeconds = 40;
/** What of such a wait is left between two timestamps of whole seconds. */
const longGapMs = 35_000;
const restartWindowMs = 15 * 60_000;
const manyRestarts = 3;

/** After its second crash a kubelet waits 10 s, and what is left of them between two timestamps of whole seconds (ms). */
const secondBackOffSeconds = 10;
const secondGapMs = 8_000;
const twoRestarts = 2;
/** Never by itself. */
const onlyOnceFound: Loop = { forSeconds: 24 * 3600, stands: true };

/** The back-off a kubelet names: `back-off 5m0s restarting failed container=api …`. */
function backOffSeconds(message: string): number {
  const [, duration = ''] = /back-off (\S+) restarting/.exec(message) ?? [];
  return (parseDurationMs(duration) ?? 0) / 1000;
}

/** Whether a container ended as it is meant to, to be started again (X12: `restartPolicyRules`, KEP-5307). */
export function isMeantToRestart({ template }: Container, { exitCode }: Termination): boolean {
  const { meantExits: meant } = template ?? {};
  return meant !== undefined && meant.codes.includes(exitCode) === meant.in;
}

/** Whether all containers of a Pod are being started anew, because one of them asked for it (KEP-5532). */
function isStartingAnew(pod: PodView): boolean {
  return conditionOf(pod, 'AllContainersRestarting')?.status === 'True';
}

/** How long a workload is new, and how long a Pod of it may fail for want of what starts beside it. */
const firstStartMs = 10 * 60_000;
/** The fourth failure in a row: what starts together needs two or three attempts to find each other. */
const firstStartBackOffSeconds = 80;
/** What first fails so long after it was made (ms) had what it needs. */
const hadAllMs = 3 * 60_000;

/**
 * Whether a Pod belongs to the first start of its workload and has failed since: databases, queues and what they serve come up in any
 * order. `since`: epoch milliseconds.
 */
function isFirstStart(pod: PodView, since: number, world: ObservedWorld, now: number): boolean {
  if (pod.owner === undefined || now >= pod.createdAt + firstStartMs || since >= pod.createdAt + hadAllMs) return false;
  const top = world.get(world.topOwner(pod.ref));
  if (typeof top !== 'object' || top.ref === pod.ref || pod.createdAt >= top.createdAt + firstStartMs) return false;
  // Of a workload that is rolling out its second revision this is no first start.
  return isUnedited(top);
}

/** By then a run that gets no further than the one before has had its chance (ms). */
const triedMs = 5_000;

/** Two crashes are enough where nothing of the workload serves any more: people are without it for longer than an accident takes. */
function secondCrash(isFirst: boolean, pod: PodView, world: ObservedWorld, now: number): Loop {
  return { ...onlyOnceFound, ...(!isFirst && isOut(pod, world, now) && { forSeconds: patience.crashWithoutOthers }) };
}

/** How a container is caught between crashes, how long it must have been, and until when the answer stands if it now runs well. */
export type Loop = Pick<Problem, 'forSeconds' | 'stands' | 'lookAgainAt'> & { readonly backOffSeconds?: number };

/**
 * Whether a container crashes again and again. Between crashes it runs, so a run counts as recovery only when it lasted;
 * that it was looping before shows in the wait before this run, or in restarts that were seen.
 */
export function crashLoop(
  pod: PodView,
  { state, template }: Container,
  world: ObservedWorld,
  now: number,
): Loop | undefined {
  const end = lastEnd(state);
  if (pod.template.restartPolicy === 'Never' || !end) return undefined;
  if (pod.template.restartPolicy === 'OnFailure' && end.exitCode === 0) return undefined;
  // The last of its runs did what it is there for, whatever the ones before it ended with.
  if (isInit({ state, template }) && state.terminated?.exitCode === 0) return undefined;
  if (isMeantToRestart({ state, template }, end) || isStartingAnew(pod)) return undefined;
  const endedAt = end.finishedAt ?? now;
  const since = world.since(pod.ref, facet({ state, template }, 'crashing'));
  const isFirst = isFirstStart(pod, since, world, now);
  const grew = world.restartsAfter(pod.ref, state.name, endedAt - restartWindowMs);
  if (state.waiting) {
    if (state.waiting.reason !== 'CrashLoopBackOff') return undefined;
    const waits = backOffSeconds(state.waiting.message);
    if (isFirst) return waits >= firstStartBackOffSeconds ? { backOffSeconds: waits } : undefined;
    if (waits >= longBackOffSeconds || grew >= manyRestarts) return { backOffSeconds: waits };
    if (waits < secondBackOffSeconds) return undefined;
    return { ...secondCrash(isFirst, pod, world, now), backOffSeconds: waits };
  }
  const startedAt = state.running?.startedAt ?? state.terminated?.startedAt;
  const before = state.running ? state.last : state.terminated && state.last;
  const wasShort = before !== undefined && (runLengthMs(before) ?? goodRunMs) < goodRunMs;
  const waitedMs = wasShort && startedAt !== undefined ? startedAt - (before.finishedAt ?? startedAt) : 0;
  // It has been restarted once more since it was last seen waiting.
  const isFourth = grew > manyRestarts || (waitedMs >= longGapMs && state.restarts > manyRestarts);
  if (!isFourth && !(waitedMs >= secondGapMs && state.restarts >= twoRestarts)) return undefined;
  const second = secondCrash(isFirst, pod, world, now);
  if (!state.running) return isFourth ? {} : second;
  const { startedAt: runsSince } = state.running;
  const wellAt = runsSince + wellRunMs;
  if (now >= wellAt) return undefined;
  if (isFourth) return { lookAgainAt: wellAt };
  const triedAt = runsSince + triedMs;
  if (now < triedAt) return { ...onlyOnceFound, lookAgainAt: triedAt };
  // A run that gets further than the one before may be the one that goes well.
  const getsFurther = before !== undefined && now - runsSince > (runLengthMs(before) ?? 0);
  return { ...(getsFurther ? onlyOnceFound : second), lookAgainAt: wellAt };
}
