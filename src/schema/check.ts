import type { StructuralSchema } from '../model/schema.ts';
import { joinPath } from './path.ts';
import { type Refusal, sayRefusal } from './wording.ts';

/** Something wrong with a resource: the field's path, and a sentence that quotes the value and says what to do. */
export type Problem = { readonly path: string; readonly message: string };

/**
 * What the API server would refuse about a value, but for CEL, by plain code: nothing is compiled. A field that is null counts as
 * absent. No message holds the value of a secret. `path`: of the value; empty at the top. `unknownFields`: what becomes of fields that
 * the schema does not have; in what the API server has stored they are harmless.
 */
export function checkValue(
  schema: StructuralSchema,
  value: unknown,
  path: string,
  unknownFields: 'refused' | 'ignored' = 'refused',
): readonly Problem[] {
  return refusals(schema, value, path)
    .filter(({ keyword }) => keyword !== 'unknown' || unknownFields === 'refused')
    .map((refusal) => ({ path: refusal.path, message: problemOf(refusal) }));
}

function problemOf(refusal: Refusal): string {
  return refusal.path === '' ? `the object ${sayRefusal(refusal)}` : `\`${refusal.path}\` ${sayRefusal(refusal)}`;
}

function refusals(schema: StructuralSchema, value: unknown, path: string): readonly Refusal[] {
  const found = rules.flatMap(({ keyword, isBroken }) => {
    const isWrong = schema[keyword] !== undefined && isBroken(schema, value);
    return isWrong ? [{ keyword, schema, value, path }] : [];
  });
  return [...found, ...within(schema, value, path)];
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const lengthOf = (value: unknown): number | undefined => (typeof value === 'string' ? [...value].length : undefined);
const countOf = (value: unknown): number | undefined => (Array.isArray(value) ? value.length : undefined);
const sizeOf = (value: unknown): number | undefined => (isObject(value) ? Object.keys(value).length : undefined);
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

const isBelow = (actual: number | undefined, least = 0): boolean => actual !== undefined && actual < least;
const isAbove = (actual: number | undefined, most = 0): boolean => actual !== undefined && actual > most;

/** Type → whether a value is of it. */
const types: Readonly<Record<NonNullable<StructuralSchema['type']>, (value: unknown) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
};

/** A day that exists: `Date` would make 2 March of 30 February. */
function isInstant(text: string): boolean {
  const day = Number(/^\d{4}-\d{2}-(\d{2})T/.exec(text)?.[1]);
  const date = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return !Number.isNaN(Date.parse(text)) && date.getUTCDate() === day;
}

/** Patterns are few and recur in every block. */
const patterns = new Map<string, RegExp>();
function matches(pattern: string, text: string): boolean {
  const known = patterns.get(pattern) ?? new RegExp(pattern, 'u');
  patterns.set(pattern, known);
  return known.test(text);
}

/** Keyword → when a value breaks it. Each looks at values of its own type only. */
const rules: readonly {
  readonly keyword: Refusal['keyword'] & keyof StructuralSchema;
  readonly isBroken: (schema: StructuralSchema, value: unknown) => boolean;
}[] = [
  { keyword: 'type', isBroken: ({ type = 'object' }, value) => !types[type](value) },
  {
    keyword: 'x-kubernetes-int-or-string',
    isBroken: (_, value) => !Number.isInteger(value) && typeof value !== 'string',
  },
  { keyword: 'enum', isBroken: (schema, value) => typeof value === 'string' && !schema.enum?.includes(value) },
  {
    keyword: 'format',
    isBroken: ({ pattern = '' }, value) => typeof value === 'string' && !(isInstant(value) && matches(pattern, value)),
  },
  {
    keyword: 'pattern',
    isBroken: ({ pattern = '', format }, value) =>
      format === undefined && typeof value === 'string' && !matches(pattern, value),
  },
  { keyword: 'minLength', isBroken: ({ minLength }, value) => isBelow(lengthOf(value), minLength) },
  { keyword: 'maxLength', isBroken: ({ maxLength }, value) => isAbove(lengthOf(value), maxLength) },
  { keyword: 'minimum', isBroken: ({ minimum }, value) => isBelow(numberOf(value), minimum) },
  { keyword: 'maximum', isBroken: ({ maximum }, value) => isAbove(numberOf(value), maximum) },
  { keyword: 'minItems', isBroken: ({ minItems }, value) => isBelow(countOf(value), minItems) },
  { keyword: 'maxItems', isBroken: ({ maxItems }, value) => isAbove(countOf(value), maxItems) },
  { keyword: 'minProperties', isBroken: ({ minProperties }, value) => isBelow(sizeOf(value), minProperties) },
  { keyword: 'maxProperties', isBroken: ({ maxProperties }, value) => isAbove(sizeOf(value), maxProperties) },
];

/** What is wrong inside an object or a list. */
function within(schema: StructuralSchema, value: unknown, path: string): readonly Refusal[] {
  if (Array.isArray(value)) return schema.type === 'array' ? withinList(schema, value, path) : [];
  if (!isObject(value) || schema.type !== 'object') return [];
  const { properties, additionalProperties, required = [] } = schema;
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined && entry !== null);
  const names = new Set(entries.map(([name]) => name));
  const missing = required
    .filter((name) => !names.has(name))
    .map((name): Refusal => ({ keyword: 'required', schema, value, path: joinPath(path, name), name }));
  const unknown = entries
    .filter(([name]) => properties !== undefined && !Object.hasOwn(properties, name))
    .map(([name]): Refusal => ({ keyword: 'unknown', schema, value, path: joinPath(path, name), name }));
  const inner = entries.flatMap(([name, entry]) => {
    const own = properties && Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    return own ? refusals(own, entry, joinPath(path, name)) : [];
  });
  return [...missing, ...unknown, ...inner];
}

function withinList(schema: StructuralSchema, list: readonly unknown[], path: string): readonly Refusal[] {
  const keys = list.map((item) => keyOf(schema, item));
  const first = new Map<string, number>();
  for (const [index, key] of keys.entries()) if (key !== undefined && !first.has(key)) first.set(key, index);
  return list.flatMap((item, index): readonly Refusal[] => {
    const at = joinPath(path, index);
    const key = keys[index];
    const isRepeated = key !== undefined && first.get(key) !== index;
    const repeated: readonly Refusal[] = isRepeated
      ? [{ keyword: 'repeated', schema, value: item, path: at, name: key }]
      : [];
    return [...refusals(schema.items ?? {}, item, at), ...repeated];
  });
}

/** What must be unique about an entry, or `undefined` in an atomic list. */
function keyOf(schema: StructuralSchema, item: unknown): string | undefined {
  const type = schema['x-kubernetes-list-type'];
  if (type === 'set') return JSON.stringify(item);
  if (type !== 'map' || !isObject(item)) return undefined;
  const entry: Readonly<Record<string, unknown>> = { ...item };
  return JSON.stringify((schema['x-kubernetes-list-map-keys'] ?? []).map((key) => entry[key]));
}
