import type { ChangeField } from '../../model/change-field.ts';
import { describeRef, type Ref } from '../../model/ref.ts';
import { listOf, record, ref, type Shape, tableOf, text } from '../../model/shape.ts';
import type { Labels } from '../../model/subject.ts';
import type { RoleBindingView, RoleView } from '../kinds/cluster/access.ts';
import type { Projection } from '../kinds/kinds.ts';
import { accessKinds } from '../reading/access-kinds.ts';
import { type AccessRule, takenFrom } from '../reading/access-rule.ts';

/** What a role or binding granted before it was edited or deleted: by it is known who lost what. */
export type Granted = {
  readonly rules?: readonly AccessRule[];
  /** By which other roles gather it. */
  readonly labels?: Labels;
  readonly role?: Ref;
  readonly subjects?: readonly Ref[];
};

/** An edit of what is granted, with where managedFields records it. */
type AccessEdit = {
  readonly field: ChangeField;
  readonly parts?: readonly string[];
  readonly from?: string;
  readonly to?: string;
  readonly path: readonly string[];
  readonly was: Granted;
};

/** An object that grants rights. */
export type AccessView =
  | RoleView<'Role'>
  | RoleView<'ClusterRole'>
  | RoleBindingView<'RoleBinding'>
  | RoleBindingView<'ClusterRoleBinding'>;

/** What is lost is named so often at most. */
const maxLost = 5;

/** Whether an object grants rights. */
export const isAccess = (view: Projection): view is AccessView => accessKinds.includes(view.kind);

/** What an object grants. */
export function grantedBy(view: AccessView): Granted {
  if ('role' in view) return { role: view.role, subjects: view.subjects };
  return { rules: view.rules, ...(view.kind === 'ClusterRole' && { labels: gathering(view.labels) }) };
}

/** Labels by which ClusterRoles are gathered into others, by the convention of the built-in ones. */
const gathering = (labels: Labels): Labels =>
  Object.fromEntries(Object.entries(labels).filter(([key]) => key.includes('aggregate')));

const lostParts = (parts: readonly string[]) => (parts.length === 0 ? {} : { parts });

function editsOfRole({ rules: old = [], labels: had = {} }: Granted, { rules = [], labels = {} }: Granted) {
  const edits: Omit<AccessEdit, 'was'>[] = [];
  if (old.join('\n') !== rules.join('\n'))
    edits.push({ field: 'rules', ...lostParts(takenFrom(old, rules, maxLost)), path: ['f:rules'] });
  const lost = Object.entries(had).filter(([key, value]) => labels[key] !== value);
  if (lost.length > 0)
    edits.push({
      field: 'labels',
      parts: lost.map(([key, value]) => `${key}=${value}`).slice(0, maxLost),
      path: ['f:metadata', 'f:labels'],
    });
  return edits;
}

function editsOfBinding({ role: had, subjects: old = [] }: Granted, { role, subjects = [] }: Granted) {
  const edits: Omit<AccessEdit, 'was'>[] = [];
  if (had !== undefined && role !== undefined && had !== role)
    edits.push({ field: 'roleRef', from: describeRef(had), to: describeRef(role), path: ['f:roleRef'] });
  const lost = old.filter((subject) => !subjects.includes(subject));
  if (lost.length > 0 || subjects.length > old.length)
    edits.push({ field: 'subjects', ...lostParts(lost.map(describeRef).slice(0, maxLost)), path: ['f:subjects'] });
  return edits;
}

/** What was edited of what is granted. */
export function editsOfAccess(was: Granted, after: AccessView): readonly AccessEdit[] {
  const is = grantedBy(after);
  const edits = 'role' in after ? editsOfBinding(was, is) : editsOfRole(was, is);
  return edits.map((edit) => ({ ...edit, was }));
}

/** What an object granted, as it is saved. */
export const granted: Shape<Granted> = record<Granted>(
  {},
  { rules: listOf(text), labels: tableOf(text), role: ref, subjects: listOf(ref) },
);
