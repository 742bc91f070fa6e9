import { Ajv, type ErrorObject } from 'ajv';
import addFormats from 'ajv-formats';
import type { JsonSchema } from '../json-schema.ts';
import type { StructuralSchema } from '../schema/schema.ts';
import { joinPath } from './path.ts';
import { sayRefusal } from './wording.ts';

/** Something a schema refuses. */
export type Refused = { readonly path: string; readonly message: string };

/** Makes a checker of a JSON Schema; compiling costs tens of milliseconds for a large one, so keep it. */
export function compile(schema: JsonSchema): (value: unknown) => readonly Refused[] {
  const ajv = new Ajv({ allErrors: true, strict: false, verbose: true });
  addFormats.default(ajv);
  const check = ajv.compile(schema);
  return (value) => (check(value) ? [] : (check.errors ?? []).map((error) => refusedBy(error, value)));
}

function refusedBy(error: ErrorObject, root: unknown): Refused {
  const { keyword, params } = error;
  const extra: unknown = keyword === 'required' ? params.missingProperty : params.additionalProperty;
  const path =
    typeof extra === 'string' ? joinPath(pathOf(error.instancePath, root), extra) : pathOf(error.instancePath, root);
  return { path, message: `\`${path}\` ${sayRefusal(error)}` };
}

/** JSON pointer → path; a number is an index only where the value is a list. */
function pathOf(pointer: string, root: unknown): string {
  let value = root;
  let path = '';
  for (const escaped of pointer.split('/').slice(1)) {
    const step = escaped.replaceAll('~1', '/').replaceAll('~0', '~');
    path = joinPath(path, Array.isArray(value) ? Number(step) : step);
    value = Object(value)[step];
  }
  return path;
}

/** Entries that a list of type `set` or `map` has twice; JSON Schema cannot say it. */
export function duplicates(schema: StructuralSchema, value: unknown, path = ''): readonly Refused[] {
  const { items, properties = {}, additionalProperties } = schema;
  if (Array.isArray(value)) {
    const keys = value.map((item: unknown) => keyOf(schema, item));
    const own = keys.flatMap((key, index) =>
      key !== undefined && keys.indexOf(key) < index
        ? [{ path: joinPath(path, index), message: `\`${joinPath(path, index)}\` is there twice: ${key}` }]
        : [],
    );
    return [...own, ...value.flatMap((item: unknown, index) => duplicates(items ?? {}, item, joinPath(path, index)))];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, entry]) =>
    duplicates(properties[name] ?? additionalProperties ?? {}, entry, joinPath(path, name)),
  );
}

/** What must be unique about an entry, or `undefined` in an atomic list. */
function keyOf(schema: StructuralSchema, item: unknown): string | undefined {
  const type = schema['x-kubernetes-list-type'];
  if (type === 'set') return JSON.stringify(item);
  if (type !== 'map' || typeof item !== 'object') return undefined;
  const entry: Readonly<Record<string, unknown>> = { ...item };
  return JSON.stringify((schema['x-kubernetes-list-map-keys'] ?? []).map((key) => entry[key]));
}
