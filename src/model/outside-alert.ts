import type { Severity } from './severity.ts';

/** The kinds of objects that an alert from outside can be about. */
export const alertKinds = [
  ...(['Pod', 'Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Job', 'CronJob', 'Node', 'Namespace'] as const),
  ...(['PersistentVolumeClaim', 'Service', 'Ingress', 'HorizontalPodAutoscaler', 'PodDisruptionBudget'] as const),
] as const;

/** One of the kinds above. */
export type AlertKind = (typeof alertKinds)[number];

/** Which label of an alert names an object of a kind. `namespaceLabel`: which one names its namespace; default `namespace`. */
export type AlertRule = { readonly label: string; readonly kind: AlertKind; readonly namespaceLabel?: string };

/**
 * What labels mean where nothing else is said: the first that names an object that is there decides. Those of workloads come before `pod`, which
 * Prometheus may have from the exporter that it asked, and `job` comes late, as it is as a rule the name of what Prometheus scrapes.
 * https://github.com/kubernetes/kube-state-metrics/tree/main/docs/metrics names the labels.
 */
export const defaultAlertRules: readonly AlertRule[] = [
  { label: 'persistentvolumeclaim', kind: 'PersistentVolumeClaim' },
  { label: 'horizontalpodautoscaler', kind: 'HorizontalPodAutoscaler' },
  { label: 'poddisruptionbudget', kind: 'PodDisruptionBudget' },
  { label: 'ingress', kind: 'Ingress' },
  { label: 'deployment', kind: 'Deployment' },
  { label: 'statefulset', kind: 'StatefulSet' },
  { label: 'daemonset', kind: 'DaemonSet' },
  { label: 'cronjob', kind: 'CronJob' },
  { label: 'job_name', kind: 'Job' },
  { label: 'replicaset', kind: 'ReplicaSet' },
  { label: 'pod', kind: 'Pod' },
  { label: 'service', kind: 'Service' },
  { label: 'job', kind: 'Job' },
  { label: 'node', kind: 'Node' },
  { label: 'namespace', kind: 'Namespace' },
];

/** What the label `severity` means, in the words of the common rule sets; what is not here is `medium`. */
export const defaultAlertSeverities: Readonly<Record<string, Severity>> = {
  critical: 'critical',
  page: 'critical',
  high: 'high',
  error: 'high',
  warning: 'medium',
  medium: 'medium',
  low: 'low',
  info: 'low',
};

/** The value of the label `severity` with which rule sets say that an alert is about nothing (Watchdog, InfoInhibitor). */
export const noAlertSeverity = 'none';
