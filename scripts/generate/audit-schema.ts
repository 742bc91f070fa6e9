import { type JsonSchema, jsonSchemaOf } from '../../src/api/json-schema.ts';
import { auditSchemas, auditVersion } from '../../src/model/audit.ts';
import { mark } from './mark.ts';

/** The schema of a line of the audit log: one of several, by its `kind`. `strict`: no field beside those that are named. */
export function auditSchema(strict = false): JsonSchema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: `https://tocsin.dev/schemas/audit-v${auditVersion}.json`,
    $comment: mark,
    title: 'A line of the audit log',
    description: 'Fields and kinds may be added within a version: ignore unknown ones.',
    oneOf: Object.entries(auditSchemas).map(([kind, schema]) => {
      const { properties, required, ...rest } = jsonSchemaOf(schema.json);
      const named = { kind: { const: kind, description: rest.description }, ...Object(properties) };
      const line = { ...rest, properties: named, required: ['kind', ...(schema.json.required ?? [])] };
      return strict ? line : open(line);
    }),
  };
}

/** The same schema; whatever is not named is let be. */
function open(schema: JsonSchema): JsonSchema {
  const { additionalProperties: _closed, ...rest } = schema;
  return Object.fromEntries(
    Object.entries(rest).map(([key, value]) => {
      if (key === 'properties')
        return [
          key,
          Object.fromEntries(Object.entries(Object(value)).map(([name, each]) => [name, open(Object(each))])),
        ];
      return [key, key === 'items' ? open(Object(value)) : value];
    }),
  );
}
