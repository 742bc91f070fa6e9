import { type Cluster, objectOf } from '../cluster.ts';
import type { KubeObject } from '../object.ts';
import type { Deployment, Workload } from '../shapes.ts';
import { recordEvent } from './events.ts';
import { changeObject, podsOf } from './pods.ts';

/** The annotation that numbers the revisions of a Deployment. */
export const revisionAnnotation = 'deployment.kubernetes.io/revision';

/** `25%` of the replicas, rounded as asked, or the number itself. */
export function portion(value: number | string | undefined, replicas: number, round: (x: number) => number): number {
  if (typeof value === 'number') return value;
  return round((Number.parseInt(value ?? '25%', 10) * replicas) / 100);
}

/** How far a rollout may go over and under the wanted number. Both zero would never move: one may be missing then. */
export function bounds(deployment: Deployment): { readonly surge: number; readonly unavailable: number } {
  const { replicas, strategy } = deployment.spec;
  if (strategy.type === 'Recreate') return { surge: 0, unavailable: replicas };
  const surge = portion(strategy.rollingUpdate?.maxSurge, replicas, Math.ceil);
  const unavailable = portion(strategy.rollingUpdate?.maxUnavailable, replicas, Math.floor);
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

/** The revision of a Deployment or ReplicaSet; 0 before it has one. */
export const revisionOf = (object: KubeObject): number =>
  Number(object.metadata.annotations?.[revisionAnnotation] ?? 0);
/** A count of a workload's status; 0 where the API leaves it out. */
export const countOf = (workload: Workload, field: string): number => Number(workload.status?.[field] ?? 0);
/** A sum over ReplicaSets. */
export const sum = (sets: readonly Workload[], of: (set: Workload) => number): number =>
  sets.reduce((all, set) => all + of(set), 0);

/** Sets the size of a ReplicaSet and writes the Deployment's event. */
export function scale(cluster: Cluster, deployment: Deployment, set: Workload, replicas: number): void {
  const before =
    objectOf<Workload>(cluster, 'replicasets.apps', set.metadata.namespace, set.metadata.name)?.spec.replicas ?? 0;
  if (before === replicas) return;
  changeObject(cluster, set, (live) => ({ ...live, spec: { ...(live as Workload).spec, replicas } }));
  const text = `Scaled ${replicas > before ? 'up' : 'down'} replica set ${set.metadata.name} from ${before} to ${replicas}`;
  recordEvent(cluster, deployment, 'deployment-controller', 'Normal', 'ScalingReplicaSet', text);
}

/** One step of the rollout: the new set up as far as the surge allows, the old ones down as far as availability allows. */
export function roll(cluster: Cluster, deployment: Deployment, current: Workload, all: readonly Workload[]): void {
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
  const newUnavailable = wanted - Math.min(wanted, countOf(live, 'availableReplicas'));
  let down = sum(old, (set) => set.spec.replicas) + wanted - minAvailable - newUnavailable;
  // Replicas that do not work go first: they cost no availability.
  const left = new Map(old.map((set) => [set, set.spec.replicas]));
  for (const set of old) {
    const broken = Math.max(0, Math.min(down, set.spec.replicas - countOf(set, 'availableReplicas')));
    left.set(set, set.spec.replicas - broken);
    down -= broken;
  }
  let spare = Math.min(down, sum(all, (set) => countOf(set, 'availableReplicas')) - minAvailable);
  for (const set of old.sort((a, b) => revisionOf(a) - revisionOf(b))) {
    const now = left.get(set) ?? 0;
    const less = Math.max(0, Math.min(spare, now));
    spare -= less;
    scale(cluster, deployment, set, now - less);
  }
}
