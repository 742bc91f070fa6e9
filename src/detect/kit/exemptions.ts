import { kindOf, namespaceOf, refOf } from '../../model/ref.ts';
import type { NodeView } from '../../world/kinds/cluster/node.ts';
import { type Projection, watchedKind } from '../../world/kinds/kinds.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import { maxOwnerDepth } from '../../world/reading/bounds.ts';
import type { LinkType } from '../../world/reading/link-type.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { conditionOf, leavingConditions, leavingTaints, startupTaint } from './conditions.ts';
import { isWakingUp, youngUntil } from './fleet.ts';
import { rolloutUntil } from './rolling-out.ts';
import { beganAt, jobsOf, lastEnded } from './runs-of-jobs.ts';

/** Why an object may be exempt from judgement: rows X1 to X19 of the catalogue, by name. */
export type ExemptionName =
  | 'terminating'
  | 'completed'
  | 'disrupted'
  | 'rollout'
  | 'job'
  | 'oldRevision'
  | 'leavingNode'
  | 'youngNode'
  | 'startingNode'
  | 'scaledToZero'
  | 'targetAtZero'
  | 'paused'
  | 'staleNode'
  | 'unseenRun'
  | 'unseen'
  | 'unseenOnNodes'
  | 'wakeUp'
  | 'unseenStats'
  | 'unobserved';

/**
 * `false`: judge. `true`: there is nothing to judge. `keep`: what is seen is stale, so what was found stands, and nothing
 * new is found. A time (epoch milliseconds): nothing to judge until then.
 */
export type ExemptionAnswer = boolean | 'keep' | number;

/** Why an object is not judged now. */
export type Exemption = {
  /** The row of the catalogue. */
  readonly id: string;
  /** For the page of detectors: when it holds back. */
  readonly says: string;
  readonly answer: (object: Projection, world: ObservedWorld, now: number) => ExemptionAnswer;
};

/** The Node of a name, when it is seen. */
export function nodeNamed(world: ObservedWorld, name: string | undefined): NodeView | 'absent' | undefined {
  if (name === undefined) return undefined;
  const node = world.get(refOf('Node', '', name));
  if (node === 'absent') return node;
  return node !== 'unknown' && node.kind === 'Node' ? node : undefined;
}

/** Cordoned, drained, or about to be removed. */
export function isLeaving(node: NodeView): boolean {
  return (
    node.unschedulable ||
    node.deletionAt !== undefined ||
    node.taints.some(({ key }) => leavingTaints.has(key)) ||
    leavingConditions.some((type) => conditionOf(node, type)?.status === 'True')
  );
}

/** X6: a ReplicaSet of the same owner has a later revision and wants Pods. */
function oldRevision(pod: PodView, world: ObservedWorld): boolean {
  const own = pod.owner === undefined ? 'absent' : world.get(pod.owner);
  if (typeof own !== 'object' || own.kind !== 'ReplicaSet' || own.owner === undefined) return false;
  return Iterator.from(world.linked(own.owner, 'owned-by', 'in')).some((ref) => {
    const sibling = world.get(ref);
    if (typeof sibling !== 'object' || sibling.kind !== 'ReplicaSet') return false;
    return Number(sibling.revision) > Number(own.revision) && sibling.replicas > 0;
  });
}

/**
 * Whether an owner of it has gone, so that the garbage collector will delete it too. What is to stay (`--cascade=orphan`) loses
 * its reference before its owner goes.
 */
function isLeftBehind(object: Projection, world: ObservedWorld): boolean {
  let { owner } = object;
  for (let depth = 0; owner !== undefined && depth < maxOwnerDepth; depth += 1) {
    const view = world.get(owner);
    // Of some kinds only a part is watched: that one is not seen does not say that it is not there.
    if (view === 'absent') return watchedKind(kindOf(owner))?.fieldSelector === undefined;
    owner = view === 'unknown' ? undefined : view.owner;
  }
  return false;
}

/** Whether a namespace is being deleted, with all that is in it; `''`: there is none. */
export function namespaceGoes(name: string, world: ObservedWorld): boolean {
  const namespace = name === '' ? 'absent' : world.get(refOf('Namespace', '', name));
  return typeof namespace === 'object' && namespace.deletionAt !== undefined;
}

/** Links of a claim to what it is judged by. */
const storageLinks: readonly LinkType[] = ['binds', 'of-class'];
/** What tells of volumes on Nodes. */
const onNodes = ['VolumeAttachment', 'CSINode'];

