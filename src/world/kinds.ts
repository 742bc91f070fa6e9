import { qualifiedKind } from '../model/ref.ts';
import { type Resource, sourceOf } from '../model/resource.ts';
import { type CustomResourceView, customResources, isCustomKind } from './custom-resource.ts';
import type { WatchedKind } from './kind.ts';
import {
  mutatingAdmissionPolicies,
  mutatingAdmissionPolicyBindings,
  validatingAdmissionPolicies,
  validatingAdmissionPolicyBindings,
} from './kinds/admission-policy.ts';
import { apiServers } from './kinds/api-server.ts';
import { apiServices } from './kinds/api-service.ts';
import { horizontalPodAutoscalers, verticalPodAutoscalers } from './kinds/autoscaler.ts';
import { certificateSigningRequests, podCertificateRequests } from './kinds/certificate-request.ts';
import { configMaps } from './kinds/config-map.ts';
import { cronJobs } from './kinds/cron-job.ts';
import { csiDrivers, csiNodes } from './kinds/csi.ts';
import { customResourceDefinitions } from './kinds/custom-resource-definition.ts';
import { podDisruptionBudgets } from './kinds/disruption-budget.ts';
import { endpointSlices } from './kinds/endpoint-slice.ts';
import { events } from './kinds/event.ts';
import { flowSchemas } from './kinds/flow-schema.ts';
import { backendTLSPolicies, gatewayClasses, gateways, grpcRoutes, httpRoutes, tlsRoutes } from './kinds/gateway.ts';
import { ingressClasses, ingresses } from './kinds/ingress.ts';
import { jobs } from './kinds/job.ts';
import { leases } from './kinds/lease.ts';
import { namespaces } from './kinds/namespace.ts';
import { networkPolicies } from './kinds/network-policy.ts';
import { nodes } from './kinds/node.ts';
import { nodeStats } from './kinds/node-stats.ts';
import { tocsins } from './kinds/own-sight.ts';
import { persistentVolumes } from './kinds/persistent-volume.ts';
import { persistentVolumeClaims } from './kinds/persistent-volume-claim.ts';
import { pods } from './kinds/pod.ts';
import { limitRanges, resourceQuotas } from './kinds/quota.ts';
import { referenceGrants } from './kinds/reference-grant.ts';
import { priorityClasses, runtimeClasses } from './kinds/required.ts';
import { resourceClaims, resourceSlices } from './kinds/resource-claim.ts';
import { services } from './kinds/service.ts';
import { serviceAccounts } from './kinds/service-account.ts';
import { serviceCIDRs } from './kinds/service-cidr.ts';
import { storageClasses } from './kinds/storage-class.ts';
import { tlsSecrets } from './kinds/tls-secret.ts';
import { volumeAttachments } from './kinds/volume-attachment.ts';
import { volumeSnapshots } from './kinds/volume-snapshot.ts';
import { mutatingWebhookConfigurations, validatingWebhookConfigurations } from './kinds/webhook-configuration.ts';
import { daemonSets, deployments, replicaSets, replicationControllers, statefulSets } from './kinds/workload.ts';

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
  leases,
  events,
] as const;

/** What is watched besides where there is a licence and the cluster allows it. */
const opted = [tlsSecrets] as const;

/** What is asked for instead, and held as objects are. */
const asked = [nodeStats, apiServers, tocsins] as const;

/** A compact view of one object, told apart by `kind`. */
export type Projection =
  | ReturnType<(typeof table | typeof opted | typeof asked)[number]['project']>
  | CustomResourceView;

/** The view of one kind. */
export type ViewOf<K extends Projection['kind']> = Projection & { readonly kind: K };

/** Every kind that is watched and held in any cluster; custom resources come besides. */
export const watchedKinds: readonly WatchedKind<Projection>[] = table;

/** Every kind that is watched where there is a licence and the cluster allows it. */
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
