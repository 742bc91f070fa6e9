import type { Finding } from '../../model/finding.ts';
import { kindOf, type Ref, refOf } from '../../model/ref.ts';
import type { NodeView } from '../../world/kinds/cluster/node.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import { isReady, readySince } from '../../world/pods/readiness.ts';
import { aftermathMs, fanOut, settledMs } from '../../world/view/bounds.ts';
import { sharedAnswer } from '../../world/view/shared-answers.ts';
import type { World } from '../../world/view/world.ts';
import { podsOf, podView } from './workload.ts';

/**
 * The Nodes that the Pods of a workload which do not serve run on, or on which those ran that they replace. Pods that serve
 * again since it became short count as well: the workload's own status follows theirs a moment later.
 */
function nodesOfLost({ subject, since }: Finding, world: World): readonly Ref[] {
  const lost = podsOf(world, subject.ref, fanOut).filter((pod) => !isReady(pod) || readySince(pod) > since);
  const nodes = lost.flatMap(({ ref }) => [
    ...world.linked(ref, 'runs-on', 'out', 1),
    ...world.linked(ref, 'replaces', 'out', 1),
  ]);
  return [...new Set(nodes)];
}

/** The kubelet evicted the Pod. Some evicted Pods have no `status.reason`, hence the condition (KEP-3329). */
function isEvicted({ reason, conditions }: PodView): boolean {
  const disruption = conditions.find(({ type, status }) => type === 'DisruptionTarget' && status === 'True');
  return reason === 'Evicted' || disruption?.reason === 'TerminationByKubelet';
}

/** The Nodes that a Pod runs on or that ran the one which it replaces, or those of the Pods of a workload that do not serve. */
function nodesOf(effect: Finding, world: World): readonly Ref[] {
  const { ref } = effect.subject;
  if (kindOf(ref) !== 'Pod') return nodesOfLost(effect, world);
  return [...world.linked(ref, 'runs-on', 'out', 1), ...world.linked(ref, 'replaces', 'out', 1)];
}

/** The Nodes whose kubelets evicted Pods of a workload: what was evicted stays as a failed Pod. All its Pods that fail ask for them. */
const evictingNodes = sharedAnswer((workload, world): readonly Ref[] => {
  const evicted = podsOf(world, workload, fanOut).filter(isEvicted);
  return [...new Set(evicted.flatMap(({ ref }) => [...world.linked(ref, 'runs-on', 'out', 1)]))];
});

/** The Nodes whose kubelets evicted Pods of a workload, or of a Pod's owner. */
export function nodesOfEvicted({ subject }: Finding, world: World): readonly Ref[] {
  return evictingNodes(podView(world, subject.ref)?.owner ?? subject.ref, world);
}

/** Whether a Node has come back, lately before an instant or after it. */
function cameBack({ conditions, createdAt }: NodeView, since: number): boolean {
  const ready = conditions.find(({ type }) => type === 'Ready');
  return ready?.status === 'True' && ready.since >= since - aftermathMs && ready.since > createdAt + settledMs;
}

/** The zones and pools of those Nodes that were away when something failed and have come back; of Nodes that say neither, the cluster. */
export function placesThatCameBack(effect: Finding, world: World): readonly Ref[] {
  const places = new Set<Ref>();
  for (const ref of nodesOf(effect, world)) {
    const node = kindOf(ref) === 'Node' ? world.get(ref) : undefined;
    if (typeof node !== 'object' || node.kind !== 'Node' || !cameBack(node, effect.since)) continue;
    const { zone, pool } = node;
    if (zone !== undefined) places.add(refOf('Zone', '', zone));
    if (pool !== undefined) places.add(refOf('NodePool', '', pool));
    if (zone === undefined && pool === undefined) places.add(refOf('Cluster', '', 'nodes'));
  }
  return [...places];
}
