/** Kinds whose conditions, Warnings and last lines signatures may fit. */
export const signatureKinds = [
  ...(['Pod', 'Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob', 'Node', 'Namespace'] as const),
  ...(['PersistentVolumeClaim', 'PersistentVolume', 'Service', 'Ingress', 'Gateway', 'HTTPRoute'] as const),
  ...(['HorizontalPodAutoscaler', 'PodDisruptionBudget', 'CustomResource'] as const),
] as const;
