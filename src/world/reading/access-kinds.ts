import { kindOf, type Ref, refOf } from '../../model/ref.ts';

/** Kinds by which the API server grants rights. */
export const accessKinds: readonly string[] = ['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding'];

/** Whether an object grants rights. */
export const isOfAccess = (ref: Ref): boolean => accessKinds.includes(kindOf(ref));

/** The groups that every ServiceAccount of a namespace is in. */
export const groupsOf = (namespace: string): readonly Ref[] =>
  ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'].map((group) =>
    refOf('Group', '', group),
  );
