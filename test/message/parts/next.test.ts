import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Notification } from '../../../src/model/notification.ts';
import { type Reason, reasons } from '../../../src/model/reason.ts';
import { defaultSettings } from '../../../src/model/settings.ts';
import { reasonCases } from '../../detect/reason-cases.ts';
import { watchedCluster } from '../cluster.ts';
import { storyOf } from '../reason-stories.ts';

/** Nothing waits for a digest, which has no next step. */
const nothingLow = {
  detection: { ...defaultSettings.detection, overrides: [{ selector: { severities: ['low'] }, severity: 'medium' }] },
} as const;

/** The next step of a reason as its story makes it. */
function nextOf(reason: Reason): NonNullable<Notification['nextStep']> {
  const k8s = watchedCluster(nothingLow);
  storyOf(reason)(k8s);
  const told = k8s.told().filter(({ act, incident }) => act !== 'resolve' && incident?.reason === reason);
  const step = told.at(-1)?.nextStep;
  assert.ok(step, `${reason} is not told`);
  return step;
}

/**
 * Reasons for which describing an object is the best there is, by what `kubectl describe` shows there that helps. What has a file in
 * test/detect/cases says it there (`described`).
 */
const rightlyDescribed: Readonly<Record<string, readonly Reason[]>> = {
  'Events of the Pod, in the words of the runtime, the registry, the scheduler or a driver': [
    ...([
      'ErrImageNeverPull',
      'ImageInspectError',
      'CreateContainerError',
      'ContainerCreating',
      'FailedMount',
    ] as const),
    ...(['FailedMapVolume', 'FailedCreatePodSandBox', 'SchedulerError', 'Unschedulable'] as const),
    ...(['PostStartHookError', 'FailedPreStopHook', 'DevicesNotPrepared', 'UnusualEvent', 'PodResizeError'] as const),
  ],
  'Events of its controller, which say what it tried': [
    ...(['ProvisioningFailed', 'PVCPending', 'VolumeResizeFailed', 'VolumeUnhealthy', 'PVFailed'] as const),
    ...(['SnapshotFailed', 'LoadBalancerPending', 'LoadBalancerPortsError', 'IngressNoAddress'] as const),
    ...(['AdmissionDenied', 'ReplicaFailure', 'CronJobMissedSchedule', 'DaemonSetNotScheduled'] as const),
    ...(['PDBSyncFailed', 'ScaleUpFailed'] as const),
  ],
  'Conditions, each with its message and since when': [
    ...(['ReplicaSetCreateError', 'FailedGetScale', 'FailedUpdateScale', 'HPAMaxedOut'] as const),
    ...(['VPAConfigUnsupported', 'VPANoPodsMatched', 'VPANoRecommendation', 'CustomResourceFailing'] as const),
    ...(['GatewayClassNotAccepted', 'GatewayNotProgrammed', 'ListenerInvalid', 'RouteNotAccepted'] as const),
    ...(['BackendTLSPolicyInvalid', 'CRDNotEstablished', 'AdmissionPolicyInvalid'] as const),
    ...(['CSRPending', 'CSRNotIssued', 'CSRFailed', 'CSRDenied'] as const),
  ],
  'conditions of the Node, its Pods with what they ask for, what is left and what its kubelet says': [
    ...(['NodeUnreachable', 'NodeNotReady', 'NodeReadinessFlapping', 'NodeProblem', 'NodeRebooted'] as const),
    ...(['NodeUninitialized', 'NodeCordoned', 'DiskPressure', 'MemoryPressure', 'PIDPressure'] as const),
    ...(['SystemOOM', 'OOMKilling', 'EvictionThresholdMet', 'FreeDiskSpaceFailed', 'ImageGCFailed'] as const),
    ...(['ContainerGCFailed', 'NodeFilesystemHigh', 'NodeInodesHigh', 'NodePressureStall', 'SwapPressure'] as const),
    ...(['Evicted', 'PodAdmissionRejected', 'PodStatusUnknown', 'PodResizeInfeasible', 'PodResizeDeferred'] as const),
  ],
  'limits, probes and the last state of each container; the log is quoted already': [
    ...(['OOMKilled', 'EphemeralStorageHigh', 'PodNotReady', 'ReadinessProbeFailed', 'ReadinessFlapping'] as const),
    ...([
      'ContainerError',
      'InitContainerWaiting',
      'JobFailed',
      'JobRetrying',
      'LivenessProbeFailed',
      'PodFailed',
    ] as const),
  ],
  'which drivers there are on the Node': ['CSIDriverMissingOnNode'],
  'how much is used, and of how much': [
    ...(['QuotaExceeded', 'QuotaOverused', 'QuotaFullyUsed', 'QuotaAlmostFull', 'LimitRangeRejects'] as const),
    ...(['PDBBlocksDrain', 'PDBNotEnoughHealthy'] as const),
  ],
  'which Pods mount it, and what it waits for': [
    ...(['VolumeInodesFillingUp', 'FileSystemResizePending', 'PVCStuckTerminating', 'PVStuckTerminating'] as const),
    'PVReleased',
  ],
  'what is behind the Service': ['ServiceRefusing', 'ServicePortRefused', 'ClientsFailing'],
  'the one object that stands in the way': [
    ...(['StatefulSetUnavailable', 'StatefulSetRolloutStuck', 'CronJobBlocked', 'ScaledToZeroRouted'] as const),
    ...(['HPAReplicasMismatch'] as const),
  ],
  'who stopped it, in its annotations and conditions': ['DeploymentPaused', 'JobSuspended', 'CronJobSuspended'],
  'how many Pods it has and what became of them': ['JobRunningLong'],
  'what else it says of itself; what the signature fits is quoted already': ['OwnSignature'],
  'its replicas and conditions, where what is wrong shows in metrics only': ['ExternalAlert'],
};
const described = new Set([
  ...Object.values(rightlyDescribed).flat(),
  ...[...reasonCases].flatMap(([reason, { described: shows }]) => (shows ? [reason] : [])),
]);

