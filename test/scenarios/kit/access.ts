import type { Manifest } from './manifests.ts';
import { split } from './manifests.ts';

const group = 'rbac.authorization.k8s.io';
const listed = (text = ''): readonly string[] => text.split(',');

/** Where an object is: `queue/peers` in a namespace, `peers` in none. */
function metadataOf(place: string): { readonly name: string; readonly namespace?: string } {
  return place.includes('/') ? split(place) : { name: place };
}

/** Rules such as `get,list endpoints` and `list,watch deployments apps`. */
export const rulesOf = (...rules: readonly string[]): readonly object[] =>
  rules.map((rule) => {
    const [verbs, resources, groups] = rule.split(' ');
    return { verbs: listed(verbs), resources: listed(resources), apiGroups: listed(groups) };
  });

/** Accounts such as `queue/rabbitmq`, as a binding names them. */
export const accountsOf = (...places: readonly string[]): readonly object[] =>
  places.map((place) => ({ kind: 'ServiceAccount', ...split(place) }));

/** A Role (`queue/peers`) or a ClusterRole (`peers`). */
export const role = (place: string, ...rules: readonly string[]): Manifest => ({
  ...{ apiVersion: `${group}/v1`, kind: place.includes('/') ? 'Role' : 'ClusterRole' },
  ...{ metadata: metadataOf(place), rules: rulesOf(...rules) },
});

/** A RoleBinding (`queue/peers`) or a ClusterRoleBinding (`peers`) of a role (`Role/peers`) to accounts. */
export function binding(place: string, of: string, ...accounts: readonly string[]): Manifest {
  const [kind, name] = of.split('/');
  return {
    ...{ apiVersion: `${group}/v1`, kind: place.includes('/') ? 'RoleBinding' : 'ClusterRoleBinding' },
    ...{ metadata: metadataOf(place), roleRef: { apiGroup: group, kind, name }, subjects: accountsOf(...accounts) },
  };
}

/** A ServiceAccount. */
export const account = (place: string): Manifest => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: split(place),
});

/** How client-go says that a list is refused to an account: `list endpoints` in a namespace, or (`''`) in all of the cluster. */
export function refusedList(of: string, asked: string, namespace: string): string {
  const { name, namespace: home } = split(of);
  const [resource = '', apiGroup = ''] = asked.split(' ');
  const full = apiGroup === '' ? resource : `${resource}.${apiGroup}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  return `E1128 09:00:14.118203       1 reflector.go:166] "Unhandled Error" err="k8s.io/client-go/informers/factory.go:160: Failed to watch ${resource}: failed to list ${resource}: ${full} is forbidden: User \\"system:serviceaccount:${home}:${name}\\" cannot list resource \\"${resource}\\" in API group \\"${apiGroup}\\" ${where}" logger="UnhandledError"`;
}
