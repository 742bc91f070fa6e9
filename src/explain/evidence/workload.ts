import type { Finding } from '../../model/finding.ts';
import { kindOf, type Ref } from '../../model/ref.ts';
import { type Projection, watchedKind } from '../../world/kinds/kinds.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import type { WorkloadView } from '../../world/kinds/workloads/workload.ts';
import { isReady, readySince } from '../../world/pods/readiness.ts';
import { maxOwnerDepth } from '../../world/reading/bounds.ts';
import { fanOut, podsCounted, podsOfWorkload } from '../../world/view/bounds.ts';
import type { World } from '../../world/view/world.ts';

/** Kinds that workloads depend on, what more depends on first: they are never a workload that is hit. */
export const usedKinds: readonly string[] = [
  ...[
    'Node',
    'Registry',
    'ExternalEndpoint',
    'Secret',
    'ValidatingWebhookConfiguration',
    'MutatingWebhookConfiguration',
    'ConfigMap',
  ],
  ...['ResourceQuota', 'LimitRange'],
  ...['ServiceAccount', 'PriorityClass', 'RuntimeClass', 'CSIDriver', 'StorageClass', 'PersistentVolumeClaim'],
  ...['ClusterRole', 'Role', 'ClusterRoleBinding', 'RoleBinding', 'ResourceClaim', 'NetworkPolicy', 'Sentence'],
];

/** Kinds that run something. Of kinds that are not watched only those are met that own Pods. */
const workloadKinds: ReadonlySet<string> = new Set<Projection['kind']>([
  ...(['Pod', 'Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob'] as const),
]);

/** Whether objects of a kind run something, and can be hit: what others use or are reached by is not. */
export function isWorkload(kind: string): boolean {
  return workloadKinds.has(kind) || !(watchedKind(kind) || usedKinds.includes(kind));
}
const used: ReadonlySet<string> = new Set(usedKinds);

/**
 * The object people know a Pod by: its topmost owner. A static Pod belongs to its Node by reference, but a crash in it is
 * no fault of the Node, so it stands for itself.
 */
export function workloadOf(world: World, ref: Ref): Ref {
  // A claim that belongs to a StatefulSet or Pod is what these depend on.
  if (used.has(kindOf(ref))) return ref;
  const top = world.topOwner(ref);
  return kindOf(top) === 'Node' ? ref : top;
}

/** The workloads whose Pods mount the claims that findings are of. */
export function mounting(world: World, findings: readonly Finding[]): readonly Ref[] {
  const workloads = new Set<Ref>();
  const claims = findings.filter(({ subject }) => kindOf(subject.ref) === 'PersistentVolumeClaim').slice(0, fanOut);
  for (const { subject } of claims)
    for (const pod of world.linked(subject.ref, 'mounts', 'in', fanOut)) workloads.add(workloadOf(world, pod));
  return [...workloads].sort();
}

/** The owners of an object by controller reference, nearest first. */
export function ownersOf(world: World, ref: Ref): Ref[] {
  const owners: Ref[] = [];
  let at = ref;
  for (let depth = 0; depth < maxOwnerDepth; depth += 1) {
    const [owner] = world.linked(at, 'owned-by', 'out', 1);
    if (owner === undefined || owners.includes(owner)) break;
    owners.push(owner);
    at = owner;
  }
  return owners;
}

/** The Pods of a workload, its ReplicaSets' or Jobs' included, at most `limit`; in the order of the world's index. */
export function podsOf(world: World, workload: Ref, limit: number): PodView[] {
  const pods: PodView[] = [];
  // The API takes owners that own each other from whoever makes them: each is asked once.
  const asked = new Set([workload]);
  for (const at of asked) {
    if (pods.length >= limit) break;
    const view = world.get(at);
    if (typeof view === 'object' && view.kind === 'Pod') pods.push(view);
    else for (const child of world.linked(at, 'owned-by', 'in', limit)) asked.add(child);
  }
  return pods;
}

/**
 * The Pod of a finding, or those of its workload that do not serve; where all do, those that serve again since it began: a workload's own status
 * follows theirs a moment later.
 */
export function unreadyOf(
  { subject: { ref }, since }: Pick<Finding, 'subject' | 'since'>,
  world: World,
): readonly PodView[] {
  const own = podView(world, ref);
  if (own) return [own];
  const pods = podsOf(world, ref, podsOfWorkload).filter(({ deletionAt }) => deletionAt === undefined);
  const unready = pods.filter((pod) => !isReady(pod));
  return unready.length > 0 ? unready : pods.filter((pod) => readySince(pod) > since);
}

/** The Pod's view, if it is one and is seen. */
export function podView(world: World, ref: Ref): PodView | undefined {
  const view = world.get(ref);
  return typeof view === 'object' && view.kind === 'Pod' ? view : undefined;
}

/** The workload's view, if it is one of the four long-running kinds and is seen. */
export function workloadView(world: World, ref: Ref): WorkloadView | undefined {
  // A Pod's view would be made for nothing.
  if (kindOf(ref) === 'Pod') return undefined;
  const view = world.get(ref);
  return typeof view === 'object' && 'replicas' in view ? view : undefined;
}

/** The newest revision among the ReplicaSets of a Deployment. */
function newestRevision(world: World, deployment: Ref): number {
  let newest = 0;
  for (const child of world.linked(deployment, 'owned-by', 'in'))
    newest = Math.max(newest, Number(workloadView(world, child)?.revision ?? 0) || 0);
  return newest;
}

/** The generation of the DaemonSet's template that a Pod was made from (apps/v1 `DaemonSetTemplateGenerationKey`). */
const generationOf = ({ labels }: PodView): number => Number(labels['pod-template-generation'] ?? 0) || 0;

/** Once some Pod is of the newest template, that is the highest generation among its Pods. */
function isNewest(world: World, { ref, updated }: WorkloadView, pod: PodView): boolean {
  const siblings = podsOf(world, ref, podsCounted);
  return updated > 0 && generationOf(pod) > 0 && siblings.every((other) => generationOf(other) <= generationOf(pod));
}

/**
 * Whether a Pod was made from the newest template of its workload: by the revision annotation of its ReplicaSet, by its
 * label `controller-revision-hash` for a StatefulSet, by the generation of the template for a DaemonSet. False when that
 * cannot be told.
 */
export function isNewRevision(world: World, pod: PodView): boolean {
  const owner = pod.owner === undefined ? undefined : workloadView(world, pod.owner);
  if (owner?.kind === 'DaemonSet') return isNewest(world, owner, pod);
  if (owner === undefined || owner.revision === undefined) return false;
  if (owner.kind === 'ReplicaSet')
    return owner.owner !== undefined && Number(owner.revision) === newestRevision(world, owner.owner);
  return pod.labels['controller-revision-hash'] === owner.revision;
}
