import type { Secret } from '../../model/secret.ts';
import type { Unfit } from './destination.ts';

/** Whether a field is in `config`: always (required or with a default), or perhaps. */
type Presence = 'always' | 'perhaps';

/** What every field declaration says. */
type Common = {
  /** One sentence; `kubectl explain` and the reference page show it. */
  readonly description: string;
  readonly required: boolean;
  /** Name of the field beside it without which this one does nothing (`reopenStatus` needs `closeStatus`); lint warns. */
  readonly needs?: string;
};

/**
 * A text. `oneOf`: the only values. `orNumber`: people write it unquoted (`chatId: 42`), so a number is taken too.
 * `numeric`: the same, and it must be a number within these bounds (`port: 25`).
 */
export type StringField = Common & {
  readonly is: 'string';
  readonly default?: string;
  readonly oneOf?: readonly string[];
  /** A regular expression that RE2 and JavaScript read alike; anchored by whoever writes it. */
  readonly pattern?: string;
  readonly maxLength: number;
  readonly orNumber?: boolean;
  readonly numeric?: { readonly min: number; readonly max: number };
};
/** An http or https address that is no secret, with a path that is not `unfit`. */
export type UrlField = Common & { readonly is: 'url'; readonly default?: string; readonly unfit?: Unfit };
/** A value from a Secret. `holds: 'url'`: the value is the address itself (incoming webhooks), with a path that is not `unfit`. */
export type SecretField = Common & {
  readonly is: 'secret';
  readonly holds: 'text' | 'url';
  readonly unfit?: Unfit;
};
/** A whole number. */
export type IntegerField = Common & {
  readonly is: 'integer';
  readonly min: number;
  readonly max: number;
  readonly default?: number;
};
/** A switch. */
export type BooleanField = Common & { readonly is: 'boolean'; readonly default?: boolean };
/** Several texts. `commaSeparated`: one string with commas is taken too. `pattern`: of every entry, as for a text. */
export type ListField = Common & {
  readonly is: 'list';
  readonly maxItems: number;
  readonly commaSeparated: boolean;
  readonly pattern?: string;
};
/** HTTP headers that people add. `refused`: lower-case names; a trailing `*` refuses every name that begins so. */
export type HeadersField = Common & { readonly is: 'headers'; readonly refused: readonly string[] };
/** Any JSON value, handed through. */
export type JsonField = Common & { readonly is: 'json' };
/** An object of further fields (`basicAuth`). */
export type GroupField = Common & { readonly is: 'group'; readonly fields: Fields; readonly rules: readonly Rule[] };

/** One configuration field as data: the CRD block, checks, reference page and the type of `config` follow from it. */
export type FieldDeclaration =
  | StringField
  | UrlField
  | SecretField
  | IntegerField
  | BooleanField
  | ListField
  | HeadersField
  | JsonField
  | GroupField;

/** A field declaration that knows the type of its value in `config`. `T` and `P` exist for the compiler only. */
export type Field<T = unknown, P extends Presence = Presence> = FieldDeclaration & {
  readonly type?: T;
  readonly presence?: P;
};

/** Field name → declaration, in the order people should read them. */
export type Fields = Readonly<Record<string, Field>>;

/** A rule across fields in CEL (`self` is the block), with a message that says what to do. */
export type Rule = { readonly cel: string; readonly message: string };

/** The type of `config` for these fields. */
export type ConfigOf<F extends Fields> = {
  readonly [K in keyof F as F[K] extends { readonly presence?: 'always' } ? K : never]: ValueOf<F[K]>;
} & {
  readonly [K in keyof F as F[K] extends { readonly presence?: 'always' } ? never : K]?: ValueOf<F[K]>;
};
type ValueOf<F> = F extends { readonly type?: infer T } ? Exclude<T, undefined> : never;

/** What a builder is told; the presence of the field follows from `required` and `default`. */
type Asked<D> = {
  readonly description: string;
  readonly required?: boolean;
  readonly default?: D;
  readonly needs?: string;
};
type PresenceOf<O> = O extends { readonly required: true } | { readonly default: NonNullable<unknown> }
  ? 'always'
  : 'perhaps';

/** The longest text of a field without a limit of its own: longer than any address or name these products take. */
const textLength = 1024;

/** A text; with `oneOf`, one of these words. */
export function string<
  const O extends Asked<string> & {
    readonly oneOf?: readonly string[];
    readonly pattern?: string;
    readonly maxLength?: number;
    readonly orNumber?: boolean;
    readonly numeric?: { readonly min: number; readonly max: number };
  },
>(options: O): Field<O extends { readonly oneOf: readonly (infer V)[] } ? V : string, PresenceOf<O>> & StringField {
  return { is: 'string', required: false, maxLength: textLength, ...options };
}

/** An http or https address with a host; not a secret (else use `secret({ holds: 'url' })`). */
export function httpUrl<const O extends Asked<string> & { readonly unfit?: Unfit }>(
  options: O,
): Field<string, PresenceOf<O>> & UrlField {
  return { is: 'url', required: false, ...options };
}

/** A credential: `{ secretKeyRef }` or `{ value }` in the resource, a `Secret` in `config`. */
export function secret<
  const O extends {
    readonly description: string;
    readonly required?: boolean;
    readonly holds?: 'text' | 'url';
    readonly unfit?: Unfit;
  },
>(options: O): Field<Secret, PresenceOf<O>> & SecretField {
  return { is: 'secret', required: false, holds: 'text', ...options };
}

/** A whole number within bounds; without bounds, any that a signed 32-bit number holds. */
export function integer<const O extends Asked<number> & { readonly min?: number; readonly max?: number }>(
  options: O,
): Field<number, PresenceOf<O>> & IntegerField {
  return { is: 'integer', required: false, min: -2_147_483_648, max: 2_147_483_647, ...options };
}

/** A switch. */
export function boolean<const O extends Asked<boolean>>(options: O): Field<boolean, PresenceOf<O>> & BooleanField {
  return { is: 'boolean', required: false, ...options };
}

/** Several texts, at most 50 unless `maxItems` says otherwise. */
export function list<
  const O extends {
    readonly description: string;
    readonly required?: boolean;
    readonly maxItems?: number;
    readonly commaSeparated?: boolean;
    readonly pattern?: string;
  },
>(options: O): Field<readonly string[], PresenceOf<O>> & ListField {
  return { is: 'list', required: false, maxItems: 50, commaSeparated: false, ...options };
}

/** HTTP headers, as `{ name, value }` or `{ name, secretKeyRef }` in the resource; name → `Secret` in `config`, never absent. */
export function headers(options: {
  readonly description: string;
  readonly refused: readonly string[];
}): Field<Readonly<Record<string, Secret>>, 'always'> & HeadersField {
  return { is: 'headers', required: false, ...options };
}

/** Any JSON value, for what a product leaves open. */
export function json<const O extends { readonly description: string; readonly required?: boolean }>(
  options: O,
): Field<unknown, PresenceOf<O>> & JsonField {
  return { is: 'json', required: false, ...options };
}

/** An object of further fields. */
export function group<
  const F extends Fields,
  const O extends { readonly description: string; readonly required?: boolean; readonly rules?: readonly Rule[] },
>(options: O, fields: F): Field<ConfigOf<F>, PresenceOf<O>> & GroupField {
  return { is: 'group', required: false, rules: [], ...options, fields };
}
