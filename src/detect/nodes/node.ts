import type { NodeView } from '../../world/kinds/cluster/node.ts';
import type { Condition } from '../../world/reading/meta.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { badNodeConditions, conditionOf } from '../kit/conditions.ts';
import { type Detector, detector, type Problem } from '../kit/detector.ts';
import { judgesNodes, nodeConditionDetectors, nodeFacts } from './node-conditions.ts';
import { nodeEventDetectors } from './node-events.ts';
import { groupsOf } from './node-group.ts';
import { nodeLifecycleDetectors } from './node-lifecycle.ts';

/** Whether it is of the control plane, and no other Node of that is ready. */
function isLastOfControlPlane(node: NodeView, world: ObservedWorld): boolean {
  if (!node.controlPlane) return false;
  for (const other of world.all('Node')) {
    if (other.kind !== 'Node' || !other.controlPlane || other.ref === node.ref) continue;
    if (conditionOf(other, 'Ready')?.status === 'True') return false;
  }
  return true;
}

/** A lost Node, with its zone and pool, which may be lost as a whole. */
function lost(node: NodeView, ready: Condition, world: ObservedWorld): Problem {
  return {
    since: ready.since,
    detail: ready.message,
    facts: nodeFacts(node, ready),
    names: groupsOf(node),
    clearHoldMs: 3 * 60_000,
    ...(isLastOfControlPlane(node, world) && { severity: 'critical' }),
  };
}

const nodeNotReady = detector({
  ...judgesNodes,
  id: 'N1',
  reasons: [{ reason: 'NodeNotReady', family: 'node', sure: 'high' }],
  severity: 'high',
  // Restarts of a kubelet are over sooner; what makes it critical must be told within 45 s.
  forSeconds: 30,
  exemptions: ['terminating', 'leavingNode', 'youngNode'],
  source: 'core/v1 Node condition Ready=False',
  predicate: 'the kubelet says for 30 s that its Node is not ready',
  clears: 'Ready is True, held for 3 min',
  patience: '30 s: a kubelet that restarts is back sooner',
  isNot: 'a Node in its first 10 minutes; one that is cordoned or drained',
  judge: (node, world) => {
    const ready = conditionOf(node, 'Ready');
    if (ready?.status !== 'False') return false;
    return lost(node, ready, world);
  },
});

const nodeUnreachable = detector({
  ...judgesNodes,
  id: 'N2',
  reasons: [{ reason: 'NodeUnreachable', family: 'node', sure: 'high' }],
  severity: 'high',
  // The control plane has waited for 40 s and more already before it says Unknown.
  forSeconds: 20,
  exemptions: ['terminating', 'leavingNode'],
  source: 'core/v1 Node condition Ready=Unknown, reason NodeStatusUnknown',
  predicate: 'nothing has been heard of a Node for its grace period and 20 s',
  clears: 'Ready is True, held for 3 min',
  patience: '20 s after the control plane has waited for its own grace period (40 to 50 s)',
  isNot: 'a Node that is being removed; a kubelet that restarts',
  judge: (node, world) => {
    const ready = conditionOf(node, 'Ready');
    if (ready?.status !== 'Unknown') return false;
    return lost(node, ready, world);
  },
});

const pressures = badNodeConditions.map(({ type, reason }) =>
  detector({
    judges: 'Node',
    id: 'N5',
    reasons: [{ reason, family: 'node', sure: 'high' }],
    severity: 'high',
    forSeconds: 60,
    exemptions: ['terminating', 'leavingNode'],
    source: `core/v1 Node condition ${type}=True`,
    predicate: `the condition ${type} holds for 60 s`,
    clears: 'it is False, held for 5 min',
    symptom: 'node',
    patience: '60 s: the kubelet makes room by itself first',
    isNot: 'a condition that turned for a moment; a Node that nothing is heard of; conditions of other makers',
    judge: (node) => {
      const condition = conditionOf(node, type);
      if (condition?.status !== 'True' || conditionOf(node, 'Ready')?.status === 'Unknown') return false;
      return {
        scope: type,
        since: condition.since,
        detail: condition.message,
        facts: nodeFacts(node, condition),
        clearHoldMs: 5 * 60_000,
      };
    },
  }),
);

const networkUnavailable = detector({
  ...judgesNodes,
  id: 'N6',
  reasons: [{ reason: 'NetworkUnavailable', family: 'node', sure: 'high' }],
  severity: 'high',
  forSeconds: 60,
  exemptions: ['terminating', 'leavingNode', 'youngNode', 'startingNode'],
  source: 'core/v1 Node condition NetworkUnavailable=True',
  predicate: 'the network of a Node is not set up for 60 s',
  clears: 'the condition is False',
  patience: '60 s: the network is set up after the Node has registered',
  isNot: 'a Node in its first 10 minutes',
  judge: (node) => {
    const condition = conditionOf(node, 'NetworkUnavailable');
    if (condition?.status !== 'True') return false;
    return {
      scope: 'NetworkUnavailable',
      since: condition.since,
      detail: condition.message,
      facts: nodeFacts(node, condition),
    };
  },
});

/** Nodes; what tells most first. */
export const nodeDetectors: readonly Detector[] = [
  nodeUnreachable,
  nodeNotReady,
  networkUnavailable,
  ...pressures,
  ...nodeConditionDetectors,
  ...nodeEventDetectors,
  ...nodeLifecycleDetectors,
];
