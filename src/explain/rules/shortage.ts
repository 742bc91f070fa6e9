import type { Reason } from '../../model/reason.ts';

/** Workloads that keep Pods running. */
export const longRunning = ['Deployment', 'StatefulSet', 'DaemonSet'];

/** What makes Pods, or the Jobs that make them, and says when it is refused. */
export const makers = [
  'Deployment',
  'ReplicaSet',
  'ReplicationController',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'CronJob',
];

/** What they say when Pods are missing. */
export const unavailable: readonly Reason[] = [
  ...(['DeploymentUnavailable', 'StatefulSetUnavailable', 'DaemonSetUnavailable'] as const),
  ...(['StatefulSetRolloutStuck', 'DaemonSetRolloutStuck'] as const),
];
