import type { FieldDeclaration, Fields, Rule } from '../../providers/kit/fields.ts';
import { headerNamePattern, headerValuePattern, refusedHeaderPattern } from '../../providers/kit/headers.ts';
import { oneSource, secretSource, secretSourceProperties } from './common.ts';
import {
  flag,
  list,
  object,
  required,
  type Schema,
  type StructuralSchema,
  text,
  type Validation,
  whole,
} from './schema.ts';

/** The schema of a provider's block, from its field declarations. */
export function blockSchema(definition: {
  readonly product: string;
  readonly fields: Fields;
  readonly rules: readonly Rule[];
}): Schema {
  return groupSchema(`Settings of ${definition.product}.`, definition.fields, definition.rules);
}

function groupSchema(description: string, fields: Fields, rules: readonly Rule[]): Schema {
  const properties = Object.entries(fields).map(([name, field]) => {
    const schema = fieldSchema(field);
    return [name, field.required ? required(schema) : schema] as const;
  });
  const validations = rules.map(({ cel, message }): Validation => ({ rule: cel, message }));
  return object(description, Object.fromEntries(properties), validations);
}

/** http or https and the beginning of a host; what a pattern cannot say, the operator and lint check. */
const addressPattern = '^https?://[^/?#\\s][^\\s]*$';

function fieldSchema(field: FieldDeclaration): Schema {
  const { description } = field;
  const preset = 'default' in field && field.default !== undefined ? { default: field.default } : {};
  switch (field.is) {
    case 'string':
      return { json: { ...stringSchema(field), ...preset }, required: false };
    case 'url': {
      const { json } = text(description, { max: 2048, pattern: addressPattern });
      return { json: { ...json, ...preset }, required: false };
    }
    case 'secret':
      return secretSource(description);
    case 'integer':
      return whole(description, {
        min: field.min,
        max: field.max,
        ...(field.default !== undefined && { default: field.default }),
      });
    case 'boolean':
      return flag(description, field.default);
    case 'list':
      return field.commaSeparated
        ? open(description)
        : list(
            description,
            text('An entry.', { min: 1, max: 1024, ...(field.pattern !== undefined && { pattern: field.pattern }) }),
            { max: field.maxItems, type: 'atomic' },
          );
    case 'headers':
      return headersSchema(description, field.refused);
    case 'json':
      return open(description);
    case 'group':
      return groupSchema(description, field.fields, field.rules);
  }
}

function stringSchema(field: Extract<FieldDeclaration, { is: 'string' }>): StructuralSchema {
  const { description, oneOf, pattern, maxLength, numeric } = field;
  if (oneOf) return { type: 'string', description, enum: oneOf };
  const limits = { ...(field.required && { minLength: 1 }), maxLength, ...(pattern !== undefined && { pattern }) };
  if (!numeric && !field.orNumber) return { type: 'string', description, ...limits };
  return {
    description,
    'x-kubernetes-int-or-string': true,
    anyOf: [{ type: 'integer' }, { type: 'string' }],
    ...(numeric ? { minimum: numeric.min, maximum: numeric.max, pattern: '^[0-9]{1,10}$', maxLength: 10 } : limits),
  };
}

/** A value whose shape only the operator and lint know. */
function open(description: string): Schema {
  return { json: { description, 'x-kubernetes-preserve-unknown-fields': true }, required: false };
}

function headersSchema(description: string, refused: readonly string[]): Schema {
  const { secretKeyRef, value } = secretSourceProperties;
  const header = object(
    'A header.',
    {
      name: required(text('Its name.', { min: 1, max: 128, pattern: headerNamePattern })),
      value: { ...value, json: { ...value.json, pattern: headerValuePattern } },
      secretKeyRef,
    },
    [
      oneSource,
      {
        rule: `!self.name.matches('${refusedHeaderPattern(refused)}')`,
        message: 'this header is set by Tocsin itself or frames the request: remove it',
      },
    ],
  );
  return list(description, header, { max: 32, type: 'map', keys: ['name'] });
}
