import type { Finding } from '../../model/finding.ts';
import { isReady } from '../../world/pods/readiness.ts';
import { leadMs, longestBackOffMs } from '../../world/view/bounds.ts';
import type { World } from '../../world/view/world.ts';
import { podView } from './workload.ts';

/** After the end of most causes no second wave comes: what began within seconds of it had not seen yet that it is over (ms). */
export const endSeenMs = 15_000;

/** The longest that an effect that is seen anew stays with a cause that has ended: the longer settle and 5 min. */
export const longestOutliveMs = longestBackOffMs + leadMs + endSeenMs;

/**
 * How long an effect stays with a cause that has ended: its own settle and 5 min (`50-incidents`: an unresolved symptom
 * that outlives its root becomes its own incident).
 */
function outliveMs(effect: Finding): number {
  return effect.conclusive ? longestBackOffMs + endSeenMs : longestOutliveMs;
}

/** A kubelet waits 5 min at most before it starts a container again, its run counts as good after 7 min, and a minute of slack. */
const lastWaitMs = 13 * 60_000;

/** When the container of an effect ended last (epoch milliseconds), where it is one of a Pod. */
function endedLast({ subject, scope }: Finding, world: World): number | undefined {
  const state = podView(world, subject.ref)?.containers.find(({ name }) => name === scope);
  return (state?.terminated ?? state?.last)?.finishedAt;
}

/** Whether an effect has not happened anew since its cause ended: it waits in its back-off, or runs and has not run for long. */
function isOfBefore(effect: Finding, causeEndedAt: number, world: World): boolean {
  const last = endedLast(effect, world);
  return last !== undefined && last <= causeEndedAt + endSeenMs;
}

/**
 * Until when (epoch milliseconds) a cause that ended holds an effect. What is of before says nothing of today.
 */
export function heldUntil(effect: Finding, causeEndedAt: number, world: World): number {
  if (isOfBefore(effect, causeEndedAt, world)) return causeEndedAt + lastWaitMs;
  return Math.max(causeEndedAt, effect.since) + outliveMs(effect);
}

/**
 * Whether all that a cause which ended has left behind serves again: it has not ended anew, and its Pods are ready. That they crashed is
 * history; what does so again is a finding that is not of before.
 */
export function isHistory(members: readonly Finding[], causeEndedAt: number, world: World): boolean {
  return members.every((finding) => {
    const pod = podView(world, finding.subject.ref);
    return pod !== undefined && isReady(pod) && isOfBefore(finding, causeEndedAt, world);
  });
}

/**
 * Until when (epoch milliseconds) what a cause that ended has left behind is given the time to go: as long as nothing of it has ended
 * anew. `undefined`: something has, or nothing of it is a container's.
 */
export function leftUntil(members: readonly Finding[], causeEndedAt: number, world: World): number | undefined {
  const ends = members.flatMap((finding) => endedLast(finding, world) ?? []);
  if (ends.length === 0 || ends.some((at) => at > causeEndedAt + endSeenMs)) return undefined;
  return causeEndedAt + lastWaitMs;
}
