import { refOf } from '../../../model/ref.ts';
import { type Fields, fieldsOf, given, listOf, numberOf, textOf } from '../../reading/fields.ts';
import type { WatchedKind } from '../../reading/kind.ts';
import { type Meta, metaOf } from '../../reading/meta.ts';

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
export const csiDrivers: WatchedKind<CSIDriverView> = {
  group: 'storage.k8s.io',
  versions: ['v1'],
  plural: 'csidrivers',
  kind: 'CSIDriver',
  namespaced: false,
  withoutManagedFields: true,
  project: (raw) => ({
    ...metaOf('CSIDriver', raw),
    kind: 'CSIDriver',
    attaches: fieldsOf(raw.spec).attachRequired !== false,
  }),
};

function projectNode(raw: Fields): CSINodeView {
  return {
    ...metaOf('CSINode', raw),
    kind: 'CSINode',
    drivers: listOf(fieldsOf(raw.spec).drivers).map(({ name, allocatable }) => ({
      name: textOf(name) ?? '',
      ...given({ volumes: numberOf(fieldsOf(allocatable).count) }),
    })),
  };
}

/** storage.k8s.io/v1 CSINode. */
export const csiNodes: WatchedKind<CSINodeView> = {
  group: 'storage.k8s.io',
  versions: ['v1'],
  plural: 'csinodes',
  kind: 'CSINode',
  namespaced: false,
  withoutManagedFields: true,
  project: projectNode,
  links: ({ ref }) => [{ type: 'describes', to: refOf('Node', '', ref.slice('CSINode//'.length)) }],
  fingerprintForDependents: ({ drivers }) => [drivers.map(({ name }) => name)],
};
