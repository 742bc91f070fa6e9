import type { RawObject } from '../../src/model/raw-object.ts';

const metadataOf = (path: string, time: string, fields: readonly string[], manager: string) => {
  const [name = '', namespace] = path.split('/').reverse();
  return {
    ...{ name, uid: path, creationTimestamp: '2026-05-01T00:00:00Z' },
    ...(namespace !== undefined && { namespace }),
    managedFields: [
      { manager, operation: 'Update', time, fieldsV1: Object.fromEntries(fields.map((field) => [`f:${field}`, {}])) },
    ],
  };
};

const listed = (text = ''): readonly string[] => text.split(',');

/** Who wrote an object, and when (RFC 3339). */
type Written = { readonly at?: string; readonly by?: string; readonly [field: string]: unknown };

/** A Role (`shop/peers`) or ClusterRole (`peers`) with rules such as `get,list endpoints` and `list deployments apps`. */
export function roleOf(path: string, rules: readonly string[], { at, by, ...more }: Written = {}): RawObject {
  return {
    ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: path.includes('/') ? 'Role' : 'ClusterRole' },
    ...more,
    metadata: {
      ...metadataOf(path, at ?? '2026-05-01T00:00:00Z', ['rules'], by ?? 'kubectl'),
      ...Object(more.metadata),
    },
    rules: rules.map((rule) => {
      const [verbs, resources, groups] = rule.split(' ');
      return { verbs: listed(verbs), resources: listed(resources), apiGroups: listed(groups) };
    }),
  };
}

/** A RoleBinding (`shop/broker`) or ClusterRoleBinding (`broker`) of a role (`Role/peers`) to accounts (`shop/broker`). */
export function bindingOf(
  path: string,
  role: string,
  accounts: readonly string[],
  { at, by }: Written = {},
): RawObject {
  const [kind, name] = role.split('/');
  return {
    ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: path.includes('/') ? 'RoleBinding' : 'ClusterRoleBinding' },
    metadata: metadataOf(path, at ?? '2026-05-01T00:00:00Z', ['roleRef', 'subjects'], by ?? 'kubectl'),
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
    subjects: accounts.map((account) => {
      const [namespace, of] = account.split('/');
      return { kind: 'ServiceAccount', namespace, name: of };
    }),
  };
}
