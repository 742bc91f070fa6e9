import { type Fields, fieldsOf, textOf } from '../fields.ts';
import type { NamespaceView } from '../projection.ts';
import { metaOf } from './meta.ts';

/** core/v1 Namespace. */
export function projectNamespace(raw: Fields): NamespaceView {
  return {
    ...metaOf('Namespace', raw),
    kind: 'Namespace',
    phase: textOf(fieldsOf(raw.status).phase) ?? 'Active',
  };
}
