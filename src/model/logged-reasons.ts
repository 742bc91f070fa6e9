import type { Reason } from './reason.ts';

/** Reasons that the log of a program can explain: it ran, and it ended or does not serve. Of Pods, and of the Jobs that they are of. */
export const loggedReasons: readonly Reason[] = [
  ...(['CrashLoopBackOff', 'InitContainerError', 'ContainerError', 'PodFailed', 'LivenessProbeFailed'] as const),
  ...(['ReadinessProbeFailed', 'ReadinessFlapping', 'PodNotReady', 'InitContainerWaiting'] as const),
  ...(['StartupProbeFailed', 'JobFailed', 'JobRetrying', 'CronJobFailing'] as const),
  ...(['DeploymentUnavailable', 'StatefulSetUnavailable', 'DaemonSetUnavailable'] as const),
  ...(['StatefulSetRolloutStuck', 'DaemonSetRolloutStuck'] as const),
];
