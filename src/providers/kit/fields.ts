import { flag, list as listOf, object, type Schema, type StructuralSchema, text, whole } from '../../model/schema.ts';
import type { Secret } from '../../model/secret.ts';
import { namedSource, secretSource } from '../../schema/secret.ts';
import type { AnyConfig } from './block.ts';
import type { Unfit } from './destination.ts';
import { headerNamePattern, headerValuePattern, refusedHeaderPattern } from './headers.ts';

/** Whether a field is in `config`: always (required or with a default), or perhaps. */
type Presence = 'always' | 'perhaps';

/** A field of a block: its schema, and what the schema language cannot say of it. */
type Refined = Schema & {
  /** Name of the field beside it without which this one does nothing (`reopenStatus` needs `closeStatus`); lint warns. */
  readonly needs?: string;
};

/** A text. `orNumber`: people write it unquoted (`chatId: 42`), and it is read as a text. */
export type StringField = Refined & { readonly is: 'string' };
/** An http or https address that is no secret, with a path that is not `unfit`. */
export type UrlField = Refined & { readonly is: 'url'; readonly unfit?: Unfit };
/** A value from a Secret. `holds: 'url'`: the value is the address itself (incoming webhooks), with a path that is not `unfit`. */
export type SecretField = Refined & { readonly is: 'secret'; readonly holds: 'text' | 'url'; readonly unfit?: Unfit };
/** A whole number or a switch: the schema says it all. */
export type PlainField = Refined & { readonly is: 'integer' | 'boolean' };
/** Several texts. `commaSeparated`: one string with commas is taken too, so that the schema leaves it open. */
export type ListField = Refined & {
  readonly is: 'list';
  readonly commaSeparated: boolean;
  /** Of a list that is not comma-separated. */
  readonly entries: StructuralSchema;
};
/** HTTP headers that people add. `refused`: lower-case names; a trailing `*` refuses every name that begins so. */
export type HeadersField = Refined & { readonly is: 'headers'; readonly refused: readonly string[] };
/** Any JSON value, handed through. `maxBytes`: the longest that is taken, as JSON in UTF-8. */
export type JsonField = Refined & { readonly is: 'json'; readonly maxBytes?: number };
/** An object of further fields (`basicAuth`). */
export type GroupField = Refined & {
  readonly is: 'group';
  readonly fields: BlockFields;
  readonly rules: readonly Rule[];
};

/** One configuration field: the CRD block, checks, reference page and the type of `config` follow from it. */
export type FieldDeclaration =
  | StringField
  | UrlField
  | SecretField
  | PlainField
  | ListField
  | HeadersField
  | JsonField
  | GroupField;

/** A field that knows the type of its value in `config`. `ConfigValue` and `presence` exist for the compiler only. */
export type Field<T = unknown, P extends Presence = Presence> = FieldDeclaration & {
  readonly configValue?: T;
  readonly presence?: P;
};

/** Field name → declaration, in the order people should read them. */
export type BlockFields = Readonly<Record<string, Field>>;

/** A rule across fields in CEL (`self` is the block), with a message that says what to do. */
export type Rule = { readonly cel: string; readonly message: string };

/** The type of `config` for these fields. */
export type ConfigOf<F extends BlockFields> = {
  readonly [K in keyof F as F[K] extends { readonly presence?: 'always' } ? K : never]: ValueOf<F[K]>;
} & {
  readonly [K in keyof F as F[K] extends { readonly presence?: 'always' } ? never : K]?: ValueOf<F[K]>;
};
type ValueOf<F> = F extends { readonly configValue?: infer T } ? Exclude<T, undefined> : never;

/** What every builder is told. */
type Common = { readonly description: string; readonly required?: boolean; readonly needs?: string };
/** The same of a field that may have a default; the presence of the field follows from `required` and `default`. */
type Asked<D> = Common & { readonly default?: D };
type PresenceOf<O> = O extends { readonly required: true } | { readonly default: NonNullable<unknown> }
  ? 'always'
  : 'perhaps';

/** The longest text of a field without a limit of its own: longer than any address or name these products take. */
const textLength = 1024;
/** Bounds of a number without its own: those of a signed 32-bit number. */
const anyInteger = { min: -2_147_483_648, max: 2_147_483_647 } as const;
/** http or https and the beginning of a host; what a pattern cannot say is checked besides. */
const addressPattern = '^https?://[^/?#\\s][^\\s]*$';

/** What a builder makes of its schema and of what it was told. */
function refined({ required = false, needs }: Common, json: StructuralSchema) {
  return { json, required, ...(needs !== undefined && { needs }) };
}

/** A value whose shape only the operator and lint know. */
const open = (description: string): StructuralSchema => ({ description, 'x-kubernetes-preserve-unknown-fields': true });

type TextOptions = Asked<string> & {
  /** The only values. */
  readonly oneOf?: readonly string[];
  /** A regular expression that RE2 and JavaScript read alike; anchored by whoever writes it. */
  readonly pattern?: string;
  readonly maxLength?: number;
  /** People write it unquoted (`chatId: 42`), so a number is taken too. */
  readonly orNumber?: boolean;
  /** The same, and it must be a number within these bounds (`port: 25`). */
  readonly numeric?: { readonly min: number; readonly max: number };
};

