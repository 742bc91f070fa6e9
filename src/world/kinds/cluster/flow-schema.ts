import { fieldsOf, textOf } from '../../reading/fields.ts';
import { type WatchedKind, watched } from '../../reading/kind.ts';
import { type Condition, conditionsOf, type Meta } from '../../reading/meta.ts';

/** flowcontrol.apiserver.k8s.io FlowSchema: whose requests go to which priority level. */
export type FlowSchemaView = Meta & {
  readonly kind: 'FlowSchema';
  readonly priorityLevel: string;
  readonly conditions: readonly Condition[];
};

/** flowcontrol.apiserver.k8s.io FlowSchema. */
export const flowSchemas: WatchedKind<FlowSchemaView> = watched({
  group: 'flowcontrol.apiserver.k8s.io',
  versions: ['v1', 'v1beta3'],
  kind: 'FlowSchema',
  namespaced: false,
  fields: ({ raw, spec, meta }) => ({
    priorityLevel: textOf(fieldsOf(spec.priorityLevelConfiguration).name) ?? '',
    conditions: conditionsOf(raw, meta.createdAt),
  }),
});
