import { type Ref, refOf } from '../../model/ref.ts';
import type { EventView } from '../../world/kinds/cluster/event.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import { given } from '../../world/reading/fields.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { conditionOf } from '../kit/conditions.ts';
import { judgesPods } from '../kit/containers.ts';
import { detector } from '../kit/detector.ts';
import { toldSince } from '../kit/told.ts';
import { lacksAddress, rangesOf } from '../nodes/addresses.ts';
import { agentsOf, lacksAgent } from '../nodes/network-agent.ts';
import { beganOnYoungNode, obstacle, youngNodeSeconds } from './held-up.ts';
import { troubleSeconds } from './mount-problem.ts';

/** Events that say that the network and the cgroup of a Pod cannot be made. */
export const sandboxReasons = ['FailedCreatePodSandBox', 'NetworkNotReady'] as const;

/** What texts of a sandbox that cannot be made are about, besides addresses (containerd, CRI-O). */
const sandboxCauses: readonly (readonly [cause: string, pattern: RegExp])[] = [
  [
    'runtime',
    /no runtime for "[^"]*" is configured|(?:failed to find|unknown) runtime handler|RuntimeHandler "[^"]*" not supported/i,
  ],
  // Its socket refuses, or is not there: who serves every Pod of the Node does not run.
  ['runtimeGone', /dial unix \S{0,80}\b(?:containerd|crio|cri-dockerd)\S{0,20}\.sock: connect:/i],
  ['network', /\bcni\b|network|NetworkPlugin/i],
];

/** What the text of such an Event is about. */
export function sandboxCause({ message }: EventView): string | undefined {
  return lacksAddress(message) ? 'addresses' : sandboxCauses.find(([, pattern]) => pattern.test(message))?.[0];
}

/** Who has to do with it that a sandbox cannot be made, as far as its text tells. */
function obstructors(cause: string | undefined, pod: PodView, event: EventView, world: ObservedWorld): readonly Ref[] {
  if (cause === 'addresses') return rangesOf(pod, world);
  if (cause === 'network') return agentsOf(pod, event, world);
  return cause === 'runtimeGone' && pod.node !== undefined ? [refOf('Node', '', pod.node)] : [];
}

/** A Pod of which the sandbox cannot be made. */
export const failedSandbox = detector({
  ...judgesPods,
  id: 'P11',
  reasons: [{ reason: 'FailedCreatePodSandBox', family: 'start', sure: 'unknown' }],
  severity: 'high',
  forSeconds: troubleSeconds,
  source:
    'Events FailedCreatePodSandBox and NetworkNotReady; core/v1 Pod condition PodReadyToStartContainers (kubelet kuberuntime_manager.go)',
  predicate:
    'the sandbox of a Pod, which is its network and its cgroup, cannot be made for 60 s (15 s where its RuntimeClass names a handler that the Node does not have, 5 min on a new Node)',
  clears: 'PodReadyToStartContainers is True, or a container of it was made',
  symptom: 'start',
  patience: '60 s: the second attempt mostly succeeds; 5 min on a Node whose network still starts',
  isNot: 'one sandbox that failed and was recreated; a Node that boots',
  judge: (pod, world, now) => {
    if (conditionOf(pod, 'PodReadyToStartContainers')?.status === 'True') return false;
    const held = obstacle(pod, sandboxReasons, world, now);
    if (!held) return false;
    const { event, began, lookAgainAt } = held;
    const said = sandboxCause(event);
    // Who gives out addresses and does not run has none left to give.
    const cause = said === 'addresses' && lacksAgent(pod, event, world) ? 'network' : said;
    const names = obstructors(cause, pod, event, world);
    const never = cause === 'runtime';
    const since = toldSince(event, began);
    return {
      since,
      forSeconds: never ? 15 : beganOnYoungNode(pod, world, since) ? youngNodeSeconds : troubleSeconds,
      settle: never ? 'conclusive' : 'waits',
      facts: given({
        node: pod.node,
        sandboxCause: cause,
        runtimeClass: never ? pod.template.runtimeClass : undefined,
      }),
      detail: event.message,
      names,
      ...given({ lookAgainAt }),
    };
  },
});
