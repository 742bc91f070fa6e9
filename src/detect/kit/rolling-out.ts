import { latest } from '../../model/instants.ts';
import { kindOf } from '../../model/ref.ts';
import type { Projection } from '../../world/kinds/kinds.ts';
import type { WorkloadView } from '../../world/kinds/workloads/workload.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { conditionOf, progressingReasons } from './conditions.ts';

const minute = 60_000;
/** A rollout may take this long before what it leaves unready is judged. */
const rolloutMs = 30 * minute;
/** A new workload needs this long to boot and pull. */
const startMs = 10 * minute;

/** The workload that a Pod belongs to, or the workload itself. */
function workloadOf(object: Projection, world: ObservedWorld): WorkloadView | undefined {
  const top = object.kind === 'Pod' ? world.get(world.topOwner(object.ref)) : object;
  return typeof top === 'object' && 'replicas' in top ? top : undefined;
}

/** When the rollout that is on its way began (epoch milliseconds). */
function rolloutBegan(workload: WorkloadView, world: ObservedWorld, now: number): number {
  const edits = world.changes(workload.ref, now - rolloutMs).filter(({ field }) => field !== 'replicas');
  const revisions = [...world.linked(workload.ref, 'owned-by', 'in')].flatMap((ref) => {
    const child = kindOf(ref) === 'ReplicaSet' ? world.get(ref) : 'absent';
    return typeof child === 'object' ? [child.createdAt] : [];
  });
  return latest([workload.createdAt, ...edits.map(({ at }) => at), ...revisions]);
}

/** How long after its making a controller may still write the first conditions of a workload. */
const firstStatusMs = 30_000;

/** Whether a workload served and now serves nothing: no rollout asks for that to last. */
function hasStoppedServing(workload: WorkloadView): boolean {
  if (workload.replicas === 0 || workload.ready > 0) return false;
  // A StatefulSet or DaemonSet that is no longer new has served, or has failed for so long that no rollout is the reason.
  if (workload.kind !== 'Deployment') return true;
  const available = conditionOf(workload, 'Available');
  const progressing = conditionOf(workload, 'Progressing');
  // A controller that is behind writes its first conditions late: then both began together.
  const isUnedited = workload.generation <= 1 && progressing?.status === 'True';
  const begun = isUnedited ? Math.max(workload.createdAt, progressing.since) : workload.createdAt;
  return available?.status === 'False' && available.since > begun + firstStatusMs;
}

/** Whether the Pods of a workload are being replaced by those of a new template. */
export function isRollingOut(workload: WorkloadView): boolean {
  if (workload.kind !== 'Deployment') {
    const { revision, currentRevision, updated, replicas } = workload;
    return workload.kind === 'StatefulSet' ? revision !== currentRevision : updated < replicas;
  }
  const progressing = conditionOf(workload, 'Progressing');
  if (progressing?.status === 'False') return false;
  return workload.observedGeneration < workload.generation || progressingReasons.has(progressing?.reason ?? '');
}

/** X4 (epoch milliseconds, or false): as long as something serves or nothing has served yet. A scale-up counts while what was wanted before it is ready. */
export function rolloutUntil(object: Projection, world: ObservedWorld, now: number): number | false {
  const workload = workloadOf(object, world);
  if (!workload) return false;
  const isPatient = isRollingOut(workload) && !hasStoppedServing(workload);
  const began = isPatient ? rolloutBegan(workload, world, now) + rolloutMs : 0;
  const isNew = workload.kind === 'Deployment' ? 0 : workload.createdAt + startMs;
  const scaled = world
    .changes(workload.ref, now - startMs)
    .filter(({ field, from }) => field === 'replicas' && workload.ready >= Number(from))
    .map(({ at }) => at + startMs);
  const until = latest([began, isNew, ...scaled]);
  return until > now && until;
}

/**
 * Whether the workload of an object has nothing that serves, and no start, scale-up or rollout is the reason. A Deployment that never
 * got so far is rolling out until its deadline has passed.
 */
export function isOut(object: Projection, world: ObservedWorld, now: number): boolean {
  const workload = workloadOf(object, world);
  if (!workload || workload.replicas === 0 || workload.ready > 0) return false;
  if (workload.kind === 'Deployment' && conditionOf(workload, 'Available')?.status !== 'False') return false;
  return rolloutUntil(workload, world, now) === false;
}
