/** Sets of fields in the form of managedFields (FieldsV1): trees whose keys are `f:<field>`, `k:{…}` or `.`. */
import { isDeepStrictEqual } from 'node:util';
import { type Fields, isFields } from './object.ts';

/** The keys of a list that is a map (`x-kubernetes-list-type: map`), by the path of field names to it; else `undefined`. */
export type ListKeys = (path: readonly string[]) => readonly string[] | undefined;

/** Lists of built-in kinds whose items are told apart by keys (patchMergeKey in the API types). */
const builtInListKeys: Readonly<Record<string, readonly string[]>> = {
  conditions: ['type'],
  containers: ['name'],
  initContainers: ['name'],
  env: ['name'],
  volumes: ['name'],
  volumeMounts: ['mountPath'],
  ownerReferences: ['uid'],
  addresses: ['type'],
  hostIPs: ['ip'],
  podIPs: ['ip'],
};

/** List keys of built-in kinds: by the last field name, which is unambiguous for those in the table. */
export const listKeysOfBuiltIns: ListKeys = (path) => builtInListKeys[path.at(-1) ?? ''];

/** List keys of a custom resource, from its own schema. */
export function listKeysOfSchema(schema: Fields): ListKeys {
  return (path) => {
    if (path[0] === 'metadata') return listKeysOfBuiltIns(path);
    let here: unknown = schema;
    for (const field of path) {
      if (!isFields(here)) return undefined;
      const properties = here.properties;
      here = isFields(properties) && Object.hasOwn(properties, field) ? properties[field] : here.additionalProperties;
      if (isFields(here) && here.type === 'array' && field !== path.at(-1)) here = here.items;
    }
    if (!isFields(here) || here['x-kubernetes-list-type'] !== 'map') return undefined;
    return Array.isArray(here['x-kubernetes-list-map-keys']) ? here['x-kubernetes-list-map-keys'] : undefined;
  };
}

/** `k:{"type":"Ready"}` of a list item; the same text for the same keys. */
export function itemKey(item: unknown, keys: readonly string[]): string {
  const values = keys.map((key) => [key, isFields(item) ? item[key] : undefined]);
  return `k:${JSON.stringify(Object.fromEntries(values))}`;
}

/** The items of a list by key. */
export function itemsByKey(list: readonly unknown[], keys: readonly string[]): Map<string, unknown> {
  return new Map(list.map((item) => [itemKey(item, keys), item]));
}

type Children = ReadonlyMap<string, { readonly value: unknown; readonly path: readonly string[] }>;

/** What lies below a value: fields or keyed items; `undefined` for a leaf (scalars, plain lists, empty objects). */
function childrenOf(value: unknown, path: readonly string[], listKeys: ListKeys): Children | undefined {
  if (isFields(value)) {
    const entries = Object.entries(value).filter(([, child]) => child !== undefined);
    if (entries.length === 0) return undefined;
    return new Map(entries.map(([field, child]) => [`f:${field}`, { value: child, path: [...path, field] }]));
  }
  const keys = Array.isArray(value) ? listKeys(path) : undefined;
  if (!keys || !Array.isArray(value)) return undefined;
  return new Map([...itemsByKey(value, keys)].map(([key, child]) => [key, { value: child, path }]));
}

/**
 * The fields of `value` that `before` does not have or has otherwise; all of them when `before` is absent. `undefined`
 * when there are none.
 */
export function changedFields(
  value: unknown,
  before: unknown,
  listKeys: ListKeys,
  path: readonly string[] = [],
): Fields | undefined {
  if (before !== undefined && isDeepStrictEqual(value, before)) return undefined;
  const children = childrenOf(value, path, listKeys);
  if (!children) return {};
  const beforeChildren = childrenOf(before, path, listKeys);
  const tree: Fields = {};
  for (const [key, child] of children) {
    const changed = changedFields(child.value, beforeChildren?.get(key)?.value, listKeys, child.path);
    if (changed) tree[key] = key.startsWith('k:') && !beforeChildren?.has(key) ? { '.': {}, ...changed } : changed;
  }
  return Object.keys(tree).length > 0 ? tree : undefined;
}

