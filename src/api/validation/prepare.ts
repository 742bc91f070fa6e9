import type { StructuralSchema } from '../../model/schema.ts';

/** A value without nulls in known fields and with the schema's defaults, as the API server sees it when it validates. A copy. */
export function prepared(schema: StructuralSchema, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? value.map((item: unknown) => prepared(items, item)) : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const { properties = {}, additionalProperties } = schema;
  const schemaOf = (name: string): StructuralSchema | undefined =>
    Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
  const given = Object.entries(value)
    .filter(([name, entry]) => entry !== null || schemaOf(name) === undefined)
    .map(([name, entry]) => {
      const own = schemaOf(name);
      return [name, own ? prepared(own, entry) : entry] as const;
    });
  const names = new Set(given.map(([name]) => name));
  const defaults = Object.entries(properties)
    .filter(([name, property]) => property.default !== undefined && !names.has(name))
    .map(([name, property]) => [name, structuredClone(property.default)] as const);
  return Object.fromEntries([...given, ...defaults]);
}
