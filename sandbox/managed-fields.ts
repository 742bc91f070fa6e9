import { isDeepStrictEqual } from 'node:util';
import { conflict } from './failure.ts';
import { changedFields, difference, intersection, type ListKeys, pathsOf, union, withoutFields } from './field-sets.ts';
import { type Fields, fieldAt, isFields, type KubeObject, type ManagedFields, timestamp } from './object.ts';
import { mergeByKeys } from './patch.ts';
import { apiVersionOf, type Resource } from './resources.ts';

/** Who writes, through which door, and when (epoch milliseconds). */
export type Author = { readonly manager: string; readonly subresource?: string; readonly at: number };

/** The metadata that people and controllers own; the rest is the server's. */
const ownedMetadata = ['labels', 'annotations', 'ownerReferences', 'finalizers'];

/** The part of an object that a write through one door may own. */
function owned(object: Fields, subresource: string | undefined): Fields {
  const { apiVersion: _version, kind: _kind, metadata, status, ...rest } = object;
  if (subresource === 'status') return status === undefined ? {} : { status };
  const kept = Object.fromEntries(
    ownedMetadata.flatMap((field) => {
      const value = fieldAt(metadata, field);
      return value === undefined ? [] : [[field, value]];
    }),
  );
  return { ...rest, ...(Object.keys(kept).length > 0 ? { metadata: kept } : {}) };
}

const sameEntry = (a: ManagedFields, author: Author, operation: ManagedFields['operation']): boolean =>
  a.manager === author.manager && a.operation === operation && a.subresource === author.subresource;

function entryOf(
  resource: Resource,
  author: Author,
  operation: ManagedFields['operation'],
  fields: Fields,
): ManagedFields {
  return {
    manager: author.manager,
    operation,
    apiVersion: apiVersionOf(resource),
    time: timestamp(author.at),
    fieldsType: 'FieldsV1',
    fieldsV1: fields,
    ...(author.subresource ? { subresource: author.subresource } : {}),
  };
}

const without = (entry: ManagedFields, fields: Fields): ManagedFields[] => {
  const left = difference(entry.fieldsV1, fields);
  return left ? [{ ...entry, fieldsV1: left }] : [];
};

/** managedFields after a create, update or patch: what changed now belongs to its author and to nobody else. */
export function afterUpdate(
  resource: Resource,
  object: KubeObject,
  before: KubeObject | undefined,
  author: Author,
  listKeys: ListKeys,
): ManagedFields[] {
  const now = owned(object, author.subresource);
  const then = before ? owned(before, author.subresource) : {};
  const changed = changedFields(now, then, listKeys) ?? {};
  const gone = difference(changedFields(then, {}, listKeys) ?? {}, changedFields(now, {}, listKeys) ?? {}) ?? {};
  const touched = union(changed, gone);
  const entries = before?.metadata.managedFields ?? [];
  if (Object.keys(touched).length === 0) return entries;
  const mine = entries.find((entry) => sameEntry(entry, author, 'Update'));
  const others = entries.filter((entry) => entry !== mine).flatMap((entry) => without(entry, touched));
  const fields = union((mine && difference(mine.fieldsV1, gone)) ?? {}, changed);
  return Object.keys(fields).length > 0 ? [...others, entryOf(resource, author, 'Update', fields)] : others;
}

/**
 * Server-side apply, kept simple: a configuration owns its leaves; leaves its manager owned before and no longer names
 * go, unless somebody else owns them too; a leaf of another manager with another value is a conflict unless forced.
 * Left out: set-typed lists, atomic maps and version conversion of ownership.
 */
export function applied(
  resource: Resource,
  live: KubeObject,
  configuration: Fields,
  author: Author,
  listKeys: ListKeys,
  force: boolean,
): KubeObject {
  const wanted = owned(configuration, author.subresource);
  const fields = changedFields(wanted, {}, listKeys) ?? {};
  const entries = live.metadata.managedFields ?? [];
  const mine = entries.find((entry) => sameEntry(entry, author, 'Apply'));
  const differing = changedFields(wanted, owned(live, author.subresource), listKeys) ?? {};
  let others = entries.filter((entry) => entry !== mine);
  for (const other of others) {
    const both = intersection(other.fieldsV1, differing);
    if (!both) continue;
    if (!force) throw conflictWith(resource, live, other, both);
    others = others.flatMap((entry) => (entry === other ? without(other, both) : [entry]));
  }
  const elsewhere = others.reduce<Fields>((all, entry) => union(all, entry.fieldsV1), {});
  const dropped = mine ? difference(difference(mine.fieldsV1, fields) ?? {}, elsewhere) : undefined;
  const kept = dropped ? withoutFields(live, dropped, listKeys) : live;
  const merged = mergeByKeys(kept, wanted, listKeys);
  if (!isFields(merged)) return live;
  const metadata = { ...live.metadata, ...(isFields(merged.metadata) ? merged.metadata : {}) };
  const unchanged = mine && isDeepStrictEqual(mine.fieldsV1, fields) && isDeepStrictEqual(merged, live);
  const entry = unchanged ? mine : entryOf(resource, author, 'Apply', fields);
  return { ...live, ...merged, metadata: { ...metadata, managedFields: [entry, ...others] } };
}

function conflictWith(resource: Resource, live: KubeObject, other: ManagedFields, fields: Fields): Error {
  const paths = pathsOf(fields);
  const who = `"${other.manager}"${other.subresource ? ` with subresource "${other.subresource}"` : ''}`;
  const using = other.operation === 'Update' ? ` using ${other.apiVersion}` : '';
  const failure = conflict(resource, live.metadata.name);
  failure.message =
    paths.length === 1
      ? `Apply failed with 1 conflict: conflict with ${who}${using}: ${paths[0]}`
      : `Apply failed with ${paths.length} conflicts: conflicts with ${who}${using}:\n${paths.map((path) => `- ${path}`).join('\n')}`;
  return failure;
}
