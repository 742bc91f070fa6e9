import { shortHash } from '../../model/hash.ts';
import { type Cluster, objectOf, objectsOf } from '../cluster.ts';
import { type Fields, type KubeObject, timestamp } from '../object.ts';
import type { Condition, Deployment, Workload } from '../shapes.ts';
import { type Controller, ownedBy, splitKey } from './controller.ts';
import { recordEvent } from './events.ts';
import { changeObject, conditionOf, controllerReference, isControlledBy, podsOf, writeStatus } from './pods.ts';

const revisionAnnotation = 'deployment.kubernetes.io/revision';
const component = 'deployment-controller';

/** `25%` of the replicas, rounded as asked, or the number itself. */
function portion(value: number | string | undefined, replicas: number, round: (x: number) => number): number {
  if (typeof value === 'number') return value;
  return round((Number.parseInt(value ?? '25%', 10) * replicas) / 100);
}

/** How far a rollout may go over and under the wanted number. Both zero would never move: one may be missing then. */
function bounds(deployment: Deployment): { readonly surge: number; readonly unavailable: number } {
  const { replicas, strategy } = deployment.spec;
  if (strategy.type === 'Recreate') return { surge: 0, unavailable: replicas };
  const surge = portion(strategy.rollingUpdate?.maxSurge, replicas, Math.ceil);
  const unavailable = portion(strategy.rollingUpdate?.maxUnavailable, replicas, Math.floor);
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

const revisionOf = (object: KubeObject): number => Number(object.metadata.annotations?.[revisionAnnotation] ?? 0);
const count = (workload: Workload, field: string): number => Number(workload.status?.[field] ?? 0);
const sum = (sets: readonly Workload[], of: (set: Workload) => number): number =>
  sets.reduce((all, set) => all + of(set), 0);

/** Deployment → ReplicaSets: revisions, rolling updates, Progressing and Available (pkg/controller/deployment). */
export function deploymentController(cluster: Cluster): Controller {
  return {
    name: 'deployment',
    concerns: ownedBy('deployments.apps', 'Deployment', 'replicasets.apps'),
    reconcile(key) {
      const deployment = objectOf<Deployment>(cluster, 'deployments.apps', ...splitKey(key));
      if (!deployment || deployment.metadata.deletionTimestamp) return undefined;
      const own = (): Workload[] =>
        objectsOf<Workload>(cluster, 'replicasets.apps', deployment.metadata.namespace).filter((set) =>
          isControlledBy(set, deployment),
        );
      const { current, created } = currentSet(cluster, deployment, own());
      if (current) roll(cluster, deployment, current, own());
      const sets = own();
      const again = reportStatus(cluster, deployment, current, sets, created);
      if (current) forgetOldSets(cluster, deployment, current, sets);
      return again;
    },
  };
}

/** The ReplicaSet of the present template, made or promoted when it is not the newest yet. */
function currentSet(
  cluster: Cluster,
  deployment: Deployment,
  sets: readonly Workload[],
): { readonly current: Workload | undefined; readonly created: boolean } {
  const hash = templateHash(deployment);
  const found = sets.find((set) => set.metadata.labels?.['pod-template-hash'] === hash);
  const newest = Math.max(0, ...sets.filter((set) => set !== found).map(revisionOf));
  const { replicas } = deployment.spec;
  if (found) {
    const revision = Math.max(revisionOf(found), newest + 1);
    annotate(cluster, deployment, { [revisionAnnotation]: String(revision) });
    return { current: annotate(cluster, found, setAnnotations(deployment, revision)), created: false };
  }
  if (deployment.spec.paused) return { current: undefined, created: false };
  const { template, selector, minReadySeconds } = deployment.spec;
  const labels = { ...template.metadata?.labels, 'pod-template-hash': hash };
  const name = `${deployment.metadata.name}-${hash}`;
  const body = {
    metadata: {
      name,
      labels,
      annotations: setAnnotations(deployment, newest + 1),
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      replicas: 0,
      ...(minReadySeconds ? { minReadySeconds } : {}),
      selector: { ...selector, matchLabels: { ...selector.matchLabels, 'pod-template-hash': hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  };
  const resource = cluster.resource('replicasets.apps');
  const manager = 'kube-controller-manager';
  const set = cluster.writer.create(resource, deployment.metadata.namespace, body, { manager }) as Workload;
  annotate(cluster, deployment, { [revisionAnnotation]: String(newest + 1) });
  const initial = Math.min(replicas, replicas + bounds(deployment).surge - sum(sets, (s) => s.spec.replicas));
  const recreating = deployment.spec.strategy.type === 'Recreate' && sum(sets, (s) => count(s, 'replicas')) > 0;
  if (!recreating && initial > 0) scale(cluster, deployment, set, initial);
  return { current: set, created: true };
}

/** Ten letters that are the same for the same template; made of the letters generated names use. */
function templateHash(deployment: Deployment): string {
  const hex = shortHash([JSON.stringify(deployment.spec.template)], 10);
  return hex.replace(/[0-9a-f]/g, (digit) => 'bcdfghjklmnpqrst'[Number.parseInt(digit, 16)] ?? digit);
}

function setAnnotations(deployment: Deployment, revision: number): Readonly<Record<string, string>> {
  const { replicas } = deployment.spec;
  return {
    'deployment.kubernetes.io/desired-replicas': String(replicas),
    'deployment.kubernetes.io/max-replicas': String(replicas + bounds(deployment).surge),
    [revisionAnnotation]: String(revision),
  };
}

function annotate<T extends KubeObject>(cluster: Cluster, object: T, annotations: Readonly<Record<string, string>>): T {
  return changeObject(cluster, object, (live) => ({
    ...live,
    metadata: { ...live.metadata, annotations: { ...live.metadata.annotations, ...annotations } },
  })) as T;
}

function scale(cluster: Cluster, deployment: Deployment, set: Workload, replicas: number): void {
  const before =
    objectOf<Workload>(cluster, 'replicasets.apps', set.metadata.namespace, set.metadata.name)?.spec.replicas ?? 0;
  if (before === replicas) return;
  changeObject(cluster, set, (live) => ({ ...live, spec: { ...(live as Workload).spec, replicas } }));
  const text = `Scaled ${replicas > before ? 'up' : 'down'} replica set ${set.metadata.name} from ${before} to ${replicas}`;
  recordEvent(cluster, deployment, component, 'Normal', 'ScalingReplicaSet', text);
}

/** One step of the rollout: the new set up as far as the surge allows, the old ones down as far as availability allows. */
function roll(cluster: Cluster, deployment: Deployment, current: Workload, all: readonly Workload[]): void {
  const { replicas, strategy } = deployment.spec;
  const { surge, unavailable } = bounds(deployment);
  const live = all.find((set) => set.metadata.uid === current.metadata.uid) ?? current;
  const old = all.filter((set) => set !== live && set.spec.replicas > 0);
  if (strategy.type === 'Recreate') {
    for (const set of old) scale(cluster, deployment, set, 0);
    const left = all.filter((set) => set !== live).flatMap((set) => podsOf(cluster, set));
    if (left.length === 0) scale(cluster, deployment, live, replicas);
    return;
  }
  const total = sum(all, (set) => set.spec.replicas);
  const room = replicas + surge - total;
  const wanted =
    live.spec.replicas > replicas
      ? replicas
      : live.spec.replicas + Math.max(0, Math.min(room, replicas - live.spec.replicas));
  scale(cluster, deployment, live, wanted);
  if (old.length === 0) return;
  const minAvailable = replicas - unavailable;
  const newUnavailable = wanted - Math.min(wanted, count(live, 'availableReplicas'));
  let down = sum(old, (set) => set.spec.replicas) + wanted - minAvailable - newUnavailable;
  // Replicas that do not work go first: they cost no availability.
  const left = new Map(old.map((set) => [set, set.spec.replicas]));
  for (const set of old) {
    const broken = Math.max(0, Math.min(down, set.spec.replicas - count(set, 'availableReplicas')));
    left.set(set, set.spec.replicas - broken);
    down -= broken;
  }
  let spare = Math.min(down, sum(all, (set) => count(set, 'availableReplicas')) - minAvailable);
  for (const set of old.sort((a, b) => revisionOf(a) - revisionOf(b))) {
    const now = left.get(set) ?? 0;
    const less = Math.max(0, Math.min(spare, now));
    spare -= less;
    scale(cluster, deployment, set, now - less);
  }
}

/** Writes status; returns milliseconds until the progress deadline when one is running. */
function reportStatus(
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
  const total = sum(sets, (set) => count(set, 'replicas'));
  const available = sum(sets, (set) => count(set, 'availableReplicas'));
  const numbers = {
    replicas: total,
    updatedReplicas: live ? count(live, 'replicas') : 0,
    readyReplicas: sum(sets, (set) => count(set, 'readyReplicas')),
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
  const enough = available >= replicas - bounds(deployment).unavailable;
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
    ...before.filter(({ type }) => type !== 'Available' && type !== 'Progressing'),
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

/** Old sets without Pods beyond the history limit go, oldest first. */
function forgetOldSets(cluster: Cluster, deployment: Deployment, current: Workload, sets: readonly Workload[]): void {
  const empty = sets
    .filter(
      (set) => set.metadata.uid !== current.metadata.uid && set.spec.replicas === 0 && count(set, 'replicas') === 0,
    )
    .sort((a, b) => revisionOf(a) - revisionOf(b));
  const { revisionHistoryLimit } = deployment.spec;
  const resource = cluster.resource('replicasets.apps');
  for (const set of empty.slice(0, Math.max(0, empty.length - revisionHistoryLimit)))
    cluster.writer.remove({ resource, namespace: set.metadata.namespace, name: set.metadata.name });
}
