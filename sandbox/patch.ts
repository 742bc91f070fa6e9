import { isDeepStrictEqual } from 'node:util';
import { ApiFailure, badRequest } from './failure.ts';
import { itemKey, type ListKeys } from './field-sets.ts';
import { type Fields, isFields } from './object.ts';

/** RFC 7396: objects merge, null takes a field away, everything else replaces. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  return mergeByKeys(target, patch, () => undefined);
}

/**
 * Merges objects, and lists by their keys where they have any: what a strategic merge patch and an applied
 * configuration do. null takes a field away, `$patch: delete` an item, and an item `$patch: replace` all there was.
 */
export function mergeByKeys(
  target: unknown,
  patch: unknown,
  listKeys: ListKeys,
  path: readonly string[] = [],
): unknown {
  if (Array.isArray(patch)) {
    const keys = Array.isArray(target) ? listKeys(path) : undefined;
    return keys && Array.isArray(target) ? mergeLists(target, patch, keys, listKeys, path) : patch;
  }
  if (!isFields(patch)) return patch;
  const result: Fields = isFields(target) ? { ...target } : {};
  for (const [field, value] of Object.entries(patch)) {
    if (value === null) delete result[field];
    else result[field] = mergeByKeys(result[field], value, listKeys, [...path, field]);
  }
  return result;
}

function mergeLists(
  target: readonly unknown[],
  patch: readonly unknown[],
  keys: readonly string[],
  listKeys: ListKeys,
  path: readonly string[],
): unknown[] {
  const replaces = (item: unknown): boolean => isFields(item) && item.$patch === 'replace';
  if (patch.some(replaces)) return patch.filter((item) => !replaces(item));
  const items = new Map(target.map((item) => [itemKey(item, keys), item]));
  for (const item of patch) {
    const key = itemKey(item, keys);
    if (isFields(item) && item.$patch === 'delete') items.delete(key);
    else items.set(key, mergeByKeys(items.get(key), item, listKeys, path));
  }
  return [...items.values()];
}

const pointer = (path: string): string[] =>
  path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

/** The operations of RFC 6902 that people and controllers use: add, remove, replace and test. */
export function jsonPatch(document: Fields, operations: unknown): unknown {
  if (!Array.isArray(operations)) throw badRequest('a JSON patch must be a list of operations');
  const result: Fields = structuredClone(document);
  for (const operation of operations) {
    if (!isFields(operation) || typeof operation.path !== 'string')
      throw badRequest('a JSON patch operation needs a path');
    applyOperation(result, String(operation.op), operation.path, operation.value);
  }
  return result;
}

function applyOperation(document: Fields, op: string, path: string, value: unknown): void {
  const parts = pointer(path);
  const last = parts.pop();
  let parent: unknown = document;
  for (const part of parts)
    parent = Array.isArray(parent) ? parent[Number(part)] : isFields(parent) ? parent[part] : undefined;
  const refuse = (why: string): ApiFailure =>
    new ApiFailure(
      422,
      'Invalid',
      `the server rejected our request due to an error in our request: ${op} ${path}: ${why}`,
    );
  if (last === undefined || !(Array.isArray(parent) || isFields(parent))) throw refuse('no such path');
  if (Array.isArray(parent)) {
    const index = last === '-' ? parent.length : Number(last);
    if (op === 'add') parent.splice(index, 0, value);
    else if (index >= parent.length) throw refuse('no such path');
    else if (op === 'remove') parent.splice(index, 1);
    else if (op === 'replace') parent[index] = value;
    else if (op !== 'test' || !isDeepStrictEqual(parent[index], value)) throw refuse('test failed');
    return;
  }
  if (op === 'add') parent[last] = value;
  else if (op === 'test' ? !isDeepStrictEqual(parent[last], value) : !Object.hasOwn(parent, last))
    throw refuse(op === 'test' ? 'test failed' : 'no such path');
  else if (op === 'remove') delete parent[last];
  else if (op === 'replace') parent[last] = value;
  else if (op !== 'test') throw refuse('unknown operation');
}
