import { qualifiedKind } from '../../model/ref.ts';
import { type Resource, sourceOf } from '../../model/resource.ts';
import { type CustomResourceView, customResources, isCustomKind } from '../reading/custom-resource.ts';
import type { WatchedKind } from '../reading/kind.ts';
import { clusterRoleBindings, clusterRoles, roleBindings, roles } from './cluster/access.ts';
import {
  mutatingAdmissionPolicies,
  mutatingAdmissionPolicyBindings,
  validatingAdmissionPolicies,
  validatingAdmissionPolicyBindings,
} from './cluster/admission-policy.ts';
import { alerts } from './cluster/alert.ts';
import { apiServers } from './cluster/api-server.ts';
import { apiServices } from './cluster/api-service.ts';
import { certificateSigningRequests, podCertificateRequests } from './cluster/certificate-request.ts';
import { customResourceDefinitions } from './cluster/custom-resource-definition.ts';
import { events } from './cluster/event.ts';
import { flowSchemas } from './cluster/flow-schema.ts';
import { leases } from './cluster/lease.ts';
import { nodes } from './cluster/node.ts';
import { nodeStats } from './cluster/node-stats.ts';
import { tocsins } from './cluster/own-sight.ts';
import { priorityClasses, runtimeClasses } from './cluster/required.ts';
import { mutatingWebhookConfigurations, validatingWebhookConfigurations } from './cluster/webhook-configuration.ts';
import { endpointSlices } from './network/endpoint-slice.ts';
import { backendTLSPolicies, gatewayClasses, gateways, grpcRoutes, httpRoutes, tlsRoutes } from './network/gateway.ts';
import { ingressClasses, ingresses } from './network/ingress.ts';
import { networkPolicies } from './network/network-policy.ts';
import { referenceGrants } from './network/reference-grant.ts';
import { services } from './network/service.ts';
import { serviceCIDRs } from './network/service-cidr.ts';
import { tlsSecrets } from './network/tls-secret.ts';
import { csiDrivers, csiNodes } from './storage/csi.ts';
import { persistentVolumes } from './storage/persistent-volume.ts';
import { persistentVolumeClaims } from './storage/persistent-volume-claim.ts';
import { resourceClaims, resourceSlices } from './storage/resource-claim.ts';
import { storageClasses } from './storage/storage-class.ts';
import { volumeAttachments } from './storage/volume-attachment.ts';
import { volumeSnapshots } from './storage/volume-snapshot.ts';
import { horizontalPodAutoscalers, verticalPodAutoscalers } from './workloads/autoscaler.ts';

import { cronJobs } from './workloads/cron-job.ts';
import { podDisruptionBudgets } from './workloads/disruption-budget.ts';
import { jobs } from './workloads/job.ts';
import { namespaces } from './workloads/namespace.ts';
import { pods } from './workloads/pod.ts';
import { limitRanges, resourceQuotas } from './workloads/quota.ts';
import { serviceAccounts } from './workloads/service-account.ts';
import { configMaps, secretMetadata } from './workloads/settings.ts';
import { daemonSets, deployments, replicaSets, replicationControllers, statefulSets } from './workloads/workload.ts';

/**
 * The one table of what is watched, when it is served and allowed. Order is the order of the first lists: what readiness
 * waits for comes first, and the others come while the server is busy with the pages of Pods.
 */
const table = [
  namespaces,
  nodes,
  pods,
  deployments,
  replicaSets,
  statefulSets,
  daemonSets,
  jobs,
  cronJobs,
  replicationControllers,
  resourceQuotas,
  limitRanges,
  serviceAccounts,
  priorityClasses,
  runtimeClasses,
  configMaps,
  services,
  endpointSlices,
  horizontalPodAutoscalers,
  verticalPodAutoscalers,
  podDisruptionBudgets,
  apiServices,
  customResourceDefinitions,
  persistentVolumeClaims,
  persistentVolumes,
  storageClasses,
  volumeAttachments,
  csiDrivers,
  csiNodes,
  volumeSnapshots,
  resourceClaims,
  resourceSlices,
  serviceCIDRs,
  networkPolicies,
  ingressClasses,
  ingresses,
  gatewayClasses,
  gateways,
  httpRoutes,
  grpcRoutes,
  tlsRoutes,
  backendTLSPolicies,
  referenceGrants,
  validatingWebhookConfigurations,
  mutatingWebhookConfigurations,
  validatingAdmissionPolicies,
  validatingAdmissionPolicyBindings,
  mutatingAdmissionPolicies,
  mutatingAdmissionPolicyBindings,
  certificateSigningRequests,
  podCertificateRequests,
  flowSchemas,
  roles,
  clusterRoles,
  roleBindings,
  clusterRoleBindings,
  leases,
  events,
] as const;

/** What is watched besides where the cluster allows it. */
const opted = [secretMetadata, tlsSecrets] as const;

/** What is asked for instead, and held as objects are. */
const asked = [nodeStats, apiServers, tocsins, alerts] as const;

/** A compact view of one object, told apart by `kind`. */
export type Projection =
  | ReturnType<(typeof table | typeof opted | typeof asked)[number]['project']>
  | CustomResourceView;

/** The view of one kind. */
export type ViewOf<K extends Projection['kind']> = Projection & { readonly kind: K };

/** Every kind that is watched and held in any cluster; custom resources come besides. */
export const watchedKinds: readonly WatchedKind<Projection>[] = table;

/** Every kind that is watched where the cluster allows it, and is off where it does not. */
export const optedKinds: readonly WatchedKind<Projection>[] = opted;

/** Every kind that is held: those that are watched, and what is no resource of the API. */
export const heldKinds: readonly WatchedKind<Projection>[] = [...table, ...opted, ...asked];

/** The kind part of refs to objects of a row. */
export function kindInRefs({ group, kind }: Pick<WatchedKind, 'group' | 'kind'>): string {
  return qualifiedKind(group, kind);
}

const bySource = new Map(heldKinds.map((row) => [sourceOf(row), row]));
const byKind = new Map(heldKinds.map((row) => [kindInRefs(row), row]));

/** The row of a source by its name in coverage: `deployments.apps`. */
export function watchedSource(source: string): WatchedKind<Projection> | undefined {
  return bySource.get(source);
}

/** The row of the kind part of a ref. */
export function watchedKind(kind: string): WatchedKind<Projection> | undefined {
  return byKind.get(kind);
}

/** What is kept of the objects of a kind, and who is judged by them. */
export type StatedKind = Omit<WatchedKind<Projection>, keyof Resource>;

const ofCustomResources: StatedKind = customResources;

/** The same of any kind, custom resources included. */
export function statedKind(kind: string): StatedKind | undefined {
  return byKind.get(kind) ?? (isCustomKind(kind) ? ofCustomResources : undefined);
}
