import type { Resource } from '../model/resource.ts';

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
