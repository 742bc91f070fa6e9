import type { Fields } from './object.ts';

/** One served resource. */
export type Resource = {
  readonly group: string;
  readonly version: string;
  /** Versions with the same fields that are served besides (custom resources). */
  readonly otherVersions?: readonly string[];
  /** As which version its objects are stored, where that is another. */
  readonly storedVersion?: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly hasStatus: boolean;
  /** metadata.generation counts changes of anything but metadata and status. */
  readonly counts: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** The openAPIV3Schema of a custom resource; absent for built-in kinds. */
  readonly schema?: Fields;
  /** PUT must name the version it saw (custom resources, Leases). */
  readonly needsVersion: boolean;
};

/** How resources are named in code, RBAC and coverage: `pods`, `deployments.apps`. */
export function resourceKey(resource: Pick<Resource, 'group' | 'plural'>): string {
  return resource.group ? `${resource.plural}.${resource.group}` : resource.plural;
}

/** `v1`, `apps/v1`. */
export function apiVersionOf(resource: Pick<Resource, 'group' | 'version'>): string {
  return resource.group ? `${resource.group}/${resource.version}` : resource.version;
}

/** What a row says: N namespaced, S status subresource, G generation. */
type Row = readonly [groupVersion: string, kind: string, plural: string, traits: string, shortName?: string];

