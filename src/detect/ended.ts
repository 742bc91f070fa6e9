import { latest } from '../model/instants.ts';
import { given } from '../world/fields.ts';
import type { PodView } from '../world/kinds/pod.ts';
import { readySince } from '../world/readiness.ts';
import type { ObservedWorld } from '../world/world.ts';
import { conditionOf } from './conditions.ts';
import { endFacts, lastEnd } from './containers.ts';
import { failedInits } from './crash.ts';
import { type Detector, detector } from './detector.ts';
import { nodeNamed } from './exemptions.ts';
import { isRun } from './runs.ts';

const pods = { judges: 'Pod', edition: 'Community' } as const;
const hour = 60 * 60_000;
/** Failed Pods of one owner that are looked at to tell one from many. */
const siblingSample = 64;

/** When a Pod ended (epoch milliseconds), by its containers or, where none ran, by its conditions. */
function endedAt(pod: PodView): number {
  const ends = pod.containers.flatMap((state) => lastEnd(state)?.finishedAt ?? []);
  const disrupted = conditionOf(pod, 'DisruptionTarget')?.since;
  return latest([readySince(pod), ...ends, ...(disrupted === undefined ? [] : [disrupted])]);
}

/** The Pods of its owner, itself among them, that ended in the same way after an instant; of very many, a sample. */
function* alike(
  pod: PodView,
  isAlike: (other: PodView) => boolean,
  after: number,
  world: ObservedWorld,
): Iterable<PodView> {
  if (pod.owner === undefined) return;
  for (const ref of world.linked(pod.owner, 'owned-by', 'in', siblingSample)) {
    const other = world.get(ref);
    if (typeof other === 'object' && other.kind === 'Pod' && isAlike(other) && endedAt(other) > after) yield other;
  }
}

/** `status.reason` of Pods that their kubelet did not take (kubelet.go `admissionRejectionReasons`; eviction has its own row). */
const admissionReasons: readonly string[] = [
  ...['OutOfcpu', 'OutOfmemory', 'OutOfpods', 'OutOfephemeral-storage', 'NodeAffinity', 'TopologyAffinityError'],
  ...[
    'UnexpectedAdmissionError',
    'PodOSNotSupported',
    'PodOSSelectorNodeLabelDoesNotMatch',
    'SysctlForbidden',
    'AppArmor',
  ],
  ...['UnexpectedPredicateFailureType', 'InvalidNodeInfo', 'SupplementalGroupsPolicyNotSupported', 'TaintToleration'],
  ...['InitContainerRestartPolicyForbidden', 'PodFeatureUnsupported', 'PodLevelResourcesNotAdmitted'],
  'VolumeAttachmentLimitExceeded',
];

/** `Pod was rejected: Node didn't have enough resource: cpu, …`; extended resources are in the reason (`OutOfnvidia.com/gpu`). */
function isRejected({ phase, reason = '', message = '' }: PodView): boolean {
  if (phase !== 'Failed') return false;
  return admissionReasons.includes(reason) || (/^OutOf/.test(reason) && /^Pod was rejected/.test(message));
}

/** Reasons of `status.reason` that have rows of their own or are no failure of the Pod. */
const otherFailures = new Set(['Evicted', 'Preempting', 'DeadlineExceeded', 'NodeShutdown', 'Terminated', 'Shutdown']);

/** 128 + SIGINT: somebody ended a program at the keyboard. */
const interrupted = 130;

