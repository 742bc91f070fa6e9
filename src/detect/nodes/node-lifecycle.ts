import { numberHash } from '../../model/hash.ts';
import { parseQuantity } from '../../model/quantity.ts';
import { nameOf } from '../../model/ref.ts';
import type { NodeView } from '../../world/kinds/cluster/node.ts';
import { given } from '../../world/reading/fields.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { conditionOf, startupTaint } from '../kit/conditions.ts';
import { type Detector, detector, type Judgement } from '../kit/detector.ts';
import { budgetsHolding, movablePods } from './drain.ts';
import { markRemovers } from './mark-removers.ts';
import { judgesNodes, nodeFacts } from './node-conditions.ts';

const minute = 60_000;

/** Ready turned this often within the window: it went and came back three times. A kubelet that is upgraded may start twice. */
const flapTurns = 6;
const flapWindowMs = 30 * minute;

/** When a Node turned for the sixth time within the window (epoch milliseconds); turns are remembered for an hour. */
function flappingSince(turns: readonly number[]): number | undefined {
  return turns.find((at, index) => {
    const first = turns[index - flapTurns + 1];
    return first !== undefined && at - first <= flapWindowMs;
  });
}

const nodeReadinessFlapping = detector({
  ...judgesNodes,
  id: 'N4',
  reasons: [{ reason: 'NodeReadinessFlapping', family: 'node', sure: 'high' }],
  severity: 'high',
  settle: 'conclusive',
  exemptions: ['terminating', 'leavingNode', 'youngNode'],
  source: 'core/v1 Node condition Ready, each time it turns',
  predicate: 'Ready turned from or to True six times within 30 min',
  clears: 'Ready has not turned so often for an hour',
  patience: 'no wait after it went and came back three times',
  isNot: 'one or two restarts of a kubelet or of the Node',
  judge: (node, world, now) => {
    const turns = world.turns(node.ref, 'Ready');
    const since = flappingSince(turns);
    if (since === undefined) return false;
    const lookAgainAt = now + 5 * minute;
    return { since, facts: { ...nodeFacts(node), turns: turns.length }, lookAgainAt };
  },
});

/** Since when a Node takes no new Pods (epoch milliseconds): the node lifecycle controller mirrors it in a taint. */
function cordonedSince(node: NodeView, world: ObservedWorld): number {
  const { since } = node.taints.find(({ key }) => key === 'node.kubernetes.io/unschedulable') ?? {};
  return since ?? world.since(node.ref, 'cordoned');
}

/** A drain and a cordon are looked at again this often: which Pods are left does not make anybody judge their Node. */
const drainLookMs = 5 * minute;
/** How long a Node may be cordoned before that is told (seconds). */
const [drainSeconds, cordonSeconds] = [3600, 86_400];

const nodeDraining = detector({
  ...judgesNodes,
  id: 'N7',
  reasons: [{ reason: 'NodeDraining', family: 'node', sure: 'likely' }],
  reads: ['Pod'],
  severity: 'medium',
  forSeconds: drainSeconds,
  source: 'core/v1 Node spec.unschedulable and the Pods it still has; status.disruptionsAllowed of what selects them',
  predicate:
    'a Node has been cordoned for an hour, and all Pods that are left do not end or are held by disruption budgets',
  clears: 'these Pods are gone, or the Node is uncordoned',
  patience: 'an hour: large Pods move slowly',
  isNot: 'a cordon alone; a drain that goes on; what DaemonSets and static Pods leave behind',
  judge: (node, world, now): Judgement => {
    if (!node.unschedulable) return false;
    const lookAgainAt = now + drainLookMs;
    const left = movablePods(node, world);
    const ending = left.filter(({ deletionAt }) => deletionAt !== undefined);
    const held = left.flatMap(({ ref, deletionAt }) => (deletionAt === undefined ? [budgetsHolding(ref, world)] : []));
    // A cordon alone leaves Pods that nothing holds.
    const isDraining =
      conditionOf(node, 'DrainInProgress')?.status === 'True' || held.every(({ length }) => length > 0);
    if (left.length === 0 || !isDraining) return { lookAgainAt };
    const budgets = [...new Set(held.flat())].sort();
    const [pod] = [...ending, ...left];
    return {
      since: cordonedSince(node, world),
      facts: {
        ...nodeFacts(node),
        left: left.length,
        ...given({ pod: pod && nameOf(pod.ref) }),
        budgets: budgets.length,
      },
      names: budgets.slice(0, 5),
      lookAgainAt,
    };
  },
});