/** The built-in resources of the watch table (docs/contributing/architecture.md) and what the controllers and the kubelet need. */
const rows: readonly Row[] = [
  ['v1', 'Pod', 'pods', 'NSG', 'po'],
  ['v1', 'Node', 'nodes', 'S', 'no'],
  ['v1', 'Namespace', 'namespaces', 'S', 'ns'],
  ['v1', 'Service', 'services', 'NS', 'svc'],
  ['v1', 'PersistentVolumeClaim', 'persistentvolumeclaims', 'NS', 'pvc'],
  ['v1', 'PersistentVolume', 'persistentvolumes', 'S', 'pv'],
  ['v1', 'ReplicationController', 'replicationcontrollers', 'NSG', 'rc'],
  ['v1', 'ResourceQuota', 'resourcequotas', 'NS', 'quota'],
  ['v1', 'LimitRange', 'limitranges', 'N', 'limits'],
  ['v1', 'ServiceAccount', 'serviceaccounts', 'N', 'sa'],
  ['v1', 'ConfigMap', 'configmaps', 'N', 'cm'],
  ['v1', 'Secret', 'secrets', 'N'],
  ['v1', 'Event', 'events', 'N', 'ev'],
  ['events.k8s.io/v1', 'Event', 'events', 'N', 'ev'],
  ['apps/v1', 'Deployment', 'deployments', 'NSG', 'deploy'],
  ['apps/v1', 'ReplicaSet', 'replicasets', 'NSG', 'rs'],
  ['apps/v1', 'StatefulSet', 'statefulsets', 'NSG', 'sts'],
  ['apps/v1', 'DaemonSet', 'daemonsets', 'NSG', 'ds'],
  ['apps/v1', 'ControllerRevision', 'controllerrevisions', 'N'],
  ['batch/v1', 'Job', 'jobs', 'NSG'],
  ['batch/v1', 'CronJob', 'cronjobs', 'NSG', 'cj'],
  ['autoscaling/v2', 'HorizontalPodAutoscaler', 'horizontalpodautoscalers', 'NS', 'hpa'],
  ['policy/v1', 'PodDisruptionBudget', 'poddisruptionbudgets', 'NSG', 'pdb'],
  ['discovery.k8s.io/v1', 'EndpointSlice', 'endpointslices', 'NG'],
  ['networking.k8s.io/v1', 'Ingress', 'ingresses', 'NSG', 'ing'],
  ['networking.k8s.io/v1', 'IngressClass', 'ingressclasses', 'G'],
  ['networking.k8s.io/v1', 'NetworkPolicy', 'networkpolicies', 'NG', 'netpol'],
  ['networking.k8s.io/v1', 'ServiceCIDR', 'servicecidrs', 'S'],
  ['node.k8s.io/v1', 'RuntimeClass', 'runtimeclasses', ''],
  ['storage.k8s.io/v1', 'StorageClass', 'storageclasses', '', 'sc'],
  ['storage.k8s.io/v1', 'VolumeAttachment', 'volumeattachments', 'S'],
  ['storage.k8s.io/v1', 'CSIDriver', 'csidrivers', ''],
  ['storage.k8s.io/v1', 'CSINode', 'csinodes', ''],
  ['admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', 'validatingwebhookconfigurations', 'G'],
  ['admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration', 'mutatingwebhookconfigurations', 'G'],
  ['admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', 'validatingadmissionpolicies', 'SG'],
  ['admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicyBinding', 'validatingadmissionpolicybindings', 'G'],
  ['apiregistration.k8s.io/v1', 'APIService', 'apiservices', 'S'],
  ['apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'customresourcedefinitions', 'SG', 'crd'],
  ['coordination.k8s.io/v1', 'Lease', 'leases', 'NV'],
  ['certificates.k8s.io/v1', 'CertificateSigningRequest', 'certificatesigningrequests', 'S', 'csr'],
  ['resource.k8s.io/v1', 'ResourceClaim', 'resourceclaims', 'NS'],
  ['resource.k8s.io/v1', 'ResourceSlice', 'resourceslices', 'G'],
  ['scheduling.k8s.io/v1', 'PriorityClass', 'priorityclasses', 'G', 'pc'],
  ['flowcontrol.apiserver.k8s.io/v1', 'FlowSchema', 'flowschemas', 'SG'],
  ['rbac.authorization.k8s.io/v1', 'ClusterRole', 'clusterroles', ''],
  ['rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', 'clusterrolebindings', ''],
  ['rbac.authorization.k8s.io/v1', 'Role', 'roles', 'N'],
  ['rbac.authorization.k8s.io/v1', 'RoleBinding', 'rolebindings', 'N'],
];

/** Splits `apps/v1` into group and version; the core group is empty. */
export function splitApiVersion(apiVersion: string): { group: string; version: string } {
  const [first = '', second] = apiVersion.split('/');
  return second === undefined ? { group: '', version: first } : { group: first, version: second };
}

/** The built-in resources. */
export const builtInResources: readonly Resource[] = rows.map(([groupVersion, kind, plural, traits, shortName]) => ({
  ...splitApiVersion(groupVersion),
  plural,
  singular: kind.toLowerCase(),
  kind,
  namespaced: traits.includes('N'),
  hasStatus: traits.includes('S'),
  counts: traits.includes('G'),
  needsVersion: traits.includes('V'),
  shortNames: shortName ? [shortName] : [],
  categories: [],
}));

/** The resources served now: built-in ones and those that CustomResourceDefinitions add. */
export type Registry = {
  /** By `pods`, `deployments.apps`. */
  byKey(key: string): Resource | undefined;
  at(group: string, version: string, plural: string): Resource | undefined;
  all(): readonly Resource[];
  define(resource: Resource): void;
  forget(key: string): void;
};

/** Whether a resource is served in a version. */
export function isServedIn({ version, otherVersions = [] }: Resource, asked: string): boolean {
  return version === asked || otherVersions.includes(asked);
}

/** A registry with the built-in resources, one version of each. */
export function createRegistry(): Registry {
  const resources = new Map(builtInResources.map((resource) => [resourceKey(resource), resource]));
  return {
    byKey: (key) => resources.get(key),
    at(group, version, plural) {
      const resource = resources.get(resourceKey({ group, plural }));
      if (resource === undefined || !isServedIn(resource, version)) return undefined;
      return resource.version === version ? resource : { ...resource, version, storedVersion: resource.version };
    },
    all: () => [...resources.values()],
    define: (resource) => void resources.set(resourceKey(resource), resource),
    forget: (key) => void resources.delete(key),
  };
}
