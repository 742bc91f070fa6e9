import type { ErrorObject } from 'ajv';
import { redact } from '../../model/redact.ts';
import { nearest } from '../suggest.ts';

/** Texts are quoted this far (characters). */
const quoted = 60;
/** As many names are listed; more would hide the message. */
const listed = 12;

/** The value of a field as a message may quote it. What stands where a credential belongs is never quoted. */
function quote({ data, instancePath, params }: ErrorObject): string {
  if (Array.isArray(data)) return 'a list';
  if (typeof data === 'object' && data !== null) return 'an object';
  const secret = instancePath.endsWith('/value') || typesOf(params).includes('object');
  if (secret && data !== null) return typeof data === 'string' ? 'a text' : `a ${typeof data}`;
  if (typeof data !== 'string') return JSON.stringify(data);
  const text = redact(data);
  return text.length > quoted ? `${JSON.stringify(text.slice(0, quoted))}…` : JSON.stringify(text);
}

const typesOf = ({ type }: Readonly<Record<string, unknown>>): readonly unknown[] => [type].flat();

/** The properties of the object schema that refused: field → its schema. */
function propertiesOf({ parentSchema }: ErrorObject): Readonly<Record<string, { readonly description?: string }>> {
  const properties: unknown = parentSchema?.properties;
  return typeof properties === 'object' && properties !== null ? { ...properties } : {};
}

/** Types of JSON Schema as people say them; the quotes make `5` and `yes` texts in YAML. */
const typeNames: Readonly<Record<string, string>> = {
  string: 'a text (in quotes)',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};
const nameOfType = (type: unknown): string => typeNames[String(type)] ?? String(type);

const names = (list: readonly string[]): string => list.map((name) => `\`${name}\``).join(', ');

/** The description of the field, as a remedy; its sentence ends the message. */
const about = (description: unknown): string =>
  typeof description === 'string' ? `: ${description.replace(/\.$/, '')}` : '';

function atLeast({ params, keyword }: ErrorObject): string {
  return `needs at least ${String(params.limit)} ${unitOf(keyword)}`;
}

function atMost({ params, keyword }: ErrorObject): string {
  return `may have at most ${String(params.limit)} ${unitOf(keyword)}`;
}

function unitOf(keyword: string): string {
  return keyword.endsWith('Length') ? 'characters' : 'entries';
}

function outside(error: ErrorObject): string {
  return `is ${quote(error)}; it must be ${String(error.params.comparison)} ${String(error.params.limit)}`;
}

/** Keyword → what is wrong, and what to do about it. */
const wording: Readonly<Record<string, (error: ErrorObject) => string>> = {
  required: (error) => `is required${about(propertiesOf(error)[String(error.params.missingProperty)]?.description)}`,
  additionalProperties(error) {
    const known = Object.keys(propertiesOf(error));
    const meant = nearest(String(error.params.additionalProperty), known);
    if (meant !== undefined) return `is not a field that Tocsin knows; did you mean \`${meant}\`?`;
    const here = known.length > 0 && known.length <= listed ? ` (known here: ${names(known)})` : '';
    return `is not a field that Tocsin knows: check its spelling and place${here}`;
  },
  enum(error) {
    const allowed = [error.params.allowedValues].flat().map(String);
    const meant = typeof error.data === 'string' ? nearest(error.data, allowed) : undefined;
    if (meant !== undefined && allowed.length > listed) return `is ${quote(error)}; did you mean "${meant}"?`;
    const hint = meant === undefined ? '' : `; did you mean "${meant}"?`;
    return `is ${quote(error)}; use one of: ${allowed.join(', ')}${hint}`;
  },
  const: (error) => `is ${quote(error)}; it must be ${JSON.stringify(error.params.allowedValue)}`,
  type(error) {
    const { parentSchema, params } = error;
    const fields = Object.keys(propertiesOf(error));
    const shape =
      fields.length > 0 ? ` with the fields ${names(fields.slice(0, listed))}` : about(parentSchema?.description);
    return `is ${quote(error)}; it must be ${typesOf(params).map(nameOfType).join(' or ')}${shape}`;
  },
  pattern: (error) =>
    `is ${quote(error)}, which does not match ${String(error.params.pattern)}${about(error.parentSchema?.description)}`,
  format: (error) => `is ${quote(error)}, which is not a time such as 2026-12-01T20:00:00Z`,
  minimum: outside,
  maximum: outside,
  minLength: atLeast,
  minItems: atLeast,
  minProperties: atLeast,
  maxLength: atMost,
  maxItems: atMost,
  maxProperties: atMost,
};

/** What a schema refused, as the end of a sentence that begins with the field. Never holds the value of a secret field. */
export function sayRefusal(error: ErrorObject): string {
  return wording[error.keyword]?.(error) ?? (error.message || 'is refused by the schema');
}
