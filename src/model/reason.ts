import type { Confidence } from './severity.ts';

/** Failures that are alike: the same workload showing two of one family has one problem, two families are two problems. */
export type Family = 'image' | 'config' | 'run' | 'start' | 'schedule' | 'create' | 'node' | 'named' | 'consequence';

/**
 * What is known of a reason by itself. `sure`: how far the reason alone tells the cause, when no rule does: a missing
 * image says it all, a crash loop says only that something is wrong.
 */
type Traits = { readonly family: Family; readonly sure: Confidence };

/**
 * Every reason an incident can have, by the catalogue's names (`docs/detectors.md`). One list: a reason used in a rule, a
 * scenario or a page that is not here fails the check. In order of how much they tell, most first: of several reasons on one
 * object the first names the problem.
 */
export const reasonTraits = {
  SecretMissing: { family: 'named', sure: 'high' },
  ConfigMapMissing: { family: 'named', sure: 'high' },
  RegistryDenied: { family: 'named', sure: 'high' },
  RegistryUnreachable: { family: 'named', sure: 'high' },
  NodeUnreachable: { family: 'node', sure: 'high' },
  NodeNotReady: { family: 'node', sure: 'high' },
  NetworkUnavailable: { family: 'node', sure: 'high' },
  DiskPressure: { family: 'node', sure: 'high' },
  MemoryPressure: { family: 'node', sure: 'high' },
  PIDPressure: { family: 'node', sure: 'high' },
  SignatureValidationFailed: { family: 'image', sure: 'high' },
  InvalidImageName: { family: 'image', sure: 'high' },
  ImageNotFound: { family: 'image', sure: 'high' },
  ImagePullDenied: { family: 'image', sure: 'high' },
  ErrImageNeverPull: { family: 'image', sure: 'high' },
  ImageInspectError: { family: 'image', sure: 'likely' },
  ImagePullBackOff: { family: 'image', sure: 'likely' },
  CreateContainerConfigError: { family: 'config', sure: 'high' },
  CreateContainerError: { family: 'config', sure: 'likely' },
  OOMKilled: { family: 'run', sure: 'likely' },
  StartError: { family: 'run', sure: 'likely' },
  StartupProbeFailed: { family: 'run', sure: 'likely' },
  InitContainerError: { family: 'run', sure: 'unknown' },
  CrashLoopBackOff: { family: 'run', sure: 'unknown' },
  AdmissionDenied: { family: 'create', sure: 'high' },
  ReplicaFailure: { family: 'create', sure: 'likely' },
  Unschedulable: { family: 'schedule', sure: 'likely' },
  SchedulerError: { family: 'schedule', sure: 'likely' },
  ContainerCreating: { family: 'start', sure: 'unknown' },
  InitContainerWaiting: { family: 'start', sure: 'unknown' },
  PodFailed: { family: 'run', sure: 'unknown' },
  PodStatusUnknown: { family: 'consequence', sure: 'unknown' },
  PodStuckTerminating: { family: 'consequence', sure: 'unknown' },
  PodNotReady: { family: 'consequence', sure: 'unknown' },
  JobFailed: { family: 'consequence', sure: 'unknown' },
  ProgressDeadlineExceeded: { family: 'consequence', sure: 'unknown' },
  DeploymentUnavailable: { family: 'consequence', sure: 'unknown' },
  StatefulSetUnavailable: { family: 'consequence', sure: 'unknown' },
  DaemonSetUnavailable: { family: 'consequence', sure: 'unknown' },
} as const satisfies Readonly<Record<string, Traits>>;

/** A reason of the table above. */
export type Reason = keyof typeof reasonTraits;

/** Every reason, those that tell most first. */
export const reasons: readonly Reason[] = Object.keys(reasonTraits).filter(isReason);

/** Whether a word is a reason of ours. */
function isReason(word: string): word is Reason {
  return Object.hasOwn(reasonTraits, word);
}
