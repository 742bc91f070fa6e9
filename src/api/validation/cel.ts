import { Environment } from '@marcbachmann/cel-js';
import type { StructuralSchema } from '../../model/schema.ts';
import { joinPath } from '../../schema/path.ts';

/** A rule that does not hold. */
export type Broken = { readonly path: string; readonly message: string };

const environment = new Environment({ unlistedVariablesAreDyn: false })
  .registerVariable('self', 'dyn')
  .registerVariable('oldSelf', 'dyn');

/** Parsing costs more than running, and the same rules recur in every block. */
const parsed = new Map<string, ReturnType<Environment['parse']>>();

function run(rule: string, context: Readonly<Record<string, unknown>>): boolean {
  const known = parsed.get(rule) ?? environment.parse(rule);
  parsed.set(rule, known);
  return known(context) === true;
}

/**
 * Runs the CEL rules of a schema on a value that has passed it. `old`: the object before an update; rules about change
 * (`oldSelf`) are skipped without it, as the API server does at creation.
 */
export function brokenRules(schema: StructuralSchema, value: unknown, old?: unknown, path = ''): readonly Broken[] {
  const self = celValue(schema, value);
  const before = old === undefined ? undefined : celValue(schema, old);
  const own = (schema['x-kubernetes-validations'] ?? []).flatMap(({ rule, message }): readonly Broken[] => {
    const aboutChange = /\boldSelf\b/.test(rule);
    if (aboutChange && before === undefined) return [];
    return run(rule, aboutChange ? { self, oldSelf: before } : { self }) ? [] : [{ path, message }];
  });
  return [...own, ...inner(schema, value, old, path)];
}

function inner(schema: StructuralSchema, value: unknown, old: unknown, path: string): readonly Broken[] {
  const { items, properties = {}, additionalProperties } = schema;
  if (Array.isArray(value))
    return items
      ? value.flatMap((item: unknown, index) => brokenRules(items, item, undefined, joinPath(path, index)))
      : [];
  if (typeof value !== 'object' || value === null) return [];
  const olds: Readonly<Record<string, unknown>> = typeof old === 'object' && old !== null ? { ...old } : {};
  return Object.entries(value).flatMap(([name, entry]) => {
    const own = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    return own ? brokenRules(own, entry, olds[name], joinPath(path, name)) : [];
  });
}

/** A value as CEL has it: whole numbers as int, `date-time` as timestamp. */
function celValue(schema: StructuralSchema, value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (typeof value === 'string') return schema.format === 'date-time' ? new Date(value) : value;
  if (Array.isArray(value)) return value.map((item: unknown) => celValue(schema.items ?? {}, item));
  if (typeof value !== 'object' || value === null) return value;
  const { properties = {}, additionalProperties = {} } = schema;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, celValue(properties[name] ?? additionalProperties, entry)]),
  );
}