/** Every exemption by its name. */
export const exemptions: Readonly<Record<ExemptionName, Exemption>> = {
  terminating: {
    id: 'X1',
    says: 'it is being deleted, its namespace is, or it goes because what owned it has gone',
    answer: (object, world) =>
      object.deletionAt !== undefined || isLeftBehind(object, world) || namespaceGoes(namespaceOf(object.ref), world),
  },
  completed: {
    id: 'X2',
    says: 'it has done its work',
    answer: (object) =>
      object.kind === 'Pod' &&
      (object.phase === 'Succeeded' || conditionOf(object, 'Ready')?.reason === 'PodCompleted'),
  },
  disrupted: {
    id: 'X3',
    says: 'it was evicted, preempted or otherwise disrupted from outside',
    answer: (object) => conditionOf(object, 'DisruptionTarget')?.status === 'True',
  },
  rollout: {
    id: 'X4',
    says: 'its workload is rolling out or scaling up, for at most 30 minutes',
    answer: rolloutUntil,
  },
  job: {
    id: 'X5',
    says: 'a Job owns it: judged at the Job',
    answer: (object) => object.owner !== undefined && kindOf(object.owner) === 'Job',
  },
  oldRevision: {
    id: 'X6',
    says: 'it belongs to a revision that is being replaced',
    answer: (object, world) => object.kind === 'Pod' && oldRevision(object, world),
  },
  leavingNode: {
    id: 'X7',
    says: 'its Node is cordoned, drained or about to be removed',
    answer: (object, world) => {
      if (object.kind === 'Node') return isLeaving(object);
      const node = object.kind === 'Pod' ? nodeNamed(world, object.node) : undefined;
      return node === 'absent' || (node !== undefined && isLeaving(node));
    },
  },
  youngNode: {
    id: 'X8',
    says: 'the Node is younger than 10 minutes',
    answer: (object, _, now) => object.kind === 'Node' && youngUntil(object) > now && youngUntil(object),
  },
  startingNode: {
    id: 'X8',
    says: 'the Node still has a taint of its start',
    answer: (object) => object.kind === 'Node' && startupTaint(object) !== undefined,
  },
  scaledToZero: {
    id: 'X10',
    says: 'no replicas are wanted',
    answer: (object) => 'replicas' in object && object.replicas === 0,
  },
  targetAtZero: {
    id: 'X10',
    says: 'what it scales is scaled to zero',
    answer: (object, world) => {
      const target = 'target' in object ? world.get(object.target) : 'unknown';
      return typeof target === 'object' && 'replicas' in target && target.replicas === 0;
    },
  },
  paused: {
    id: 'X11',
    says: 'it is paused or suspended on purpose',
    answer: (object) => ('paused' in object && object.paused) || ('suspended' in object && object.suspended),
  },
  staleNode: {
    id: 'X16',
    says: 'nothing is heard of its Node, so that its status is stale: what was found stands',
    answer: (object, world) => {
      const node = object.kind === 'Pod' ? nodeNamed(world, object.node) : undefined;
      if (node === undefined || node === 'absent') return false;
      return conditionOf(node, 'Ready')?.status === 'Unknown' ? 'keep' : false;
    },
  },
  unseenRun: {
    id: 'X19',
    says: 'none of its runs has succeeded since, and the Job that failed has gone or cannot be seen: what was found stands',
    answer: (object, world) => {
      const begun = object.kind === 'CronJob' ? world.runsSinceSuccess(object.ref) : undefined;
      const last = begun && lastEnded(jobsOf(object.ref, world));
      return begun !== undefined && (last === undefined || beganAt(last) < begun.first) && 'keep';
    },
  },
  unseen: {
    id: 'X16',
    says: 'its class or its volume cannot be seen: what was found stands',
    answer: ({ ref }, world) =>
      storageLinks.some((type) =>
        Iterator.from(world.linked(ref, type, 'out')).some((to) => world.get(to) === 'unknown'),
      )
        ? 'keep'
        : false,
  },
  unseenOnNodes: {
    id: 'X16',
    says: 'attachments or the drivers of Nodes cannot be seen: what was found stands',
    answer: (_, world) => (onNodes.some((kind) => world.get(refOf(kind, '', '')) === 'unknown') ? 'keep' : false),
  },
  wakeUp: {
    id: 'X18',
    says: 'it is on one of many Nodes that came at the same time (3 or 2 % of all, whichever is more), for 10 minutes',
    answer: (object, world, now) => {
      const node = object.kind === 'Pod' ? nodeNamed(world, object.node) : undefined;
      if (typeof node !== 'object' || youngUntil(node) <= now || !isWakingUp(world, now)) return false;
      return youngUntil(node);
    },
  },
  unseenStats: {
    id: 'X16',
    says: 'kubelets may not be asked: what was found stands',
    answer: (_, world) => (world.get(refOf('NodeStats', '', '')) === 'unknown' ? 'keep' : false),
  },
  unobserved: {
    id: 'X16',
    says: 'its status is of an older spec: what was found stands',
    answer: (object) =>
      object.kind === 'CustomResource' && (object.observedGeneration ?? object.generation) < object.generation
        ? 'keep'
        : false,
  },
};
