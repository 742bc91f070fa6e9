import type { RawObject } from '../../model/raw-object.ts';

/** Where objects of a kind are, below the API of their group. */
type Place = { readonly plural: string; readonly inNamespace: boolean };

const places: Readonly<Record<string, Place>> = {
  Namespace: { plural: 'namespaces', inNamespace: false },
  CustomResourceDefinition: { plural: 'customresourcedefinitions', inNamespace: false },
  ClusterRole: { plural: 'clusterroles', inNamespace: false },
  ClusterRoleBinding: { plural: 'clusterrolebindings', inNamespace: false },
  ServiceAccount: { plural: 'serviceaccounts', inNamespace: true },
  Role: { plural: 'roles', inNamespace: true },
  RoleBinding: { plural: 'rolebindings', inNamespace: true },
  Deployment: { plural: 'deployments', inNamespace: true },
  NetworkPolicy: { plural: 'networkpolicies', inNamespace: true },
  ResourceQuota: { plural: 'resourcequotas', inNamespace: true },
  AlertConfig: { plural: 'alertconfigs', inNamespace: true },
  Lease: { plural: 'leases', inNamespace: true },
};

/** An object that can be named: of a kind of the table. */
export type Named = Pick<RawObject, 'apiVersion' | 'kind' | 'metadata'>;

/** The path of all objects of its kind: `/apis/apps/v1/namespaces/tocsin/deployments`. Throws for a kind that nothing here installs. */
export function collectionOf({ apiVersion = '', kind = '', metadata }: Named): string {
  const place = places[kind];
  if (place === undefined) throw new Error(`nothing here installs a ${kind}`);
  const api = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return `${api}${place.inNamespace ? `/namespaces/${metadata.namespace ?? ''}` : ''}/${place.plural}`;
}

/** The object's own path. */
export const pathOf = (object: Named): string => `${collectionOf(object)}/${object.metadata.name}`;

/** `deployment/tocsin`, as kubectl writes it. */
export const nameOf = ({ kind = '', metadata }: Named): string => `${kind.toLowerCase()}/${metadata.name}`;
