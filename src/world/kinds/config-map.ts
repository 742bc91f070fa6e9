import { type Fields, given } from '../fields.ts';
import type { WatchedKind } from '../kind.ts';
import { lastWrite, type Meta, metaOf } from '../meta.ts';

/** core/v1 ConfigMap, known by its metadata only: `dataChangedAt` is the newest time of a managedFields entry that owns data. */
export type ConfigMapView = Meta & {
  readonly kind: 'ConfigMap';
  readonly dataChangedAt?: number;
  readonly dataChangedBy?: string;
};

function project(raw: Fields): ConfigMapView {
  const writes = [lastWrite(raw, 'f:data'), lastWrite(raw, 'f:binaryData')].filter((write) => write !== undefined);
  const newest = writes.sort((a, b) => b.at - a.at)[0];
  return {
    ...metaOf('ConfigMap', raw),
    kind: 'ConfigMap',
    ...given({ dataChangedAt: newest?.at, dataChangedBy: newest?.by }),
  };
}

/** core/v1 ConfigMap by its metadata: when a manager that owns data last wrote. */
export const configMaps: WatchedKind<ConfigMapView> = {
  group: '',
  versions: ['v1'],
  plural: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
  metadataOnly: true,
  project,
};
