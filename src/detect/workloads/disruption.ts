import { kindOf, nameOf, type Ref } from '../../model/ref.ts';
import type { NodeView } from '../../world/kinds/cluster/node.ts';
import type { PodDisruptionBudgetView } from '../../world/kinds/workloads/disruption-budget.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { conditionOf } from '../kit/conditions.ts';
import { type Detector, detector, type Problem } from '../kit/detector.ts';
import { isLeaving, nodeNamed } from '../kit/exemptions.ts';
import { budgetsHolding, movablePods } from '../nodes/drain.ts';

const declared = {
  symptom: 'scaling',
  judges: 'PodDisruptionBudget',
} as const;

/** How often a budget looks for what nothing tells it: a Node with its Pods that is being drained, another budget of them (ms). */
const lookAgainMs = 30_000;
/** Pods of a budget whose Nodes are looked at. */
const podSample = 200;

/** A status of another generation than the spec says nothing of it. */
const isCurrent = ({ generation, observedGeneration }: PodDisruptionBudgetView): boolean =>
  observedGeneration >= generation;

/** What the budget asks for, as people wrote it. */
const rule = ({ minAvailable, maxUnavailable }: PodDisruptionBudgetView): string =>
  maxUnavailable === undefined ? `minAvailable: ${minAvailable ?? '1'}` : `maxUnavailable: ${maxUnavailable}`;

const notEnoughHealthy = detector({
  ...declared,
  id: 'A7',
  reasons: [{ reason: 'PDBNotEnoughHealthy', family: 'consequence', sure: 'unknown' }],
  severity: 'medium',
  forSeconds: 600,
  source: 'policy/v1 PodDisruptionBudget status.currentHealthy, desiredHealthy (disruption controller)',
  predicate: 'fewer Pods are healthy than a budget asks for, for 10 min: a drain would wait',
  clears: 'as many are healthy as it asks for',
  patience: 'a rollout or a Node that comes back passes',
  isNot: 'a budget without Pods, a status of an older spec',
  judge: (budget, world) => {
    const { healthy, desiredHealthy, expected } = budget;
    if (!isCurrent(budget) || expected === 0 || healthy >= desiredHealthy) return false;
    return { since: world.since(budget.ref, 'short'), facts: { healthy, desiredHealthy, rule: rule(budget) } };
  },
});

/** Whether budgets that allow nothing hold everything that a drain would evict from a Node: what else was there has gone. */
function isHeldUp(node: NodeView, world: ObservedWorld): boolean {
  const left = movablePods(node, world).filter(({ deletionAt }) => deletionAt === undefined);
  return left.length > 0 && left.every(({ ref }) => budgetsHolding(ref, world).length > 0);
}

/** A Node that is being drained and cannot be because of this budget. A cordon alone leaves other Pods on its Node. */
function drainHeldUp(budget: PodDisruptionBudgetView, world: ObservedWorld): Ref | undefined {
  const nodes = new Set<Ref>();
  for (const ref of world.linked(budget.ref, 'selects', 'out', podSample))
    for (const node of world.linked(ref, 'runs-on', 'out', 1)) nodes.add(node);
  for (const ref of nodes) {
    const node = nodeNamed(world, nameOf(ref));
    if (node !== undefined && node !== 'absent' && isLeaving(node) && isHeldUp(node, world)) return ref;
  }
  return undefined;
}

