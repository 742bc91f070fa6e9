import { kindOf, type Ref } from '../../../src/model/ref.ts';

/** Kinds of roots, by what people have to look at. */
const families = {
  workload: ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'ReplicationController', 'Pod'],
  job: ['Job', 'CronJob'],
  configuration: ['ConfigMap', 'Secret', 'ServiceAccount', 'PriorityClass', 'RuntimeClass'],
  node: ['Node', 'Zone', 'NodePool', 'NodeGroup'],
  registry: ['Registry'],
  network: ['Service', 'Ingress', 'NetworkPolicy', 'Gateway', 'GatewayClass', 'HTTPRoute', 'GRPCRoute', 'TLSRoute'],
  storage: ['PersistentVolumeClaim', 'PersistentVolume', 'StorageClass', 'CSIDriver', 'VolumeSnapshot'],
  limits: ['ResourceQuota', 'LimitRange', 'HorizontalPodAutoscaler', 'PodDisruptionBudget'],
  outside: ['ExternalEndpoint'],
} as const;

/** What a root belongs to; `cluster` is everything that drives the API and everything else. */
export type Family = keyof typeof families | 'cluster';

const familyOfKind = new Map<string, Family>(
  Object.entries(families).flatMap(([family, kinds]) => kinds.map((kind) => [kind, family as Family] as const)),
);

/** The families, in the order in which tables list them. */
export const allFamilies: readonly Family[] = [
  ...['workload', 'job', 'configuration', 'node', 'registry', 'network', 'storage', 'limits', 'outside'],
  'cluster',
] as readonly Family[];

/** The family of a root. */
export function familyOf(root: Ref): Family {
  return familyOfKind.get(kindOf(root)) ?? 'cluster';
}
