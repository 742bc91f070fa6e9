import { type Kind, redeliverAnnotation, testAnnotation } from '../api/group.ts';
import { acknowledgedPrefix } from '../model/acknowledgement.ts';
import type { RawObject } from '../model/raw-object.ts';

/** Fields of the metadata that somebody reads. Labels, finalizers and owners may be as large as an object may be at all. */
const kept = ['name', 'namespace', 'uid', 'resourceVersion', 'generation', 'creationTimestamp'] as const;
/** Annotations that ask for something. */
const read = [testAnnotation, redeliverAnnotation] as const;

/** One of our objects without what nobody reads: thousands of them are held, and whoever writes them decides how large they are. */
export function trimmed(kind: Kind, raw: RawObject): RawObject {
  const { metadata } = raw;
  const annotations = Object(metadata.annotations);
  return {
    ...raw,
    metadata: {
      name: metadata.name,
      ...picked(metadata, kept),
      ...(metadata.annotations !== undefined && {
        annotations: { ...picked(annotations, read), ...(kind === 'AlertConfig' && acknowledging(annotations)) },
      }),
      // When the one AlertConfig was written last tells a licence's time.
      ...(kind === 'AlertConfig' && { managedFields: timesOf(metadata.managedFields) }),
    },
  };
}

function picked(fields: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])));
}

/** The annotations that acknowledge incidents. */
function acknowledging(annotations: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const names = Object.keys(annotations).filter((name) => name.startsWith(acknowledgedPrefix));
  return picked(annotations, names);
}

function timesOf(managedFields: unknown): readonly { readonly time?: unknown }[] {
  return Array.isArray(managedFields) ? managedFields.map((entry) => ({ time: Object(entry).time })) : [];
}
