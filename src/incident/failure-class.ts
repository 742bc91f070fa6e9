import type { Explanation } from '../model/explanation.ts';
import type { Told } from '../model/incident.ts';
import type { Reason } from '../model/reason.ts';

/** Reasons that are stages or names of one failure. A reason of no class is one by itself. */
const classes: Readonly<Record<string, readonly Reason[]>> = {
  image: [
    ...(['ImagePullBackOff', 'ImageNotFound', 'ImagePullDenied', 'InvalidImageName', 'ErrImageNeverPull'] as const),
    ...(['ImageInspectError', 'SignatureValidationFailed', 'RegistryUnreachable', 'RegistryDenied'] as const),
  ],
  crash: ['CrashLoopBackOff', 'OOMKilled', 'StartError', 'CreateContainerError', 'InitContainerError'],
  configuration: ['CreateContainerConfigError', 'SecretMissing', 'ConfigMapMissing'],
  refusal: ['AdmissionDenied', 'PodSecurityRejects', 'LimitRangeRejects'],
  scheduling: ['Unschedulable', 'SchedulerError'],
  called: ['ExternalEndpointUnreachable', 'ExternalEndpointRefusing'],
  node: ['NodeNotReady', 'NodeUnreachable'],
};

/** What every failure leads to: it says that something fails, not what. */
const symptoms: ReadonlySet<Reason> = new Set<Reason>([
  ...(['PodNotReady', 'PodFailed', 'PodStatusUnknown', 'ContainerCreating', 'InitContainerWaiting'] as const),
  ...(['StartupProbeFailed', 'ProgressDeadlineExceeded', 'DeploymentUnavailable', 'ReplicaFailure'] as const),
  ...(['ReplicaSetCreateError', 'UnusualEvent', 'ReleaseRegression', 'ExternalAlert'] as const),
  ...(['StatefulSetUnavailable', 'DaemonSetUnavailable', 'JobFailed', 'JobRetrying', 'CronJobFailing'] as const),
  ...(['JobRunningLong', 'CronJobBlocked', 'CronJobMissedSchedule', 'WorkloadNeverReady'] as const),
  ...(['StatefulSetRolloutStuck', 'DaemonSetRolloutStuck', 'DaemonSetNotScheduled'] as const),
]);

const classOf = new Map(Object.entries(classes).flatMap(([name, reasons]) => reasons.map((reason) => [reason, name])));

/** What kind of failure a reason tells of, `undefined` for one that every failure leads to. */
export function failureClass(reason: Reason): string | undefined {
  return symptoms.has(reason) ? undefined : (classOf.get(reason) ?? reason);
}

/** Whether two explanations are about the same failure of the same root, as far as anybody can tell. */
export function sameFailure(one: Explanation, other: Explanation): boolean {
  const [first, second] = [failureClass(one.reason), failureClass(other.reason)];
  const isSame = first === undefined || second === undefined || first === second;
  return one.root.ref === other.root.ref && isSame;
}

/**
 * The part of an explanation that is another failure than the one that was there at first, where it is what the explanation
 * is about; `undefined` where it is the same one, or where nobody can tell.
 */
export function anotherFailure(
  explanation: Explanation,
  { reasons }: Told & { readonly reasons: readonly Reason[] },
): Explanation | undefined {
  const now = failureClass(explanation.reason);
  const known = new Set(reasons.map(failureClass));
  known.delete(undefined);
  if (now === undefined || known.size === 0 || known.has(now)) return undefined;
  const members = explanation.members.filter(({ reason }) => failureClass(reason) === now);
  return members.length === 0 ? explanation : { ...explanation, members };
}
