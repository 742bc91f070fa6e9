import { refOf } from '../../../model/ref.ts';
import { fieldsOf, given, listOf, numberOf, textOf } from '../../reading/fields.ts';
import { type WatchedKind, watched } from '../../reading/kind.ts';
import type { Meta } from '../../reading/meta.ts';

/** storage.k8s.io/v1 CSIDriver: a driver that is installed in the cluster. */
export type CSIDriverView = Meta & {
  readonly kind: 'CSIDriver';
  /** Its volumes are attached to a Node before they are mounted there. */
  readonly attaches: boolean;
};

/** storage.k8s.io/v1 CSINode: the drivers that have registered with the kubelet of the Node of its name. */
export type CSINodeView = Meta & {
  readonly kind: 'CSINode';
  /** `volumes`: how many volumes of it the Node takes; absent: no limit is known. */
  readonly drivers: readonly { readonly name: string; readonly volumes?: number }[];
};

/** storage.k8s.io/v1 CSIDriver. */
export const csiDrivers: WatchedKind<CSIDriverView> = watched({
  group: 'storage.k8s.io',
  kind: 'CSIDriver',
  namespaced: false,
  fields: ({ spec }) => ({
    attaches: spec.attachRequired !== false,
  }),
});

/** storage.k8s.io/v1 CSINode. */
export const csiNodes: WatchedKind<CSINodeView> = watched({
  group: 'storage.k8s.io',
  kind: 'CSINode',
  namespaced: false,
  fields: ({ spec }) => ({
    drivers: listOf(spec.drivers).map(({ name, allocatable }) => ({
      name: textOf(name) ?? '',
      ...given({ volumes: numberOf(fieldsOf(allocatable).count) }),
    })),
  }),
  links: ({ ref }) => [{ type: 'describes', to: refOf('Node', '', ref.slice('CSINode//'.length)) }],
  fingerprintForDependents: ({ drivers }) => [drivers.map(({ name }) => name)],
});
