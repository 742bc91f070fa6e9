import { earliest } from '../model/instants.ts';
import { kindOf, type Ref } from '../model/ref.ts';
import type { PodView } from '../world/kinds/pod.ts';
import type { WorkloadView } from '../world/kinds/workload.ts';
import { isReady, readySince } from '../world/readiness.ts';
import type { ObservedWorld } from '../world/world.ts';
import type { Problem } from './detector.ts';
import { isRollingOut } from './rolling-out.ts';

type Patience = Pick<Problem, 'forSeconds' | 'severity' | 'settle'>;

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

/** Whether the containers of a Pod have run on since before an instant. */
function hasRunSince({ containers, template }: PodView, instant: number): boolean {
  const inits = new Set(template.containers.flatMap(({ name, role }) => (role === 'init' ? [name] : [])));
  const lasting = containers.filter(({ name }) => !inits.has(name));
  return lasting.length > 0 && lasting.every(({ running }) => running !== undefined && running.startedAt < instant);
}

/**
 * How long a workload may have no good Pod left. The only Pod is away for a minute whenever it is moved; a Pod that is new or
 * restarted needs its time; those that crash or cannot start are told by rows that know why. Pods that run on and no longer
 * serve, and several that are all gone, do not come back by themselves.
 */
export function outage(workload: WorkloadView, pods: readonly PodView[], since: number): Patience {
  const isMoved = pods.length === 0 && workload.replicas === 1;
  const mayPass = isMoved || isRollingOut(workload) || !pods.every((pod) => hasRunSince(pod, since));
  return mayPass
    ? { forSeconds: 90, severity: 'high', settle: 'waits' }
    : { forSeconds: 30, severity: 'high', settle: 'conclusive' };
}
