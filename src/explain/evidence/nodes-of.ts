import type { Finding } from '../../model/finding.ts';
import { kindOf, type Ref } from '../../model/ref.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import { isReady, readySince } from '../../world/pods/readiness.ts';
import { fanOut } from '../../world/view/bounds.ts';
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
export function nodesOf(effect: Finding, world: World): readonly Ref[] {
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
