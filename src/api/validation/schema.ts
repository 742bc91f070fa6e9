import { Ajv, type ErrorObject } from 'ajv';
import addFormats from 'ajv-formats';
import type { JsonSchema } from '../json-schema.ts';
import type { StructuralSchema } from '../schema/schema.ts';
import { joinPath } from './path.ts';

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
  const { keyword, params, data } = error;
  const extra: unknown = keyword === 'required' ? params.missingProperty : params.additionalProperty;
  const path =
    typeof extra === 'string' ? joinPath(pathOf(error.instancePath, root), extra) : pathOf(error.instancePath, root);
  return { path, message: `\`${path}\` ${says(keyword, params, data)}` };
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

/** What is wrong, by the keyword that says so; texts are shortened since a wrong field may hold a secret. */
function says(keyword: string, params: Readonly<Record<string, unknown>>, data: unknown): string {
  const value =
    typeof data === 'string' && data.length > 60 ? `${JSON.stringify(data.slice(0, 60))}…` : JSON.stringify(data);
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
      return 'is not a field that Tocsin knows: check its spelling and place';
    case 'enum':
      return `is ${value}; use one of: ${[params.allowedValues].flat().join(', ')}`;
    case 'const':
      return `is ${value}; it must be ${JSON.stringify(params.allowedValue)}`;
    case 'type':
      return `is ${Array.isArray(data) ? 'a list' : typeof data === 'object' ? 'an object' : value}; it must be of type ${[params.type].flat().join(' or ')}`;
    case 'pattern':
      return `does not match ${String(params.pattern)}`;
    case 'format':
      return 'is not a time such as 2026-12-01T20:00:00Z';
    case 'minimum':
    case 'maximum':
      return `is ${value}; it must be ${String(params.comparison)} ${String(params.limit)}`;
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return `needs at least ${String(params.limit)} ${unitOf(keyword)}`;
    default:
      return `may have at most ${String(params.limit)} ${unitOf(keyword)}`;
  }
}

function unitOf(keyword: string): string {
  return keyword.endsWith('Length') ? 'characters' : 'entries';
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
