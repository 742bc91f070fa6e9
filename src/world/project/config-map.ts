import { type Fields, given } from '../fields.ts';
import type { MetadataView } from '../projection.ts';
import { lastWrite, metaOf } from './meta.ts';

/** core/v1 ConfigMap by its metadata (PartialObjectMetadata): when a manager that owns data last wrote. */
export function projectConfigMap(raw: Fields): MetadataView {
  const writes = [lastWrite(raw, 'f:data'), lastWrite(raw, 'f:binaryData')].filter((write) => write !== undefined);
  const newest = writes.sort((a, b) => b.at - a.at)[0];
  return {
    ...metaOf('ConfigMap', raw),
    kind: 'ConfigMap',
    ...given({ dataChangedAt: newest?.at, dataChangedBy: newest?.by }),
  };
}
