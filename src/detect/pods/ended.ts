import type { PodView } from '../../world/kinds/workloads/pod.ts';
import { given } from '../../world/reading/fields.ts';
import { endFacts } from '../kit/containers.ts';
import { type Detector, detector } from '../kit/detector.ts';
import { devicePlugins } from '../kit/driver-agent.ts';
import { failedInits } from './crash.ts';
import { alike, endedAt } from './ends.ts';
import { evicted } from './evicted.ts';
import { isRun } from './runs.ts';

const hour = 60 * 60_000;
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

/** The resource of a device plug-in that a kubelet could not hand out (devicemanager `manager.go`), as it says itself. */
const resourceRefused = ({ message = '' }: PodView): string | undefined =>
  /(?:unregistered device|devices unavailable for) ([\w.-]+\/[\w.-]*\w)/.exec(message)?.[1];

/** Reasons of `status.reason` that have rows of their own or are no failure of the Pod. */
const otherFailures = new Set(['Evicted', 'Preempting', 'DeadlineExceeded', 'NodeShutdown', 'Terminated', 'Shutdown']);

/** 128 + SIGINT: somebody ended a program at the keyboard. */
const interrupted = 130;

const podFailed = detector({
  judges: 'Pod',
  id: 'P23',
  reasons: [{ reason: 'PodFailed', family: 'run', sure: 'unknown' }],
  severity: 'medium',
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

const rejectionWindowMs = 10 * 60_000;
const rejectionQuietMs = 30 * 60_000;

const podAdmissionRejected = detector({
  judges: 'Pod',
  id: 'P26',
  reasons: [{ reason: 'PodAdmissionRejected', family: 'start', sure: 'likely' }],
  severity: 'high',
  settle: 'conclusive',
  exemptions: ['terminating', 'staleNode'],
  source:
    "core/v1 PodStatus.phase Failed with a reason of the kubelet's admission (OutOfcpu, NodeAffinity, UnexpectedAdmissionError, …; kubelet.go)",
  predicate: 'a kubelet rejected three Pods of one owner within 10 min, or one that nobody recreates',
  clears: 'the last is 30 min ago, or the Pods are gone',
  symptom: 'start',
  patience: 'three of one owner: a kubelet that starts again may reject a Pod that fits a moment later',
  isNot: 'one or two rejections; a Node that shuts down; Pods that were evicted',
  judge: (pod, world, now) => {
    if (!isRejected(pod)) return false;
    const at = endedAt(pod);
    if (now >= at + rejectionQuietMs) return false;
    const resource = resourceRefused(pod);
    const count = Math.max(1, [...alike(pod, isRejected, at - rejectionWindowMs, world)].length);
    if (count < 3 && pod.owner !== undefined) return { lookAgainAt: at + rejectionQuietMs };
    return {
      since: at,
      detail: pod.message ?? '',
      names: resource === undefined ? [] : devicePlugins(resource, world, now),
      facts: { rejections: count, ...given({ podReason: pod.reason, node: pod.node }) },
      lookAgainAt: at + rejectionQuietMs,
    };
  },
});

const deadlineExceeded = detector({
  judges: 'Pod',
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
