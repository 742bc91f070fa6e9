import type { WatchedKind } from '../../reading/kind.ts';
import { type Meta, metaOf } from '../../reading/meta.ts';

/** What a Pod must find before it may be made, known by its name alone: whether it is there is all that anybody asks. */
export type RequiredView<K extends string> = Meta & { readonly kind: K };

/** scheduling.k8s.io/v1 PriorityClass. */
export const priorityClasses: WatchedKind<RequiredView<'PriorityClass'>> = {
  group: 'scheduling.k8s.io',
  versions: ['v1'],
  plural: 'priorityclasses',
  kind: 'PriorityClass',
  namespaced: false,
  metadataOnly: true,
  withoutManagedFields: true,
  project: (raw) => ({ ...metaOf('PriorityClass', raw), kind: 'PriorityClass' }),
};

/** node.k8s.io/v1 RuntimeClass. */
export const runtimeClasses: WatchedKind<RequiredView<'RuntimeClass'>> = {
  group: 'node.k8s.io',
  versions: ['v1'],
  plural: 'runtimeclasses',
  kind: 'RuntimeClass',
  namespaced: false,
  metadataOnly: true,
  withoutManagedFields: true,
  project: (raw) => ({ ...metaOf('RuntimeClass', raw), kind: 'RuntimeClass' }),
};