function textSchema(options: TextOptions): StructuralSchema {
  const { description, required, oneOf, pattern, maxLength = textLength, orNumber, numeric } = options;
  if (oneOf) return { type: 'string', description, enum: oneOf };
  const limits = { ...(required && { minLength: 1 }), maxLength, ...(pattern !== undefined && { pattern }) };
  if (!numeric && !orNumber) return { type: 'string', description, ...limits };
  const digits = numeric && { minimum: numeric.min, maximum: numeric.max, pattern: '^[0-9]{1,10}$', maxLength: 10 };
  return {
    description,
    'x-kubernetes-int-or-string': true,
    anyOf: [{ type: 'integer' }, { type: 'string' }],
    ...(digits ?? limits),
  };
}

function withDefault(json: StructuralSchema, preset: unknown): StructuralSchema {
  return preset === undefined ? json : { ...json, default: preset };
}

/** A text; with `oneOf`, one of these words. */
export function string<const O extends TextOptions>(
  options: O,
): Field<O extends { readonly oneOf: readonly (infer V)[] } ? V : string, PresenceOf<O>> & StringField {
  return { is: 'string', ...refined(options, withDefault(textSchema(options), options.default)) };
}

/** An http or https address with a host; not a secret (else use `secret({ holds: 'url' })`). */
export function httpUrl<const O extends Asked<string> & { readonly unfit?: Unfit }>(
  options: O,
): Field<string, PresenceOf<O>> & UrlField {
  const { json } = text(options.description, { max: 2048, pattern: addressPattern });
  const { unfit } = options;
  return { is: 'url', ...refined(options, withDefault(json, options.default)), ...(unfit && { unfit }) };
}

type SecretOptions = Common & {
  readonly holds?: 'text' | 'url';
  readonly unfit?: Unfit;
  /** Characters of a value that is written in the resource. */
  readonly maxLength?: number;
};

/** A credential: `{ secretKeyRef }` or `{ value }` in the resource, a `Secret` in `config`. */
export function secret<const O extends SecretOptions>(options: O): Field<Secret, PresenceOf<O>> & SecretField {
  const { description, holds = 'text', unfit, maxLength } = options;
  return {
    is: 'secret',
    ...refined(options, secretSource(description, maxLength).json),
    holds,
    ...(unfit && { unfit }),
  };
}

/** A whole number within bounds; without bounds, any that a signed 32-bit number holds. */
export function integer<const O extends Asked<number> & { readonly min?: number; readonly max?: number }>(
  options: O,
): Field<number, PresenceOf<O>> & PlainField {
  const { json } = whole(options.description, { ...anyInteger, ...options });
  return { is: 'integer', ...refined(options, json) };
}

/** A switch. */
export function boolean<const O extends Asked<boolean>>(options: O): Field<boolean, PresenceOf<O>> & PlainField {
  return { is: 'boolean', ...refined(options, flag(options.description, options.default).json) };
}

/** Several texts, at most 50 unless `maxItems` says otherwise. `pattern`: of every entry, as for a text. */
export function list<
  const O extends Common & {
    readonly maxItems?: number;
    readonly commaSeparated?: boolean;
    readonly pattern?: string;
  },
>(options: O): Field<readonly string[], PresenceOf<O>> & ListField {
  const { description, maxItems = 50, commaSeparated = false, pattern } = options;
  const entry = text('An entry.', { min: 1, max: textLength, ...(pattern !== undefined && { pattern }) });
  const entries = listOf(description, entry, { max: maxItems, type: 'atomic' }).json;
  return { is: 'list', ...refined(options, commaSeparated ? open(description) : entries), commaSeparated, entries };
}

/** HTTP headers, as `{ name, value }` or `{ name, secretKeyRef }` in the resource; name → `Secret` in `config`, never absent. */
export function headers(options: {
  readonly description: string;
  readonly refused: readonly string[];
}): Field<Readonly<Record<string, Secret>>, 'always'> & HeadersField {
  const { description, refused } = options;
  const name = text('Its name.', { min: 1, max: 128, pattern: headerNamePattern });
  const header = namedSource('A header.', name, headerValuePattern, [
    {
      rule: `!self.name.lowerAscii().matches('${refusedHeaderPattern(refused)}')`,
      message: 'this header is set by Tocsin itself or frames the request: remove it',
    },
  ]);
  const { json } = listOf(description, header, { max: 32, type: 'map', keys: ['name'] });
  return { is: 'headers', ...refined(options, json), refused };
}

/** Any JSON value, for what a product leaves open. */
export function json<const O extends Common>(options: O): Field<unknown, PresenceOf<O>> & JsonField {
  return { is: 'json', ...refined(options, open(options.description)) };
}

/** A JSON object of any keys, for what a product leaves open by name; at most 50 of them, and 16 KiB. */
export function openObject<const O extends Common>(options: O): Field<AnyConfig, PresenceOf<O>> & JsonField {
  const json: StructuralSchema = { type: 'object', ...open(options.description), maxProperties: 50 };
  return { is: 'json', ...refined(options, json), maxBytes: 16_384 };
}

/** An object of further fields. */
export function group<const F extends BlockFields, const O extends Common & { readonly rules?: readonly Rule[] }>(
  options: O,
  fields: F,
): Field<ConfigOf<F>, PresenceOf<O>> & GroupField {
  const { description, rules = [] } = options;
  return { is: 'group', ...refined(options, blockSchema(description, fields, rules)), fields, rules };
}

/** The schema of an object of these fields. */
export function blockSchema(description: string, fields: BlockFields, rules: readonly Rule[]): StructuralSchema {
  return object(
    description,
    fields,
    rules.map(({ cel, message }) => ({ rule: cel, message })),
  ).json;
}