const isLeaf = (tree: Fields): boolean => Object.keys(tree).every((key) => key === '.');

/** Fields in either set. */
export function union(a: Fields, b: Fields): Fields {
  const result: Fields = { ...a };
  for (const [key, child] of Object.entries(b)) {
    const own = result[key];
    result[key] = isFields(own) && isFields(child) ? union(own, child) : child;
  }
  return result;
}

const isEmpty = (tree: Fields): boolean => Object.keys(tree).length === 0;

/** Fields of `a` that are not in `b`, `undefined` when none are left. Taking a leaf takes all below it. */
export function difference(a: Fields, b: Fields): Fields | undefined {
  if (isEmpty(a)) return undefined;
  return isEmpty(b) ? a : subtract(a, b);
}

function subtract(a: Fields, b: Fields): Fields | undefined {
  if (isLeaf(b) || isLeaf(a)) return undefined;
  const result: Fields = {};
  for (const [key, child] of Object.entries(a)) {
    const other = b[key];
    const left = isFields(other) && isFields(child) ? subtract(child, other) : child;
    if (left && key !== '.') result[key] = left;
  }
  if (isEmpty(result)) return undefined;
  return a['.'] && !b['.'] ? { '.': {}, ...result } : result;
}

/** Fields in both sets, `undefined` when there are none. */
export function intersection(a: Fields, b: Fields): Fields | undefined {
  return isEmpty(a) || isEmpty(b) ? undefined : common(a, b);
}

function common(a: Fields, b: Fields): Fields | undefined {
  if (isLeaf(a) || isLeaf(b)) return isLeaf(a) && isLeaf(b) ? {} : undefined;
  const result: Fields = {};
  for (const [key, child] of Object.entries(a)) {
    const other = b[key];
    if (key === '.' || !isFields(other) || !isFields(child)) continue;
    const both = common(child, other);
    if (both) result[key] = both;
  }
  return isEmpty(result) ? undefined : result;
}

/** A copy of `value` without the fields of a set; keyed items go when their `.` is in the set. */
export function withoutFields(value: unknown, tree: Fields, listKeys: ListKeys, path: readonly string[] = []): unknown {
  const keys = Array.isArray(value) ? listKeys(path) : undefined;
  if (Array.isArray(value) && keys)
    return value.flatMap((item: unknown) => {
      const child = tree[itemKey(item, keys)];
      if (!isFields(child)) return [item];
      return child['.'] ? [] : [withoutFields(item, child, listKeys, path)];
    });
  if (!isFields(value)) return value;
  const result: Fields = { ...value };
  for (const [key, child] of Object.entries(tree)) {
    const field = key.slice(2);
    if (!key.startsWith('f:') || !isFields(child) || !Object.hasOwn(result, field)) continue;
    if (isLeaf(child)) delete result[field];
    else result[field] = withoutFields(result[field], child, listKeys, [...path, field]);
  }
  return result;
}

/** The dotted paths of a set, for the text of a conflict: `.status.conditions[type="Ready"].reason`. */
export function pathsOf(tree: Fields, prefix = ''): string[] {
  if (isLeaf(tree)) return [prefix];
  return Object.entries(tree).flatMap(([key, child]) => {
    if (key === '.' || !isFields(child)) return [];
    if (key.startsWith('f:')) return pathsOf(child, `${prefix}.${key.slice(2)}`);
    const keys: unknown = JSON.parse(key.slice(2));
    const shown = isFields(keys) ? Object.entries(keys).map(([name, value]) => `${name}=${JSON.stringify(value)}`) : [];
    return pathsOf(child, `${prefix}[${shown.join(',')}]`);
  });
}
