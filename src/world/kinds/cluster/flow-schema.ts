import { type Fields, fieldsOf, textOf } from '../../reading/fields.ts';
import type { WatchedKind } from '../../reading/kind.ts';
import { type Condition, conditionsOf, type Meta, metaOf } from '../../reading/meta.ts';

/** flowcontrol.apiserver.k8s.io FlowSchema: whose requests go to which priority level. */
export type FlowSchemaView = Meta & {
  readonly kind: 'FlowSchema';
  readonly priorityLevel: string;
  readonly conditions: readonly Condition[];
};

function project(raw: Fields): FlowSchemaView {
  const meta = metaOf('FlowSchema', raw);
  return {
    ...meta,
    kind: 'FlowSchema',
    priorityLevel: textOf(fieldsOf(fieldsOf(raw.spec).priorityLevelConfiguration).name) ?? '',
    conditions: conditionsOf(raw, meta.createdAt),
  };
}

/** flowcontrol.apiserver.k8s.io FlowSchema. */
export const flowSchemas: WatchedKind<FlowSchemaView> = {
  group: 'flowcontrol.apiserver.k8s.io',
  versions: ['v1', 'v1beta3'],
  plural: 'flowschemas',
  kind: 'FlowSchema',
  namespaced: false,
  withoutManagedFields: true,
  project,
};
