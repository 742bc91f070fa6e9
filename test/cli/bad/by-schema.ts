/** Bad manifests made from good ones: at each field, each way in which the schema can be broken there. */
import { resources } from '../../../src/api/resources.ts';
import type { StructuralSchema } from '../../../src/model/schema.ts';
import { joinPath } from '../../../src/schema/path.ts';
import { type Case, schema as refusedAt } from '../../api/case.ts';
import { good } from './good.ts';

/** One way to break a value: what it becomes, and the path that is refused for it. */
type Break = { readonly what: string; readonly path: string; readonly value: unknown };

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Type → values that look right to somebody in a hurry, and are of another type. */
const otherTypes: Readonly<Record<NonNullable<StructuralSchema['type']>, readonly unknown[]>> = {
  string: [5, true, ['a'], { a: 'b' }],
  integer: ['5', 1.5, [5]],
  boolean: ['yes', 1],
  array: ['a', { a: 'b' }],
  object: ['a', ['a'], 5],
};

/** Two letters in the middle change places, as they do under quick fingers. */
function misspelt(name: string): string {
  const at = Math.floor(name.length / 2);
  const swapped = `${name.slice(0, at - 1)}${name[at]}${name[at - 1]}${name.slice(at + 1)}`;
  return swapped === name ? `${name}s` : swapped;
}

function* wrongHere(schema: StructuralSchema, value: unknown, path: string): Generator<Break> {
  const { type, minimum, maximum, maxLength, maxItems, minItems, minLength } = schema;
  if (type !== undefined) {
    // One of them each, by turns: all of them would say the same four times.
    const other = otherTypes[type][path.length % otherTypes[type].length];
    yield { what: `is ${JSON.stringify(other)}`, path, value: other };
  }
  if (schema['x-kubernetes-int-or-string']) yield { what: 'is a list', path, value: [1] };
  if (schema.enum) yield { what: 'is none of those allowed', path, value: `${String(value)}x` };
  if (schema.pattern !== undefined || schema.format !== undefined)
    yield { what: 'does not have its form', path, value: '\u0007 no such thing' };
  if (minimum !== undefined) yield { what: 'is too small', path, value: minimum - 1 };
  if (maximum !== undefined) yield { what: 'is too large', path, value: maximum + 1 };
  if (minLength !== undefined) yield { what: 'is empty', path, value: '' };
  if (maxLength !== undefined && maxLength < 10_000 && schema.enum === undefined)
    yield { what: 'is too long', path, value: 'a'.repeat(maxLength + 1) };
  if (minItems !== undefined) yield { what: 'is an empty list', path, value: [] };
  if (maxItems !== undefined && Array.isArray(value))
    yield { what: 'has too many entries', path, value: Array.from({ length: maxItems + 1 }, () => value[0]) };
}

function* wrongFields(schema: StructuralSchema, value: Fields, path: string): Generator<Break> {
  const { properties, required = [] } = schema;
  for (const name of required) {
    const { [name]: gone, ...rest } = value;
    if (gone !== undefined) yield { what: `lacks ${name}`, path: joinPath(path, name), value: rest };
  }
  if (!properties) return;
  yield { what: 'has a field that does not exist', path: joinPath(path, 'nonsense'), value: { ...value, nonsense: 1 } };
  for (const [name, entry] of Object.entries(value)) {
    const { [name]: _, ...rest } = value;
    const wrong = misspelt(name);
    yield { what: `has ${wrong} for ${name}`, path: joinPath(path, wrong), value: { ...rest, [wrong]: entry } };
  }
}

/** Every way to break a value or what is in it. */
function* broken(schema: StructuralSchema, value: unknown, path: string): Generator<Break> {
  yield* wrongHere(schema, value, path);
  if (Array.isArray(value)) {
    const [first, ...others] = value;
    const items = schema.items ?? {};
    for (const inner of broken(items, first, joinPath(path, 0))) yield { ...inner, value: [inner.value, ...others] };
  } else if (isFields(value)) {
    yield* wrongFields(schema, value, path);
    for (const [name, entry] of Object.entries(value)) {
      const own = schema.properties?.[name] ?? schema.additionalProperties;
      if (!own) continue;
      for (const inner of broken(own, entry, joinPath(path, name)))
        yield { ...inner, value: { ...value, [name]: inner.value } };
    }
  }
}

/** All of them: refused by the schema, by the API server as by lint. */
export const brokenBySchema: readonly Case[] = Object.entries(good).flatMap(([name, manifest]) =>
  [...broken(resources[manifest.kind].spec.json, manifest.spec, 'spec')].map(
    ({ what, path, value }): Case => ({
      name: `${name}: ${path} ${what}`,
      manifest: { ...manifest, spec: value },
      refused: refusedAt(path),
    }),
  ),
);
