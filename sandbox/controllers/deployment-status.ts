import { type Cluster, objectOf } from '../cluster.ts';
import { type Fields, timestamp } from '../object.ts';
import type { Condition, Deployment, Workload } from '../shapes.ts';
import { conditionOf, writeStatus } from './pods.ts';
import { bounds, countOf, sum } from './rollout.ts';

/** The conditions that this controller writes; those of others stay. */
const ownConditions: ReadonlySet<string> = new Set(['Available', 'Progressing', 'ReplicaFailure']);

/** Writes status; returns milliseconds until the progress deadline when one is running. */
export function reportStatus(
  cluster: Cluster,
  deployment: Deployment,
  current: Workload | undefined,
  sets: readonly Workload[],
  created: boolean,
): number | undefined {
  const { replicas, progressDeadlineSeconds } = deployment.spec;
  const live = sets.find((set) => set.metadata.uid === current?.metadata.uid);
  const fresh = objectOf<Deployment>(
    cluster,
    'deployments.apps',
    deployment.metadata.namespace,
    deployment.metadata.name,
  );
  const total = sum(sets, (set) => countOf(set, 'replicas'));
  const available = sum(sets, (set) => countOf(set, 'availableReplicas'));
  const numbers = {
    replicas: total,
    updatedReplicas: live ? countOf(live, 'replicas') : 0,
    readyReplicas: sum(sets, (set) => countOf(set, 'readyReplicas')),
    availableReplicas: available,
    unavailableReplicas: Math.max(
      0,
      Math.max(
        total,
        sum(sets, (set) => set.spec.replicas),
      ) - available,
    ),
  };
  const now = cluster.clock.now();
  const before = fresh?.status?.conditions ?? [];
  // Where all are ended first, none may be missing (pkg/controller/deployment/util, MaxUnavailable).
  const spare = deployment.spec.strategy.type === 'Recreate' ? 0 : bounds(deployment).unavailable;
  const enough = available >= replicas - spare;
  const availability: Condition = enough
    ? {
        type: 'Available',
        status: 'True',
        reason: 'MinimumReplicasAvailable',
        message: 'Deployment has minimum availability.',
      }
    : {
        type: 'Available',
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      };
  const progress = progressOf(deployment, live, numbers, fresh?.status ?? {}, created, now);
  const conditions = [
    ...before.filter(({ type }) => !ownConditions.has(type)),
    ...refusals(sets, current),
    stamped(before, availability, now, false),
    stamped(before, progress.condition, now, progress.moved),
  ];
  const status: Fields = { observedGeneration: deployment.metadata.generation };
  // Zero counts are left out on the wire.
  for (const [field, value] of Object.entries(numbers)) if (value > 0) status[field] = value;
  writeStatus(cluster, 'deployments.apps', deployment, { ...status, conditions });
  const deadline =
    Date.parse(conditionOf(conditions, 'Progressing')?.lastUpdateTime ?? '') + progressDeadlineSeconds * 1000;
  return ['ReplicaSetUpdated', 'NewReplicaSetCreated'].includes(progress.condition.reason ?? '')
    ? Math.max(1000, deadline - now + 1)
    : undefined;
}

/** What refuses the Pods of its ReplicaSets, of the current one first (pkg/controller/deployment, getReplicaFailures). */
function refusals(sets: readonly Workload[], current: Workload | undefined): readonly Condition[] {
  const isCurrent = (set: Workload): boolean => set.metadata.uid === current?.metadata.uid;
  for (const set of sets.toSorted((a, b) => Number(isCurrent(b)) - Number(isCurrent(a)))) {
    const found = conditionOf(set.status?.conditions as Condition[] | undefined, 'ReplicaFailure');
    if (found) return [{ ...found, ...(found.lastTransitionTime && { lastUpdateTime: found.lastTransitionTime }) }];
  }
  return [];
}

/** A condition with its times: the transition is when its status changed, the update when it was last said. */
function stamped(before: readonly Condition[], condition: Condition, now: number, moved: boolean): Condition {
  const old = conditionOf(before, condition.type);
  const time = timestamp(now);
  const same = old?.status === condition.status && old.reason === condition.reason && old.message === condition.message;
  return {
    ...condition,
    lastUpdateTime: same && !moved ? (old.lastUpdateTime ?? time) : time,
    lastTransitionTime: old?.status === condition.status ? (old.lastTransitionTime ?? time) : time,
  };
}

/** The Progressing condition (pkg/controller/deployment/progress.go). `moved`: there was progress just now. */
function progressOf(
  deployment: Deployment,
  live: Workload | undefined,
  numbers: Readonly<Record<string, number>>,
  oldStatus: Fields & { conditions?: Condition[] },
  created: boolean,
  now: number,
): { readonly condition: Condition; readonly moved: boolean } {
  const { replicas, progressDeadlineSeconds } = deployment.spec;
  const subject = live ? `ReplicaSet "${live.metadata.name}"` : `Deployment "${deployment.metadata.name}"`;
  const say = (status: Condition['status'], reason: string, message: string): Condition => ({
    type: 'Progressing',
    status,
    reason,
    message,
  });
  const old = conditionOf(oldStatus.conditions, 'Progressing');
  const was = (field: string): number => Number(oldStatus[field] ?? 0);
  const is = (field: string): number => numbers[field] ?? 0;
  if (created && live)
    return {
      condition: say('True', 'NewReplicaSetCreated', `Created new replica set "${live.metadata.name}"`),
      moved: true,
    };
  // Once complete it stays so until the next rollout, whatever happens to its Pods.
  if (old?.reason === 'NewReplicaSetAvailable' && is('replicas') === is('updatedReplicas'))
    return { condition: old, moved: false };
  const complete = ['updatedReplicas', 'replicas', 'availableReplicas'].every((field) => is(field) === replicas);
  if (complete)
    return {
      condition: say('True', 'NewReplicaSetAvailable', `${subject} has successfully progressed.`),
      moved: false,
    };
  const moved =
    is('updatedReplicas') > was('updatedReplicas') ||
    is('replicas') - is('updatedReplicas') < was('replicas') - was('updatedReplicas') ||
    is('readyReplicas') > was('readyReplicas') ||
    is('availableReplicas') > was('availableReplicas');
  if (moved || !old) return { condition: say('True', 'ReplicaSetUpdated', `${subject} is progressing.`), moved: true };
  const late = Date.parse(old.lastUpdateTime ?? '') + progressDeadlineSeconds * 1000 < now;
  if (late && old.reason !== 'NewReplicaSetAvailable')
    return {
      condition: say('False', 'ProgressDeadlineExceeded', `${subject} has timed out progressing.`),
      moved: false,
    };
  return { condition: old, moved: false };
}
