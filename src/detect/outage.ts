import { earliest } from '../model/instants.ts';
import { kindOf, type Ref } from '../model/ref.ts';
import type { PodView } from '../world/kinds/pod.ts';
import type { WorkloadView } from '../world/kinds/workload.ts';
import { isReady, readySince } from '../world/readiness.ts';
import type { ObservedWorld } from '../world/world.ts';
import { comesBackBy, longestMs, type Outage, shortestMs } from './coming-back.ts';
import type { Problem } from './detector.ts';
import { calledBy, isCalledInVain } from './in-vain.ts';

type Patience = Pick<Problem, 'forSeconds' | 'severity' | 'settle' | 'stands' | 'lookAgainAt'>;

/** Where another says that what both call does not work, so long is no moment; it may say so a little later (ms). */
const sharedMs = 15_000;
const lookMs = 5_000;

/** A workload that is only short of replicas may take its time. */
export const shortage: Patience = { forSeconds: 600, severity: 'medium' };

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
  const forSeconds = Math.ceil(Math.min(longestMs, waitsMs) / 1000);
  const patience: Patience = {
    ...{ forSeconds, severity: 'high', settle: waitsMs < longestMs ? 'conclusive' : 'waits', stands: true },
  };
  return waitsMs > shortestMs || now >= out.since + shortestMs ? patience : { ...patience, ...shared(out, world, now) };
}

/** Of a workload whose Pods run and do not serve: that it fails with others, or when to look for it. */
function shared({ workload, pods, since }: Outage, world: ObservedWorld, now: number): Partial<Patience> {
  const called = calledBy(pods, world);
  if (called.size === 0) return {};
  if (now < since + sharedMs) return { lookAgainAt: since + sharedMs };
  if (isCalledInVain(called, { workload: workload.ref, since }, world)) return { forSeconds: sharedMs / 1000 };
  return { lookAgainAt: now + lookMs };
}
