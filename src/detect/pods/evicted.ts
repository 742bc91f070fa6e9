import type { PodView } from '../../world/kinds/workloads/pod.ts';
import { given } from '../../world/reading/fields.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { conditionOf } from '../kit/conditions.ts';
import { detector } from '../kit/detector.ts';
import { nodeNamed } from '../kit/exemptions.ts';
import { alike, endedAt } from './ends.ts';

const hour = 60 * 60_000;

/** What a kubelet says of a Pod that went beyond a limit of its own (kubelet eviction/helpers.go). */
const ownLimit = /ephemeral storage limit|ephemeral local storage usage exceeds|Usage of EmptyDir volume/;

/** The kubelet evicted it. Some evicted Pods have no `status.reason`, hence the condition (KEP-3329). */
function isEvicted(pod: PodView): boolean {
  if (pod.phase !== 'Failed') return false;
  const disruption = conditionOf(pod, 'DisruptionTarget');
  const byKubelet = disruption?.status === 'True' && disruption.reason === 'TerminationByKubelet';
  return pod.reason === 'Evicted' || (pod.reason === undefined && byKubelet);
}

/** A kubelet shows its pressure at least this long after it evicted somebody (ms; its evictionPressureTransitionPeriod). */
const pressureShownMs = 5 * 60_000;
/** How often an eviction looks whether it is over (ms). */
const lookAgainMs = 60_000;

/** Evictions of one owner within an hour that are more than bad luck. */
const manyEvictions = 3;

const underPressure: readonly string[] = ['MemoryPressure', 'DiskPressure', 'PIDPressure'];

/** Whether its kubelet has nothing to evict for any more; of a Node that cannot be seen nobody knows. */
function hasRecovered(node: ReturnType<typeof nodeNamed>): boolean {
  if (node === undefined) return false;
  return (
    node === 'absent' || !node.conditions.some(({ type, status }) => underPressure.includes(type) && status === 'True')
  );
}

/** Whether its kubelet has said since an eviction (epoch milliseconds) that a pressure is over: nothing has to be waited for then. */
function saysSoSince(node: ReturnType<typeof nodeNamed>, at: number): boolean {
  return (
    typeof node === 'object' &&
    node.conditions.some(({ type, status, since }) => underPressure.includes(type) && status === 'False' && since > at)
  );
}

/** Whether its owner has all Pods that it wants without it. */
function isReplaced({ owner }: PodView, world: ObservedWorld): boolean {
  const workload = owner === undefined ? 'absent' : world.get(owner);
  return typeof workload === 'object' && 'replicas' in workload && workload.ready >= workload.replicas;
}

/**
 * Nothing is left of an eviction but the Pod that failed: its Node has room again, and its owner all that it wants. A workload
 * that is evicted from one Node after another brings the pressure with it: that is not over.
 */
function isOver(pod: PodView, siblings: readonly PodView[], world: ObservedWorld): boolean {
  const wanders = siblings.length >= manyEvictions && siblings.some(({ node }) => node !== pod.node);
  return !wanders && hasRecovered(nodeNamed(world, pod.node)) && isReplaced(pod, world);
}

/** A Pod that its kubelet put out. */
export const evicted = detector({
  judges: 'Pod',
  id: 'P24',
  reasons: [{ reason: 'Evicted', family: 'run', sure: 'likely' }],
  severity: 'low',
  reads: ['Node'],
  exemptions: ['terminating', 'staleNode'],
  source:
    'core/v1 PodStatus.reason Evicted, or condition DisruptionTarget with reason TerminationByKubelet (kubelet eviction_manager.go)',
  predicate:
    'the kubelet evicted a Pod within the last hour (medium where three of one owner were; high, and conclusive, where the Pod went beyond its own limit of storage)',
  clears:
    'an hour has passed, or the Pod is gone; after 5 min, or as soon as its Node says that the pressure is over, where it is under none any more, and its owner has all Pods that it wants',
  symptom: 'gone',
  patience: 'an hour: evicted Pods are left behind until somebody deletes them',
  isNot: 'a Pod that was evicted longer ago, or that is replaced and whose Node has recovered; a Node that shuts down',
  judge: (pod, world, now) => {
    const at = endedAt(pod);
    if (!isEvicted(pod) || now >= at + hour) return false;
    const { message = '' } = pod;
    const byItself = ownLimit.test(message);
    const siblings = [...alike(pod, isEvicted, now - hour, world)];
    const isShown = now < at + pressureShownMs && !saysSoSince(nodeNamed(world, pod.node), at);
    if (!byItself && !isShown && isOver(pod, siblings, world)) return { lookAgainAt: now + lookAgainMs };
    const [, resource] = /low on resource: ([\w-]+(?:\.[\w-]+)*)/.exec(message) ?? [];
    return {
      since: at,
      ...(siblings.length >= manyEvictions && { severity: 'medium' }),
      ...(byItself && { severity: 'high', settle: 'conclusive' }),
      detail: message,
      facts: {
        evictions: Math.max(1, siblings.length),
        ...given({ node: pod.node, resource, ownLimit: byItself ? 'storage' : undefined }),
      },
      lookAgainAt: Math.min(isShown ? at + pressureShownMs : now + lookAgainMs, at + hour),
    };
  },
});
