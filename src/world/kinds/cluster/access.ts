import { type Ref, refOf } from '../../../model/ref.ts';
import { type AccessRule, rulesOf } from '../../reading/access-rule.ts';
import { type Fields, fieldsOf, given, listOf, textOf } from '../../reading/fields.ts';
import { type WatchedKind, watched } from '../../reading/kind.ts';
import { type LabelSelector, labelSelectorOf } from '../../reading/label-selector.ts';
import type { Meta } from '../../reading/meta.ts';

type RoleKind = 'Role' | 'ClusterRole';
type BindingKind = `${RoleKind}Binding`;

/** rbac.authorization.k8s.io/v1 Role or ClusterRole: what it grants. */
export type RoleView<K extends RoleKind = RoleKind> = Meta & {
  readonly kind: K;
  readonly rules: readonly AccessRule[];
  /** Of which ClusterRoles a controller puts its rules together. Absent: it has rules of its own. */
  readonly gathers?: readonly LabelSelector[];
};

/** rbac.authorization.k8s.io/v1 RoleBinding or ClusterRoleBinding: whom it grants a role. */
export type RoleBindingView<K extends BindingKind = BindingKind> = Meta & {
  readonly kind: K;
  readonly role: Ref;
  /** Those that a program can be: ServiceAccounts, and `Group//system:serviceaccounts:shop` where it is by group. */
  readonly subjects: readonly Ref[];
};

/** Whom a subject names; `undefined` of people, Nodes and components. */
function subjectOf({ kind, name, namespace }: Fields): Ref | undefined {
  const named = textOf(name) ?? '';
  if (kind === 'ServiceAccount') return refOf('ServiceAccount', textOf(namespace), named);
  if (kind === 'Group' && (named === 'system:authenticated' || /^system:serviceaccounts(?::|$)/.test(named)))
    return refOf('Group', '', named);
  const [, home, account] = (kind === 'User' && /^system:serviceaccount:([^:]+):([^:]+)$/.exec(named)) || [];
  return account === undefined ? undefined : refOf('ServiceAccount', home, account);
}

const rows = { group: 'rbac.authorization.k8s.io', managedFields: true } as const;

function roleRow<K extends RoleKind>(kind: K): WatchedKind<RoleView<K>> {
  return watched({
    ...rows,
    kind,
    namespaced: kind === 'Role',
    fields({ raw }) {
      const selectors = listOf(fieldsOf(raw.aggregationRule).clusterRoleSelectors);
      const gathers = selectors.flatMap((selector) => labelSelectorOf(selector) ?? []);
      return { rules: rulesOf(listOf(raw.rules)), ...given({ gathers: gathers.length > 0 ? gathers : undefined }) };
    },
  });
}

function bindingRow<K extends BindingKind>(kind: K): WatchedKind<RoleBindingView<K>> {
  return watched({
    ...rows,
    kind,
    namespaced: kind === 'RoleBinding',
    fields({ raw, namespace }) {
      const { kind: roleKind, name } = fieldsOf(raw.roleRef);
      const isRole = roleKind === 'Role';
      return {
        role: refOf(isRole ? 'Role' : 'ClusterRole', isRole ? namespace : undefined, textOf(name) ?? ''),
        subjects: [...new Set(listOf(raw.subjects).flatMap((subject) => subjectOf(subject) ?? []))].sort(),
      };
    },
    links: ({ role, subjects }) => [role, ...subjects].map((to) => ({ type: 'grants', to })),
  });
}

/** rbac.authorization.k8s.io/v1 Role: never a finding, but an edit of it can be why a program is refused what it needs. */
export const roles = roleRow('Role');
/** rbac.authorization.k8s.io/v1 ClusterRole. */
export const clusterRoles = roleRow('ClusterRole');
/** rbac.authorization.k8s.io/v1 RoleBinding. */
export const roleBindings = bindingRow('RoleBinding');
/** rbac.authorization.k8s.io/v1 ClusterRoleBinding. */
export const clusterRoleBindings = bindingRow('ClusterRoleBinding');
