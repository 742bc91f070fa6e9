import type { Finding } from '../../model/finding.ts';
import type { Reason } from '../../model/reason.ts';
import type { Ref } from '../../model/ref.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import { isReady, readySince } from '../../world/pods/readiness.ts';
import { fanOut, podsOfWorkload, siblingsAsked } from '../../world/view/bounds.ts';
import type { World } from '../../world/view/world.ts';
import { podsOf } from '../evidence/workload.ts';
import { longRunning, unavailable } from './reasons.ts';
import { isGrouping, isOfKind, type Rule } from './rule.ts';

/** What a Pod may be found with that has no Node. */
const unplaced: readonly Reason[] = ['Unschedulable'];
/** What one may be found with that has a Node, and has begun nothing there. */
const held: readonly Reason[] = [
  ...(['ContainerCreating', 'FailedMount', 'FailedAttachVolume', 'CreateContainerConfigError'] as const),
  ...(['ImagePullBackOff', 'FailedCreatePodSandBox'] as const),
];
/** What one may be found with that runs. */
const unready: readonly Reason[] = ['PodNotReady', 'ReadinessProbeFailed', 'CrashLoopBackOff'];

/** What a Pod is about to be found with; of one that serves again nobody knows what it waited for. */
function prospectsOf(pod: PodView): readonly Reason[] {
  if (isReady(pod)) return [...held, ...unready];
  if (pod.phase !== 'Pending') return unready;
  return pod.node === undefined ? unplaced : held;
}

/** A row of Pods, as it is asked for the workload that these are of: of what says no more than that it is short, as a last resort. */
export function asLastResort(rules: readonly Rule[]): readonly Rule[] {
  const isOfPods = ({ via, cause, effect }: Rule): boolean =>
    isOfKind(effect, 'Pod') && cause.basis !== 'named' && !isGrouping(via) && via !== 'owners';
  return rules.filter(isOfPods).map((rule) => ({ ...rule, lastResort: true }));
}

/** Whether a finding says no more of a workload than that its Pods are missing, so that these are asked. */
export const asksItsPods = ({ reason }: Finding, kind: string): boolean =>
  longRunning.includes(kind) && unavailable.includes(reason);

/** The finding of a workload as one of a Pod: what that uses, pulls and replaces is what may be wrong with it. */
export type Asked = { readonly effect: Finding; readonly prospects: readonly Reason[] };

/** The Pods for want of which a workload is short, those first that still are to serve; its own status follows theirs a moment later. */
export function askedPods(effect: Finding, world: World): readonly Asked[] {
  return podsOf(world, effect.subject.ref, podsOfWorkload)
    .filter((pod) => !isReady(pod) || readySince(pod) > effect.since)
    .sort((a, b) => Number(a.deletionAt !== undefined) - Number(b.deletionAt !== undefined))
    .slice(0, siblingsAsked)
    .map((pod) => ({
      effect: { ...effect, subject: world.subject(pod.ref), names: [...effect.names, ...usedBy(pod.ref, world)] },
      prospects: prospectsOf(pod),
    }));
}

const usedBy = (pod: Ref, world: World): readonly Ref[] => [
  ...world.linked(pod, 'uses', 'out', fanOut),
  ...world.linked(pod, 'pulls', 'out', fanOut),
];
