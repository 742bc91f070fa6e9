import { type Fields, fieldsOf, given, listOf } from '../../reading/fields.ts';
import { createPool } from '../../reading/intern.ts';
import type { WatchedKind } from '../../reading/kind.ts';
import { lastWrite, type Meta, metaOf } from '../../reading/meta.ts';

/** core/v1 ConfigMap, known by its metadata only: `dataChangedAt` is the newest time of a managedFields entry that owns data. */
export type ConfigMapView = Meta & {
  readonly kind: 'ConfigMap';
  readonly dataChangedAt?: number;
  readonly dataChangedBy?: string;
  /** The keys of its data, by who owns them (managedFields), at most 64: what they hold is not read. */
  readonly keys?: readonly string[];
};

/** Keys kept of one ConfigMap; one with so many may have more. */
export const maxKeys = 64;
/** ConfigMaps of one release have the same keys. */
const texts = createPool<string>(2000);

/** Whoever writes data owns its keys: `f:data: { f:app.yaml: {} }`. */
function keysOf(raw: Fields): readonly string[] | undefined {
  const keys = new Set<string>();
  for (const { fieldsV1 } of listOf(fieldsOf(raw.metadata).managedFields))
    for (const part of ['f:data', 'f:binaryData'])
      for (const field in fieldsOf(fieldsOf(fieldsV1)[part]))
        if (field.startsWith('f:') && keys.size < maxKeys) keys.add(texts(field.slice(2), () => field.slice(2)));
  return keys.size === 0 ? undefined : [...keys].sort();
}

function project(raw: Fields): ConfigMapView {
  const writes = [lastWrite(raw, 'f:data'), lastWrite(raw, 'f:binaryData')].filter((write) => write !== undefined);
  const newest = writes.sort((a, b) => b.at - a.at)[0];
  return {
    ...metaOf('ConfigMap', raw),
    kind: 'ConfigMap',
    ...given({ dataChangedAt: newest?.at, dataChangedBy: newest?.by, keys: keysOf(raw) }),
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
