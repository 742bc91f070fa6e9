import type { Labels } from '../../../model/subject.ts';
import { type Fields, fieldsOf, textOf } from '../../reading/fields.ts';
import type { WatchedKind } from '../../reading/kind.ts';
import { type Condition, conditionsOf, type Meta, metaOf } from '../../reading/meta.ts';

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

function project(raw: Fields): NamespaceView {
  const meta = metaOf('Namespace', raw);
  return {
    ...meta,
    conditions: conditionsOf(raw, meta.createdAt),
    kind: 'Namespace',
    phase: textOf(fieldsOf(raw.status).phase) ?? 'Active',
  };
}

/** core/v1 Namespace. */
export const namespaces: WatchedKind<NamespaceView> = {
  group: '',
  versions: ['v1'],
  plural: 'namespaces',
  kind: 'Namespace',
  namespaced: false,
  required: true,
  project,
  // Policies, quotas of security and webhooks choose namespaces by these.
  edited: ({ labels }) => [{ field: 'labels', says: labelsText(labels), path: ['f:metadata', 'f:labels'] }],
};
