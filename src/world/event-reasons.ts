import type { EventView } from './kinds/event.ts';

/**
 * Warnings that detectors read, or that tell of what objects say in their own status, by who writes them. What repeats beside these is
 * unusual. Sources: kubelet `events/event.go`, kube-controller-manager, kube-scheduler, the sidecars of CSI, the cluster autoscaler.
 */
const known: Readonly<Record<string, readonly string[]>> = {
  kubelet: [
    ...['BackOff', 'Failed', 'FailedCreatePodContainer', 'FailedKillPod', 'FailedPreStopHook', 'FailedPostStartHook'],
    ...['FailedCreatePodSandBox', 'FailedPodSandBoxStatus', 'NetworkNotReady', 'InspectFailed', 'ErrImageNeverPull'],
    ...['FailedAttachVolume', 'FailedMount', 'FailedMapVolume', 'FailedUnmountDevice', 'FailedUnMount', 'FailedSync'],
    ...['VolumeResizeFailed', 'FileSystemResizeFailed', 'Unhealthy', 'ProbeError', 'ProbeWarning', 'FailedValidation'],
    ...['ExceededGracePeriod', 'Preempting', 'Evicted', 'NodeNotReady', 'Rebooted', 'SystemOOM', 'OOMKilling'],
    ...['ContainerGCFailed', 'ImageGCFailed', 'FreeDiskSpaceFailed', 'EvictionThresholdMet', 'InvalidDiskCapacity'],
    ...['FailedNodeAllocatableEnforcement', 'ResizeDeferred', 'ResizeInfeasible', 'ResizeError', 'NodeAffinity'],
    ...['FailedPrepareDynamicResources', 'FailedToRetrieveImagePullSecret', 'UnexpectedAdmissionError', 'OutOfcpu'],
    ...['OutOfmemory', 'OutOfpods', 'TopologyAffinityError', 'SysctlForbidden', 'NodeShutdown', 'KubeletSetupFailed'],
  ],
  scheduling: ['FailedScheduling', 'Preempted', 'SchedulerError', 'FailedResourceClaimCreation'],
  workloads: [
    ...['FailedCreate', 'FailedDelete', 'ReplicaSetCreateError', 'FailedPlacement', 'FailedDaemonPod', 'FailedUpdate'],
    ...[
      'SelectingAll',
      'BackoffLimitExceeded',
      'DeadlineExceeded',
      'PodFailurePolicy',
      'FailedIndexes',
      'JobAlreadyActive',
    ],
    ...['MaxFailedIndexesExceeded', 'MissSchedule', 'TooManyMissedTimes', 'UnparseableSchedule', 'InvalidSchedule'],
    ...['UnParseableCronJobSchedule', 'UnknownTimeZone', 'FailedGet', 'NodeNotReady', 'TaintManagerEviction'],
  ],
  volumes: [
    ...['FailedBinding', 'VolumeMismatch', 'ProvisioningFailed', 'ProvisioningCleanupFailed', 'VolumeFailedDelete'],
    ...['VolumeFailedRecycle', 'VolumeModifyFailed', 'VolumeModifyCanceled', 'VolumeConditionAbnormal', 'ClaimLost'],
    ...['ExternalExpanding', 'SnapshotCreationFailed', 'SnapshotContentCreationFailed', 'SnapshotContentMissing'],
  ],
  network: [
    ...['SyncLoadBalancerFailed', 'UpdateLoadBalancerFailed', 'DeleteLoadBalancerFailed', 'UnAvailableLoadBalancer'],
    ...[
      'FailedToUpdateEndpointSlices',
      'FailedToUpdateEndpoint',
      'FailedToCreateEndpoint',
      'TopologyAwareHintsDisabled',
    ],
  ],
  scaling: [
    ...['FailedGetScale', 'FailedUpdateScale', 'FailedUpdateStatus', 'FailedRescale', 'FailedComputeMetricsReplicas'],
    ...['FailedGetResourceMetric', 'FailedGetContainerResourceMetric', 'FailedGetPodsMetric', 'FailedGetObjectMetric'],
    ...[
      'FailedGetExternalMetric',
      'InvalidMetricSourceType',
      'SelectorRequired',
      'InvalidSelector',
      'AmbiguousSelector',
    ],
    ...['FailedToScaleUpGroup', 'NotTriggerScaleUp', 'CalculateExpectedPodCountFailed', 'NoPods', 'UnmanagedPods'],
  ],
};

/**
 * Warnings that repeat for ever where nothing is wrong: a kubelet's remark on the name servers of its Node, about every Pod there;
 * policies that only take notes.
 */
const idle = ['DNSConfigForming', 'PolicyViolation', 'PossibleMemoryBackedVolumesOnDisk', 'CIDRNotAvailable'];

const mapped: ReadonlySet<string> = new Set([...Object.values(known).flat(), ...idle]);

/** Whether an Event is a Warning that no detector knows. */
export function isUnmapped({ isWarning, reason }: EventView): boolean {
  return isWarning && !mapped.has(reason);
}