const podFailed = detector({
  ...pods,
  id: 'P23',
  reasons: [{ reason: 'PodFailed', family: 'run', sure: 'unknown' }],
  severity: 'medium',
  settle: 'waits',
  exemptions: ['terminating', 'disrupted', 'job', 'staleNode'],
  source: 'core/v1 PodStatus.phase Failed',
  predicate:
    'a Pod that no Job owns failed for good within the last hour (low where a workflow, build or training run owns it: its controller decides)',
  clears: 'the Pod is gone, or an hour has passed',
  symptom: 'gone',
  patience: 'not at all: its phase is final',
  isNot:
    'a Pod of a Job, which is judged as a Job; an evicted Pod whose controller has made another; one that somebody ends at the keyboard (exit code 130)',
  judge: (pod, _, now) => {
    if (pod.phase !== 'Failed' || otherFailures.has(pod.reason ?? '') || isRejected(pod)) return false;
    if (failedInits(pod).length > 0) return false;
    const failedAt = endedAt(pod);
    if (now >= failedAt + hour) return false;
    const state = pod.containers.find((entry) => (entry.terminated?.exitCode ?? 0) !== 0);
    if (pod.owner === undefined && state?.terminated?.exitCode === interrupted) return false;
    return {
      since: failedAt,
      lookAgainAt: failedAt + hour,
      ...(isRun(pod.owner) && { severity: 'low' }),
      detail: pod.message ?? '',
      facts: {
        ...given({ podReason: pod.reason, node: pod.node, container: state?.name }),
        ...(state?.terminated ? endFacts(state.terminated) : {}),
      },
    };
  },
});

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

const evicted = detector({
  ...pods,
  id: 'P24',
  reasons: [{ reason: 'Evicted', family: 'run', sure: 'likely' }],
  severity: 'low',
  reads: ['Node'],
  settle: 'waits',
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

const rejectionWindowMs = 10 * 60_000;
const rejectionQuietMs = 30 * 60_000;

const podAdmissionRejected = detector({
  ...pods,
  id: 'P26',
  reasons: [{ reason: 'PodAdmissionRejected', family: 'start', sure: 'likely' }],
  severity: 'high',
  settle: 'conclusive',
  exemptions: ['terminating', 'staleNode'],
  source:
    "core/v1 PodStatus.phase Failed with a reason of the kubelet's admission (OutOfcpu, NodeAffinity, UnexpectedAdmissionError, …; kubelet.go)",
  predicate: 'a kubelet rejected three Pods of one owner within 10 min, or one that nobody makes anew',
  clears: 'the last is 30 min ago, or the Pods are gone',
  symptom: 'start',
  patience: 'three of one owner: a kubelet that starts again may reject a Pod that fits a moment later',
  isNot: 'one or two rejections; a Node that shuts down; Pods that were evicted',
  judge: (pod, world, now) => {
    if (!isRejected(pod)) return false;
    const at = endedAt(pod);
    if (now >= at + rejectionQuietMs) return false;
    const count = Math.max(1, [...alike(pod, isRejected, at - rejectionWindowMs, world)].length);
    if (count < 3 && pod.owner !== undefined) return { lookAgainAt: at + rejectionQuietMs };
    return {
      since: at,
      detail: pod.message ?? '',
      facts: { rejections: count, ...given({ podReason: pod.reason, node: pod.node }) },
      lookAgainAt: at + rejectionQuietMs,
    };
  },
});

const deadlineExceeded = detector({
  ...pods,
  id: 'P29',
  reasons: [{ reason: 'DeadlineExceeded', family: 'run', sure: 'likely' }],
  severity: 'medium',
  settle: 'conclusive',
  exemptions: ['terminating', 'job', 'staleNode'],
  source: 'core/v1 PodStatus.reason DeadlineExceeded; PodSpec.activeDeadlineSeconds (kubelet active_deadline.go)',
  predicate: 'a Pod that no Job owns ran into its activeDeadlineSeconds within the last hour',
  clears: 'the Pod is gone, or an hour has passed',
  symptom: 'gone',
  patience: 'not at all: its phase is final',
  isNot: 'a Pod of a Job, which is judged as a Job',
  judge: (pod, _, now) => {
    const at = endedAt(pod);
    if (pod.phase !== 'Failed' || pod.reason !== 'DeadlineExceeded' || now >= at + hour) return false;
    return {
      since: at,
      ...(isRun(pod.owner) && { severity: 'low' }),
      detail: pod.message ?? '',
      facts: given({ node: pod.node }),
      lookAgainAt: at + hour,
    };
  },
});

/** Pods that ended and are left behind, in the order of the catalogue. */
export const endedDetectors: readonly Detector[] = [podAdmissionRejected, deadlineExceeded, podFailed, evicted];
