import type { Finding } from '../model/finding.ts';
import type { Reason } from '../model/reason.ts';
import type { Confidence } from '../model/severity.ts';

/** Failures that are alike: the same workload showing two of one family has one problem, two families are two problems. */
export type Family = 'image' | 'config' | 'run' | 'start' | 'schedule' | 'create' | 'node' | 'named' | 'consequence';

/**
 * What is known of a reason by itself. `sure`: how far the reason alone tells the cause, when no rule does: a missing
 * image says it all, a crash loop says only that something is wrong.
 */
type Row = { readonly family: Family; readonly sure: Confidence };

/** Rows in order of how much they tell, most first: of several reasons on one object the first names the problem. */
const rows = {
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
} as const satisfies Record<Reason, Row>;

const order = new Map<string, number>(Object.keys(rows).map((reason, index) => [reason, index]));
/** The family of a reason. */
export function familyOf(reason: Reason): Family {
  return rows[reason].family;
}

/** How far the reason alone tells the cause. */
export function selfEvident(reason: Reason): Confidence {
  return rows[reason].sure;
}

/** Negative when `a` tells more than `b`. */
export function compareReason(a: Reason, b: Reason): number {
  return (order.get(a) ?? 0) - (order.get(b) ?? 0);
}

/**
 * The reason that names a group of findings: of each object the one that tells most, then the most frequent over objects.
 * A mere consequence (not ready, short of replicas) names the group only when there is nothing else.
 */
export function namingReason(findings: readonly Finding[]): Reason | undefined {
  const best = new Map<string, Reason>();
  for (const { subject, reason } of findings) {
    const known = best.get(subject.ref);
    if (known === undefined || compareReason(reason, known) < 0) best.set(subject.ref, reason);
  }
  const count = new Map<Reason, number>();
  for (const reason of best.values()) count.set(reason, (count.get(reason) ?? 0) + 1);
  const announcement = [...count].filter(([reason]) => familyOf(reason) !== 'consequence');
  const [first] = (announcement.length > 0 ? announcement : [...count]).sort(
    (a, b) => b[1] - a[1] || compareReason(a[0], b[0]),
  );
  return first?.[0];
}
