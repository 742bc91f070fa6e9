import { describeRef } from '../../model/ref.ts';
import { given } from '../../world/reading/fields.ts';
import { conditionOf } from '../kit/conditions.ts';
import { type Detector, detector } from '../kit/detector.ts';
import { nodeNamed } from '../kit/exemptions.ts';
import { lastTold } from '../kit/told.ts';
import { missingConfigMap } from '../starts/creation.ts';

/** What a kubelet tells of a Pod that it cannot end. */
const endReasons = ['FailedKillPod', 'ExceededGracePeriod', 'FailedPreStopHook'];
const endedBeforeMs = 15 * 60_000;

const podStuckTerminating = detector({
  judges: 'Pod',
  id: 'P27',
  reasons: [{ reason: 'PodStuckTerminating', family: 'consequence', sure: 'unknown' }],
  reads: ['Node'],
  severity: 'medium',
  forSeconds: 300,
  exemptions: ['leavingNode'],
  source: 'core/v1 ObjectMeta.deletionTimestamp, which includes the grace period, and finalizers; Event FailedKillPod',
  predicate: 'a Pod should have been gone for 5 min',
  clears: 'it is gone',
  symptom: 'gone',
  patience: '5 min after the end of its grace period: volumes and network are given back first',
  isNot: 'a long grace period; a Node that is drained on purpose',
  judge: (pod, world, now) => {
    if (pod.deletionAt === undefined) return false;
    const node = nodeNamed(world, pod.node);
    const lost = node !== undefined && node !== 'absent' && conditionOf(node, 'Ready')?.status !== 'True';
    const event = lastTold(pod.ref, { reasons: endReasons, after: pod.deletionAt - endedBeforeMs }, world, now);
    return {
      since: pod.deletionAt,
      facts: given({ node: pod.node, finalizers: pod.finalizers?.join(', ') }),
      names: lost ? [node.ref] : [],
      ...given({ detail: event?.message }),
    };
  },
});

const podStatusUnknown = detector({
  judges: 'Pod',
  id: 'P28',
  reasons: [{ reason: 'PodStatusUnknown', family: 'consequence', sure: 'unknown' }],
  severity: 'medium',
  forSeconds: 300,
  exemptions: ['terminating', 'completed', 'disrupted', 'leavingNode'],
  source: 'core/v1 PodStatus.phase Unknown; ContainerStateTerminated.reason ContainerStatusUnknown',
  predicate: 'the state of a Pod or of one of its containers cannot be known for 5 min',
  clears: 'it is known, or the Pod was replaced',
  symptom: 'gone',
  patience: '5 min: a kubelet that restarts needs a moment to know its containers again',
  isNot: 'a Node that is being removed',
  judge: (pod) => {
    const lost = pod.containers.find(({ terminated }) => terminated?.reason === 'ContainerStatusUnknown');
    if (pod.phase !== 'Unknown' && (!lost || pod.phase !== 'Running')) return false;
    return {
      since: conditionOf(pod, 'Ready')?.since ?? pod.createdAt,
      facts: given({ node: pod.node, container: lost?.name }),
    };
  },
});

/** What the kubelet says of a resize in place: how long it may say so (seconds), and how bad that is. */
const resizeStates = [
  ['PodResizePending', 'Infeasible', 'PodResizeInfeasible', 90, 'medium'],
  ['PodResizePending', 'Deferred', 'PodResizeDeferred', 1800, 'low'],
  ['PodResizeInProgress', 'Error', 'PodResizeError', 600, 'medium'],
] as const;

const podResize = detector({
  judges: 'Pod',
  id: 'P30',
  reasons: [
    { reason: 'PodResizeInfeasible', family: 'config', sure: 'high' },
    { reason: 'PodResizeError', family: 'config', sure: 'likely' },
    { reason: 'PodResizeDeferred', family: 'config', sure: 'likely' },
  ],
  severity: 'medium',
  exemptions: ['terminating', 'completed', 'disrupted', 'staleNode'],
  source: 'core/v1 Pod conditions PodResizePending (Infeasible, Deferred) and PodResizeInProgress (Error), KEP-1287',
  predicate:
    'a Pod asks for other resources and its kubelet cannot give them: never (90 s), not yet (30 min, low), or it failed to (10 min)',
  clears: 'the condition is gone',
  symptom: 'scaling',
  patience: '90 s for what can never be: a vertical autoscaler then makes the Pod anew; 30 min for what waits for room',
  isNot: 'a resize on its way; a Pod that is evicted and recreated with other resources',
  judge: (pod) =>
    resizeStates.flatMap(([type, why, reason, forSeconds, severity]) => {
      const condition = conditionOf(pod, type);
      if (condition?.status !== 'True' || condition.reason !== why) return [];
      const settle = reason === 'PodResizeInfeasible' ? 'conclusive' : 'waits';
      const facts = given({ node: pod.node });
      return [
        { reason, scope: type, since: condition.since, forSeconds, severity, settle, facts, detail: condition.message },
      ];
    }),
});

const deviceUnhealthy = detector({
  judges: 'Pod',
  id: 'P33',
  reasons: [{ reason: 'DeviceUnhealthy', family: 'run', sure: 'high' }],
  reads: ['Node'],
  severity: 'high',
  forSeconds: 60,
  exemptions: ['terminating', 'completed', 'disrupted', 'staleNode'],
  source: 'core/v1 ContainerStatus.allocatedResourcesStatus[].resources[].health Unhealthy (KEP-4680)',
  predicate: 'a device that a container was given says for 60 s that it does not work',
  clears: 'it is healthy, or the Pod is gone',
  symptom: 'restart',
  patience: '60 s: a device plug-in that is restarted reports anew',
  isNot: 'a device whose health is unknown',
  judge: (pod) =>
    pod.containers.flatMap(({ name, brokenDevices }) =>
      brokenDevices === undefined
        ? []
        : [
            {
              ...{ scope: name, since: 'observed' as const },
              facts: { container: name, devices: brokenDevices.join(', '), ...given({ node: pod.node }) },
            },
          ],
    ),
});

const referenceMissing = detector({
  judges: 'Pod',
  id: 'P39',
  reasons: [{ reason: 'ProjectedReferenceMissing', family: 'config', sure: 'likely' }],
  reads: ['ConfigMap'],
  severity: 'medium',
  forSeconds: 60,
  exemptions: ['terminating', 'completed', 'disrupted', 'job'],
  source:
    'PodSpec volumes (projected ones too), envFrom and env that name a ConfigMap, optional ones left out; the ConfigMaps that there are',
  predicate: 'a Pod runs, and a ConfigMap that it needs to start has not existed for 60 s',
  clears: 'the ConfigMap exists',
  symptom: 'start',
  patience: '60 s: some tools delete an object and make it anew',
  isNot: 'an optional reference; a ConfigMap that cannot be seen; a Pod that does not start without it (P8, P10, P12)',
  judge: (pod, world) => {
    const missing = pod.phase === 'Running' && missingConfigMap(pod, world);
    if (!missing || pod.containers.some(({ waiting }) => waiting?.reason === 'CreateContainerConfigError'))
      return false;
    return { since: 'observed', facts: { lacks: describeRef(missing) }, names: [missing] };
  },
});

/** Pods; what tells most first. */
export const podDetectors: readonly Detector[] = [
  deviceUnhealthy,
  podStatusUnknown,
  podStuckTerminating,
  podResize,
  referenceMissing,
];
