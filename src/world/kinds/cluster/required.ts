import { type WatchedKind, watched } from '../../reading/kind.ts';
import type { Meta } from '../../reading/meta.ts';

/** What a Pod must find before it may be made, known by its name alone: whether it is there is all that anybody asks. */
export type RequiredView<K extends string> = Meta & { readonly kind: K };

/** scheduling.k8s.io/v1 PriorityClass. */
export const priorityClasses: WatchedKind<RequiredView<'PriorityClass'>> = watched({
  group: 'scheduling.k8s.io',
  plural: 'priorityclasses',
  kind: 'PriorityClass',
  namespaced: false,
  metadataOnly: true,
  fields: () => ({}),
});

/** node.k8s.io/v1 RuntimeClass. */
export const runtimeClasses: WatchedKind<RequiredView<'RuntimeClass'>> = watched({
  group: 'node.k8s.io',
  plural: 'runtimeclasses',
  kind: 'RuntimeClass',
  namespaced: false,
  metadataOnly: true,
  fields: () => ({}),
});