const blocksDrain = detector({
  ...declared,
  id: 'A8',
  reasons: [{ reason: 'PDBBlocksDrain', family: 'config', sure: 'likely' }],
  reads: ['Pod', 'Node'],
  severity: 'high',
  source:
    'policy/v1 PodDisruptionBudget status.disruptionsAllowed, condition DisruptionAllowed; its Pods joined to their Nodes',
  predicate:
    'a Node is being drained, and all that is left on it is held by budgets that allow no disruption: for 60 s where all their Pods are healthy (conclusive), else for 10 min; low where a budget with all Pods healthy has allowed nothing for a day',
  clears: 'it allows a disruption, or nothing is drained any more',
  patience: 'where Pods are unhealthy they may become healthy and let the drain go on',
  isNot: 'a cordon (other Pods stay on the Node), a drain within budget, Pods of DaemonSets',
  judge: (budget, world, now) => {
    const { allowed, expected, healthy } = budget;
    const condition = conditionOf(budget, 'DisruptionAllowed');
    if (!isCurrent(budget) || allowed > 0 || expected === 0 || condition?.reason === 'SyncFailed') return false;
    const isTooStrict = healthy >= expected;
    const facts = { healthy, expected, rule: rule(budget) };
    const node = drainHeldUp(budget, world);
    const lookAgainAt = now + lookAgainMs;
    if (node === undefined) {
      if (!isTooStrict) return { lookAgainAt };
      return { since: condition?.since ?? budget.createdAt, forSeconds: 86_400, severity: 'low', facts, lookAgainAt };
    }
    const patience: Partial<Problem> = isTooStrict ? { forSeconds: 60, settle: 'conclusive' } : { forSeconds: 600 };
    return {
      ...{ scope: nameOf(node), since: 'observed', ...patience, lookAgainAt },
      ...{ facts: { ...facts, node: nameOf(node) }, names: [node] },
    };
  },
});

const syncFailed = detector({
  ...declared,
  id: 'A9',
  reasons: [{ reason: 'PDBSyncFailed', family: 'config', sure: 'high' }],
  severity: 'medium',
  forSeconds: 75,
  source:
    'policy/v1 PodDisruptionBudget condition DisruptionAllowed=False, reason SyncFailed (disruption controller, failSafe)',
  predicate: 'the disruption controller cannot work out for 75 s what a budget allows, so that it allows nothing',
  clears: 'the condition has another reason',
  patience: '75 s: the controller tries again after seconds',
  isNot: 'a budget that is worked out at the next try',
  judge: (budget) => {
    const condition = conditionOf(budget, 'DisruptionAllowed');
    if (condition?.status !== 'False' || condition.reason !== 'SyncFailed') return false;
    return { since: condition.since, detail: condition.message };
  },
});

/** Another budget that selects a Pod of this one. */
function overlapOf(budget: PodDisruptionBudgetView, world: ObservedWorld): Ref | undefined {
  for (const pod of world.linked(budget.ref, 'selects', 'out', podSample))
    for (const other of world.linked(pod, 'selects', 'in'))
      if (other !== budget.ref && kindOf(other) === 'PodDisruptionBudget') return other;
  return undefined;
}

const overlap = detector({
  ...declared,
  id: 'A10',
  reasons: [
    { reason: 'PDBOverlap', family: 'config', sure: 'high' },
    { reason: 'PDBSelectsNothing', family: 'config', sure: 'likely' },
  ],
  reads: ['Pod'],
  severity: 'low',
  forSeconds: 3600,
  source:
    'policy/v1 PodDisruptionBudget spec.selector; Event MultiplePodDisruptionBudgets, NoPods (disruption controller, eviction API)',
  predicate:
    'two budgets select the same Pod for an hour, so that it cannot be evicted at all; or one has selected none for a day',
  clears: 'they select different Pods, or some',
  patience: 'one budget may replace another, and a workload may come back',
  isNot: 'budgets of different Pods',
  judge: (budget, world, now) => {
    if (!isCurrent(budget)) return false;
    const [pod] = world.linked(budget.ref, 'selects', 'out', 1);
    if (pod === undefined) return { reason: 'PDBSelectsNothing', since: 'observed', forSeconds: 86_400 };
    const other = overlapOf(budget, world);
    if (other === undefined) return false;
    // Nothing tells this budget when the other one changes.
    return { since: 'observed', facts: { other: nameOf(other) }, names: [other], lookAgainAt: now + lookAgainMs };
  },
});

/** Disruption budgets, in the order of the catalogue. */
export const disruptionDetectors: readonly Detector[] = [blocksDrain, syncFailed, overlap, notEnoughHealthy];
