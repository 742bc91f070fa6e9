import type { Labels } from '../../../model/subject.ts';
import { textOf } from '../../reading/fields.ts';
import { type WatchedKind, watched } from '../../reading/kind.ts';
import { type Condition, conditionsOf, type Meta } from '../../reading/meta.ts';

/** core/v1 Namespace. */
export type NamespaceView = Meta & {
  readonly kind: 'Namespace';
  readonly phase: string;
  /** What holds up its deletion. */
  readonly conditions: readonly Condition[];
};

/** It repeats the name, and nobody can edit it (KEP-2161). */
const ownName = 'kubernetes.io/metadata.name';

/** `team=shop,tier=web`; without any, `none`. */
const labelsText = (labels: Labels): string =>
  Object.entries(labels)
    .filter(([key]) => key !== ownName)
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join() || 'none';

/** core/v1 Namespace. */
export const namespaces: WatchedKind<NamespaceView> = watched({
  group: '',
  kind: 'Namespace',
  namespaced: false,
  managedFields: true,
  required: true,
  fields: ({ raw, status, meta }) => ({
    conditions: conditionsOf(raw, meta.createdAt),
    phase: textOf(status.phase) ?? 'Active',
  }),
  // Policies, quotas of security and webhooks choose namespaces by these.
  edited: ({ labels }) => [{ field: 'labels', says: labelsText(labels), path: ['f:metadata', 'f:labels'] }],
});