const nodeCordoned = detector({
  ...judgesNodes,
  id: 'N8',
  reasons: [{ reason: 'NodeCordoned', family: 'node', sure: 'high' }],
  severity: 'low',
  forSeconds: cordonSeconds,
  source: 'core/v1 Node spec.unschedulable; timeAdded of the taint node.kubernetes.io/unschedulable',
  predicate: 'a Node has been cordoned for a day: somebody may have forgotten it',
  clears: 'it is uncordoned',
  patience: 'a day: maintenance is over by then',
  isNot: 'a Node that is drained right now',
  judge: (node, world) => node.unschedulable && { since: cordonedSince(node, world), facts: nodeFacts(node) },
});

const nodeStuckTerminating = detector({
  ...judgesNodes,
  id: 'N9',
  reasons: [{ reason: 'NodeStuckTerminating', family: 'node', sure: 'likely' }],
  severity: 'medium',
  forSeconds: 900,
  exemptions: [],
  source: 'core/v1 Node metadata.deletionTimestamp and finalizers',
  predicate: 'a Node should have been gone for 15 min',
  clears: 'it is gone',
  symptom: 'deletion',
  patience: '15 min: machines go slowly',
  isNot: 'a Node that its autoscaler removes',
  judge: ({ deletionAt, finalizers = [], ...node }) =>
    deletionAt !== undefined && {
      since: deletionAt,
      facts: { kubeletVersion: node.kubeletVersion, ...given({ finalizers: finalizers.join(', ') || undefined }) },
    },
});

const nodeUninitialized = detector({
  ...judgesNodes,
  id: 'N10',
  reasons: [{ reason: 'NodeUninitialized', family: 'node', sure: 'likely' }],
  severity: 'high',
  // As long as any Node may take to boot.
  forSeconds: 600,
  settle: 'conclusive',
  exemptions: ['terminating', 'leavingNode'],
  source:
    'core/v1 Node spec.taints: node.cloudprovider.kubernetes.io/uninitialized and the startup taints of network plug-ins, CSI drivers and provisioners',
  predicate: 'for 10 min a Node has had a taint that its cloud, network or storage takes off when it is ready for Pods',
  clears: 'the taint is gone',
  patience: '10 min: Nodes boot, pull and register',
  isNot: 'a Node that has just joined',
  judge: (node, world, now) => {
    const taint = startupTaint(node);
    if (!taint) return false;
    return {
      since: taint.since ?? node.createdAt,
      facts: { ...nodeFacts(node), taint: taint.key },
      names: markRemovers(node, world, now),
    };
  },
});

/** Nodes are counted again this often, a few at a time: no Pod makes anybody judge its Node. */
const countMs = 5 * minute;
/** One every 5 s: of 5,000 Nodes 500 at once would be the longest turn. */
const countGroups = 60;

/** When to count the Pods of a Node again. */
function nextCount(node: NodeView, now: number): number {
  const offset = (numberHash(node.ref) % countGroups) * (countMs / countGroups);
  return Math.floor((now - offset) / countMs) * countMs + offset + countMs;
}

/** From this share on a Node is full. */
const fullShare = 0.95;

/** The Pods of a Node that have not ended, counted no further than is needed. */
function podsOn(node: NodeView, world: ObservedWorld): number {
  let count = 0;
  for (const ref of world.linked(node.ref, 'runs-on', 'in')) {
    const pod = world.get(ref);
    if (typeof pod === 'object' && pod.kind === 'Pod' && pod.phase !== 'Succeeded' && pod.phase !== 'Failed')
      count += 1;
  }
  return count;
}

const tooManyPods = detector({
  ...judgesNodes,
  id: 'N19',
  reasons: [{ reason: 'TooManyPods', family: 'node', sure: 'high' }],
  reads: ['Pod'],
  severity: 'low',
  forSeconds: 900,
  exemptions: ['terminating', 'leavingNode', 'youngNode'],
  source: 'core/v1 Node status.allocatable.pods; its Pods that have not ended',
  predicate: 'for 15 min a Node has had 95 % or more of the Pods that it may have',
  clears: 'it has fewer than 95 % of them, held for 10 min',
  patience: '15 min: Jobs come and go',
  isNot: 'Pods that have ended',
  judge: (node, world, now) => {
    const most = parseQuantity(node.allocatable?.pods ?? '');
    if (most === undefined || most <= 0) return false;
    const lookAgainAt = nextCount(node, now);
    let refs = 0;
    for (const _ of world.linked(node.ref, 'runs-on', 'in')) refs += 1;
    if (refs < most * fullShare) return { lookAgainAt };
    const pods = podsOn(node, world);
    if (pods < most * fullShare) return { lookAgainAt };
    return {
      since: 'observed',
      facts: { ...nodeFacts(node), pods, mostPods: most },
      clearHoldMs: 10 * minute,
      lookAgainAt,
    };
  },
});

/** Nodes by where they are in their life: starting, full, cordoned, drained, going. */
export const nodeLifecycleDetectors: readonly Detector[] = [
  nodeReadinessFlapping,
  nodeUninitialized,
  nodeDraining,
  nodeStuckTerminating,
  tooManyPods,
  nodeCordoned,
];
