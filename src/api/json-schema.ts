import type { StructuralSchema } from '../model/schema.ts';

/** A JSON Schema (draft-07) as `ajv` and editors read it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Keywords that mean the same in both worlds. */
const shared = [
  ...['type', 'description', 'default', 'enum', 'format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum'],
  ...['minItems', 'maxItems', 'minProperties', 'maxProperties', 'required'],
] as const satisfies readonly (keyof StructuralSchema)[];

/**
 * The JSON Schema that accepts what the API server accepts under strict field validation: an object with named properties
 * takes no others, an int-or-string is either. What JSON Schema cannot say (list types, CEL) is checked beside it.
 */
export function jsonSchemaOf(schema: StructuralSchema): JsonSchema {
  const { properties, items, additionalProperties } = schema;
  return {
    ...Object.fromEntries(shared.filter((key) => schema[key] !== undefined).map((key) => [key, schema[key]])),
    ...(schema['x-kubernetes-int-or-string'] && { type: ['integer', 'string'] }),
    ...(items && { items: jsonSchemaOf(items) }),
    ...(additionalProperties && { additionalProperties: jsonSchemaOf(additionalProperties) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, jsonSchemaOf(value)])),
      additionalProperties: false,
    }),
  };
}

/** The schema of a whole object for editors (`# yaml-language-server: $schema=…`) and for `ajv`. */
export function manifestSchema(kind: string, apiVersions: readonly string[], schema: StructuralSchema): JsonSchema {
  const { properties, ...rest } = jsonSchemaOf(schema);
  return {
    ...rest,
    properties: {
      ...Object(properties),
      apiVersion: { enum: apiVersions },
      kind: { const: kind },
      metadata: {
        type: 'object',
        description: 'Standard metadata.',
        properties: { name: { type: 'string' }, namespace: { type: 'string' } },
      },
    },
    required: ['apiVersion', 'kind', 'metadata', ...(schema.required ?? [])],
  };
}
