import type { RawObject } from '../model/raw-object.ts';
import { type Fields, fieldsOf, listOf } from '../world/reading/fields.ts';

/** Whoever makes an object may write it again at once, and the clocks of Nodes differ (ms): that is no edit. */
export const makingMs = 60_000;

/** The API server counts the generation up whenever the spec has changed. */
export const isEdited = (metadata: unknown): boolean => Number(fieldsOf(metadata).generation) > 1;

/** An object with a write that nobody put a name to, in the form of managedFields. `at`: epoch milliseconds; `fieldsV1`: what was written. */
export function withWrite(raw: RawObject, at: number, fieldsV1: Fields): RawObject {
  const { metadata } = raw;
  const write = { operation: 'Update', time: new Date(at).toISOString(), fieldsType: 'FieldsV1', fieldsV1 };
  return { ...raw, metadata: { ...metadata, managedFields: [...listOf(metadata.managedFields), write] } };
}
