import { parseDurationMs } from '../model/duration.ts';
import { redact } from '../model/redact.ts';
import type { StructuralSchema } from '../model/schema.ts';
import { nearest } from '../model/suggest.ts';

/** The part of a schema that a value broke. */
type Keyword =
  | 'type'
  | 'x-kubernetes-int-or-string'
  | 'enum'
  | 'format'
  | 'pattern'
  | 'minLength'
  | 'maxLength'
  | 'minimum'
  | 'maximum'
  | 'minItems'
  | 'maxItems'
  | 'minProperties'
  | 'maxProperties'
  | 'required'
  /** A field that the schema does not have. */
  | 'unknown'
  /** The same entry again, in a list where each stands once. */
  | 'repeated';

/** A value that a schema refuses. `path`: of what is wrong; `name`: the field that is missing or unknown, or the repeated key. */
export type Refusal = {
  readonly keyword: Keyword;
  readonly schema: StructuralSchema;
  readonly value: unknown;
  readonly path: string;
  readonly name?: string;
};

/** Texts are quoted this far (characters). */
const quoted = 60;
/** As many names are listed; more would hide the message. */
const listed = 12;
/** A pattern of more signs is not read by people. */
const longestPattern = 40;

/** The value of a field as a message may quote it. What stands where a credential belongs is never quoted. */
function quote({ value, path, schema }: Refusal): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  const isSecret = path.endsWith('.value') || schema.type === 'object';
  if (isSecret && value !== null) return typeof value === 'string' ? 'a text' : `a ${typeof value}`;
  // `.inf` and `.nan` of YAML have no JSON.
  if (typeof value !== 'string') return String(value);
  const text = redact(value);
  return text.length > quoted ? `${JSON.stringify(text.slice(0, quoted))}…` : JSON.stringify(text);
}

/** Types as people say them; the quotes make `5` and `yes` texts in YAML. */
const typeNames: Readonly<Record<NonNullable<StructuralSchema['type']>, string>> = {
  string: 'a text (in quotes)',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

const names = (list: readonly string[]): string => list.map((name) => `\`${name}\``).join(', ');

/** The description of a field, as a remedy; its sentence ends the message. */
const about = ({ description }: StructuralSchema): string =>
  description === undefined ? '' : `: ${description.replace(/\.$/, '')}`;

const bounds = (least: number | undefined, most: number | undefined): string =>
  least === undefined || most === undefined ? '' : ` from ${least} to ${most}`;

/** What a field must be, and what it is for. */
function wanted({ type = 'object', minimum, maximum, ...schema }: StructuralSchema): string {
  if (schema.enum && schema.enum.length <= listed) return `one of: ${schema.enum.join(', ')}`;
  const fields = Object.keys(schema.properties ?? {});
  const of = schema.items?.type === 'string' ? ' of texts' : '';
  const shape = fields.length > 0 ? ` with the fields ${names(fields.slice(0, listed))}` : about(schema);
  return `${typeNames[type]}${of}${bounds(minimum, maximum)}${shape}`;
}

const outside = (refusal: Refusal): string => {
  const { minimum, maximum } = refusal.schema;
  return `is ${quote(refusal)}; it must be a whole number${bounds(minimum, maximum)}`;
};
const tooFew = (least: number | undefined): string =>
  least === 1 ? 'is empty: add an entry, or leave the field out' : `needs at least ${least} entries: add some`;
const tooMany = ({ value }: Refusal, most: number | undefined): string =>
  `has ${Object.keys(Object(value)).length} entries; at most ${most} are allowed: remove some`;

function notOneOf(refusal: Refusal): string {
  const allowed = refusal.schema.enum ?? [];
  if (allowed.length === 1) return `is ${quote(refusal)}; it must be ${JSON.stringify(allowed[0])}`;
  const meant = nearest(String(refusal.value), allowed);
  if (meant !== undefined && allowed.length > listed) return `is ${quote(refusal)}; did you mean "${meant}"?`;
  const hint = meant === undefined ? '' : `; did you mean "${meant}"?`;
  return `is ${quote(refusal)}; use one of: ${allowed.join(', ')}${hint}`;
}

/** `: 7200` for `2h`; nothing for what is no such time. */
function secondsOf(value: unknown, name: string): string {
  const said: unknown = Object(value)[name];
  const milliseconds = typeof said === 'string' ? parseDurationMs(said) : undefined;
  return milliseconds === undefined ? '' : `: ${milliseconds / 1000}`;
}

function notKnown({ schema: { properties = {} }, value, name = '' }: Refusal): string {
  const known = Object.keys(properties);
  const meant = nearest(name, known);
  if (meant !== undefined) return `is not a field that Tocsin knows; did you mean \`${meant}\`?`;
  const inSeconds = known.find((each) => each === `${name}Seconds`);
  if (inSeconds !== undefined)
    return `is not a field that Tocsin knows; write \`${inSeconds}\`${secondsOf(value, name)}`;
  const here = known.length > 0 && known.length <= listed ? ` (known here: ${names(known)})` : '';
  return `is not a field that Tocsin knows: check its spelling and place${here}`;
}

/** A long pattern tells nobody anything: where the field is described, that is said alone. */
function notInForm(refusal: Refusal): string {
  const { pattern = '' } = refusal.schema;
  const meant = about(refusal.schema);
  const form =
    pattern.length > longestPattern && meant !== ''
      ? 'does not have the form that is asked for'
      : `does not match ${pattern}`;
  return `is ${quote(refusal)}, which ${form}${meant}`;
}

/** Keyword → what is wrong, and what to do about it. */
const wording: Readonly<Record<Keyword, (refusal: Refusal) => string>> = {
  required: ({ schema, name = '' }) => `is required${about(schema.properties?.[name] ?? {})}`,
  unknown: notKnown,
  repeated: ({ name }) => `is there twice: ${name}`,
  enum: notOneOf,
  type: (refusal) => `is ${quote(refusal)}; it must be ${wanted(refusal.schema)}`,
  'x-kubernetes-int-or-string': (refusal) =>
    `is ${quote(refusal)}; it must be a whole number or a text (in quotes)${about(refusal.schema)}`,
  pattern: notInForm,
  format: (refusal) => `is ${quote(refusal)}, which is not a time such as 2026-12-01T20:00:00Z, up to the year 2999`,
  minimum: outside,
  maximum: outside,
  minLength: ({ schema }) =>
    schema.minLength === 1
      ? `is empty${about(schema)}`
      : `needs at least ${schema.minLength} characters${about(schema)}`,
  maxLength: ({ schema }) => `is longer than ${schema.maxLength} characters: shorten it`,
  minItems: ({ schema }) => tooFew(schema.minItems),
  minProperties: ({ schema }) => tooFew(schema.minProperties),
  maxItems: (refusal) => tooMany(refusal, refusal.schema.maxItems),
  maxProperties: (refusal) => tooMany(refusal, refusal.schema.maxProperties),
};

/** What a schema refused, as the end of a sentence that begins with the field. Never holds the value of a secret field. */
export function sayRefusal(refusal: Refusal): string {
  return wording[refusal.keyword](refusal);
}