const steps = reasons.map((reason) => [reason, nextOf(reason)] as const);
const commands = new Map(steps.flatMap(([reason, step]) => (step.changesCluster ? [] : [[reason, step.command]])));

test('the way back is offered where a release is surely to blame, whatever it broke', () => {
  const back = steps.filter(([, { changesCluster }]) => changesCluster);
  for (const [reason, { command }] of back)
    assert.equal(command, 'kubectl rollout undo deployment api -n shop', reason);
  assert.deepEqual(
    back.map(([reason]) => reason).sort(),
    [
      ...(['CrashLoopBackOff', 'CreateContainerConfigError', 'ImageNotFound', 'ImagePullBackOff'] as const),
      ...(['InitContainerError', 'InvalidImageName', 'SignatureValidationFailed', 'StartError'] as const),
      'StartupProbeFailed' as const,
    ].sort(),
  );
});

test('the next step is made for the cause: an object is described only where that shows what helps', () => {
  const generic = [...commands].filter(([, command]) => command.startsWith('kubectl describe '));
  assert.deepEqual(generic.map(([reason]) => reason).sort(), [...described].sort());
});

/** What only reads, and needs no answers. */
const readOnly =
  /^kubectl (?:get|describe|logs|top|rollout history|auth can-i) [^|;&$<>\n]+(?: \| base64 -d \| openssl x509 -noout -subject -issuer -dates)?$/;
/** Kinds without a namespace, and what is asked of the API server itself. */
const clusterWide =
  /^kubectl (?:get|describe) (?:--raw|node|persistentvolume |storageclass|namespace|csr|csinode|crd|customresource|certificatesigning|ingressclass|gatewayclass|priority|runtimeclass|flowschema|validating|mutating|apiservice|volumeattach|volumeattributes|resourceslices|servicecidr)/;

for (const [reason, command] of commands)
  test(`the next step of ${reason} can be run as it stands and changes nothing`, () => {
    const quoted = command.replaceAll(/'[^']*'/g, 'x');
    assert.match(quoted, readOnly);
    assert.doesNotMatch(command, /undefined|NaN| {2}|-n(?: -|$)/);
    if (!clusterWide.test(command)) assert.match(command, / -n \S+| -A\b/, 'names its namespace');
  });
