/**
 * Every reason an incident can have, by the catalogue's names (`docs/detectors.md`). One list: a reason used in a rule, a
 * scenario or a page that is not here fails the check.
 */
export const reasons = [
  // containers
  'CrashLoopBackOff',
  'OOMKilled',
  'StartError',
  'ImagePullBackOff',
  'ImageNotFound',
  'ImagePullDenied',
  'InvalidImageName',
  'ErrImageNeverPull',
  'ImageInspectError',
  'SignatureValidationFailed',
  'CreateContainerConfigError',
  'CreateContainerError',
  'ContainerCreating',
  'InitContainerError',
  'InitContainerWaiting',
  'StartupProbeFailed',
  // pods
  'Unschedulable',
  'SchedulerError',
  'PodNotReady',
  'PodFailed',
  'PodStuckTerminating',
  'PodStatusUnknown',
  // workloads
  'ProgressDeadlineExceeded',
  'DeploymentUnavailable',
  'ReplicaFailure',
  'AdmissionDenied',
  'StatefulSetUnavailable',
  'DaemonSetUnavailable',
  'JobFailed',
  // nodes
  'NodeNotReady',
  'NodeUnreachable',
  'MemoryPressure',
  'DiskPressure',
  'PIDPressure',
  'NetworkUnavailable',
  // virtual and named objects
  'RegistryUnreachable',
  'RegistryDenied',
  'SecretMissing',
  'ConfigMapMissing',
] as const;

/** A reason of the list above. */
export type Reason = (typeof reasons)[number];
