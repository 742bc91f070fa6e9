/** One resource of the API that can be watched. */
export type Resource = {
  /** `''` for the core group. */
  readonly group: string;
  /** Versions we can read, the preferred one first. */
  readonly versions: readonly [string, ...string[]];
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** Only the metadata is asked for (`PartialObjectMetadata`): the data never leaves the API server. */
  readonly metadataOnly?: boolean;
  /** Readiness needs it: without it the operator would be blind. */
  readonly required?: boolean;
  /** Watched in this namespace only. */
  readonly namespace?: string;
};

/**
 * What is watched when it is served and allowed, one row per resource. Order is the order of the first lists: what readiness
 * waits for comes first, and the others come while the server is busy with the pages of Pods.
 */
export const watchedResources: readonly Resource[] = [
  { group: '', versions: ['v1'], plural: 'namespaces', kind: 'Namespace', namespaced: false, required: true },
  { group: '', versions: ['v1'], plural: 'nodes', kind: 'Node', namespaced: false, required: true },
  { group: '', versions: ['v1'], plural: 'pods', kind: 'Pod', namespaced: true, required: true },
  { group: 'apps', versions: ['v1'], plural: 'deployments', kind: 'Deployment', namespaced: true },
  { group: 'apps', versions: ['v1'], plural: 'replicasets', kind: 'ReplicaSet', namespaced: true },
  { group: 'apps', versions: ['v1'], plural: 'statefulsets', kind: 'StatefulSet', namespaced: true },
  { group: 'apps', versions: ['v1'], plural: 'daemonsets', kind: 'DaemonSet', namespaced: true },
  { group: 'batch', versions: ['v1'], plural: 'jobs', kind: 'Job', namespaced: true },
  { group: '', versions: ['v1'], plural: 'configmaps', kind: 'ConfigMap', namespaced: true, metadataOnly: true },
];

/** The name of a resource in coverage, metrics and logs: `pods`, `deployments.apps`. */
export function sourceOf(resource: Pick<Resource, 'group' | 'plural'>): string {
  return resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;
}

/** `v1`, `apps/v1`. */
export function apiVersionOf(resource: Pick<Resource, 'group'>, version: string): string {
  return resource.group === '' ? version : `${resource.group}/${version}`;
}

/** Which object or collection a path leads to. A namespaced resource without `namespace` means all namespaces. */
export type Place = { readonly namespace?: string; readonly name?: string; readonly subresource?: string };

/** The absolute path of a collection, an object or its subresource: `/apis/apps/v1/namespaces/shop/deployments/api/status`. */
export function pathOf(
  resource: Pick<Resource, 'group' | 'plural' | 'namespaced' | 'namespace'>,
  version: string,
  place: Place = {},
): string {
  const namespace = resource.namespaced ? (place.namespace ?? resource.namespace) : undefined;
  return [
    resource.group === '' ? '/api' : `/apis/${resource.group}`,
    version,
    ...(namespace === undefined ? [] : ['namespaces', encodeURIComponent(namespace)]),
    resource.plural,
    ...(place.name === undefined ? [] : [encodeURIComponent(place.name)]),
    ...(place.subresource === undefined ? [] : [place.subresource]),
  ].join('/');
}
