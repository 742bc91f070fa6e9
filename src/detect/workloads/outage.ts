import { earliest, latest } from '../../model/instants.ts';
import { kindOf, type Ref } from '../../model/ref.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import type { WorkloadView } from '../../world/kinds/workloads/workload.ts';
import { isReady, readySince } from '../../world/pods/readiness.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import type { Problem } from '../kit/detector.ts';
import { comesBackBy, longestMs, type Outage, runsOn, shortestMs } from '../placement/coming-back.ts';

type Patience = Pick<Problem, 'forSeconds' | 'severity' | 'settle' | 'stands'>;

/**
 * So long after they stopped serving, Pods that run on are asked why (ms). What they say may belong to what others fail of, which is told
 * then; by itself it is told after `shortestMs` (`explain/solve/awaited.ts`).
 */
const askedMs = 15_000;

/** A workload that is only short of replicas may take its time. */
export const shortage: Patience = { forSeconds: 600, severity: 'medium' };

/** Fewer than a Deployment may do without are told after this long (s), and after so long at most (ms) while it is on its way back. */
const [tooFewSeconds, longestBackMs] = [90, 5 * 60_000];
/** A workload is on its way back until so long (ms) after the last of its Pods was made or became ready. */
const movesMs = 30_000;

/** How long a workload may have fewer Pods than it may do without, while some still serve: whose Pods come back now needs nobody. */
export function tooFew(pods: readonly PodView[], since: number): Patience {
  const moved = latest(pods.map((pod) => Math.max(pod.createdAt, isReady(pod) ? readySince(pod) : 0)));
  const backMs = Math.min(longestBackMs, moved + movesMs - since);
  return { forSeconds: Math.max(tooFewSeconds, Math.ceil(backMs / 1000)) };
}

/** The Pods of a workload, through its ReplicaSets. */
export function podsOf(workload: Ref, world: ObservedWorld): PodView[] {
  return [...world.linked(workload, 'owned-by', 'in')].flatMap((child) => {
    if (kindOf(child) !== 'Pod') return kindOf(child) === 'ReplicaSet' ? podsOf(child, world) : [];
    const pod = world.get(child);
    return typeof pod === 'object' && pod.kind === 'Pod' ? [pod] : [];
  });
}

/** Since when a workload is short: since the first of its Pods that is unready now became so, else as it was seen. */
export function shortSince(workload: WorkloadView, world: ObservedWorld, pods: readonly PodView[]): number {
  const unready = pods.filter((pod) => !isReady(pod) && pod.deletionAt === undefined);
  return unready.length > 0 ? earliest(unready.map(readySince)) : world.since(workload.ref, 'short');
}

/**
 * How long a workload may have no good Pod left: while one is on its way back as on any normal day. What is told by the clock alone,
 * with something still under way, is no proof. Once told it stands, whatever is tried then.
 */
export function outage(out: Outage, world: ObservedWorld, now: number): Patience {
  const waitsMs = comesBackBy(out, world, now) - out.since;
  const canSay = waitsMs <= shortestMs && out.pods.some((pod) => pod.deletionAt === undefined && runsOn(pod, out));
  const forMs = canSay ? askedMs : Math.min(longestMs, waitsMs);
  const settle = waitsMs < longestMs ? 'conclusive' : 'waits';
  return { forSeconds: Math.ceil(forMs / 1000), severity: 'high', settle, stands: true };
}
