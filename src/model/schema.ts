import { instantPattern } from './instants.ts';
/** A rule in CEL, with a message that says what to do. `fieldPath` moves the blame to a field (`.type`). */
export type Validation = { readonly rule: string; readonly message: string };

/**
 * The part of OpenAPI v3 that a structural CRD schema may use and that we do use. One value of it becomes the CRD, the
 * schema for `ajv`, the reference page and the editor schema.
 */
export type StructuralSchema = {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'boolean';
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly format?: 'date-time';
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly properties?: Readonly<Record<string, StructuralSchema>>;
  readonly required?: readonly string[];
  readonly items?: StructuralSchema;
  readonly additionalProperties?: StructuralSchema;
  readonly anyOf?: readonly { readonly type: 'integer' | 'string' }[];
  readonly 'x-kubernetes-int-or-string'?: true;
  readonly 'x-kubernetes-preserve-unknown-fields'?: true;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-validations'?: readonly Validation[];
};

/** A schema that knows the type of its values. `T` and `required` exist for the compiler and `object` only. */
export type Schema<T = unknown, R extends boolean = boolean> = {
  readonly json: StructuralSchema;
  readonly required: R;
  readonly type?: T;
};

/** The type of the values a schema describes. */
export type TypeOf<S> = S extends { readonly type?: infer T } ? Exclude<T, undefined> : never;

/** Property name → schema. */
export type Properties = Readonly<Record<string, Schema>>;

/** An object with these properties; those that are not required may be absent. */
export type ObjectOf<P extends Properties> = {
  readonly [K in keyof P as P[K] extends { readonly required: true } ? K : never]: TypeOf<P[K]>;
} & {
  readonly [K in keyof P as P[K] extends { readonly required: true } ? never : K]?: TypeOf<P[K]>;
};

/** The same schema, for a property that must be there. */
export function required<T>(schema: Schema<T>): Schema<T, true> {
  return { json: schema.json, required: true };
}

function optional<T>(json: StructuralSchema): Schema<T, false> {
  return { json, required: false };
}

/** A text of at most `max` characters. */
export function text(
  description: string,
  limits: { readonly max: number; readonly min?: number; readonly pattern?: string; readonly default?: string },
): Schema<string, false> {
  const { max, min, pattern, default: preset } = limits;
  return optional({
    type: 'string',
    description,
    ...(min !== undefined && { minLength: min }),
    maxLength: max,
    ...(pattern !== undefined && { pattern }),
    ...(preset !== undefined && { default: preset }),
  });
}

/** One of a few words. */
export function oneOf<const W extends string>(
  description: string,
  words: readonly W[],
  preset?: NoInfer<W>,
): Schema<W, false> {
  return optional({ type: 'string', description, enum: words, ...(preset !== undefined && { default: preset }) });
}

/** A whole number within bounds. */
export function whole(
  description: string,
  limits: { readonly min: number; readonly max: number; readonly default?: number },
): Schema<number, false> {
  const { min, max, default: preset } = limits;
  return optional({
    type: 'integer',
    description,
    minimum: min,
    maximum: max,
    ...(preset !== undefined && { default: preset }),
  });
}

/** A count that only grows. */
export function count(description: string): Schema<number, false> {
  return whole(description, { min: 0, max: Number.MAX_SAFE_INTEGER });
}

/** A switch. */
export function flag(description: string, preset?: boolean): Schema<boolean, false> {
  return optional({ type: 'boolean', description, ...(preset !== undefined && { default: preset }) });
}

/** A point in time. */
export function instant(description: string): Schema<string, false> {
  return optional({ type: 'string', description, format: 'date-time', maxLength: 40, pattern: instantPattern });
}

/** An object with these properties and no others. */
export function object<const P extends Properties>(
  description: string,
  properties: P,
  validations: readonly Validation[] = [],
): Schema<ObjectOf<P>, false> {
  const entries = Object.entries(properties);
  const must = entries.filter(([, property]) => property.required).map(([name]) => name);
  return optional({
    type: 'object',
    description,
    properties: Object.fromEntries(entries.map(([name, property]) => [name, property.json])),
    ...(must.length > 0 && { required: must }),
    ...(validations.length > 0 && { 'x-kubernetes-validations': validations }),
  });
}

/** How a list merges under server-side apply, and its size. `map` needs its key properties, which must be required. */
export type ListLimits = { readonly max: number; readonly min?: number; readonly default?: readonly [] } & (
  | { readonly type: 'atomic' | 'set' }
  | { readonly type: 'map'; readonly keys: readonly string[] }
);

/** Several values. */
export function list<T>(description: string, items: Schema<T>, limits: ListLimits): Schema<readonly T[], false> {
  return optional({
    type: 'array',
    description,
    items: items.json,
    ...(limits.min !== undefined && { minItems: limits.min }),
    maxItems: limits.max,
    ...(limits.default !== undefined && { default: limits.default }),
    'x-kubernetes-list-type': limits.type,
    ...(limits.type === 'map' && { 'x-kubernetes-list-map-keys': limits.keys }),
  });
}

/** Values by a name that people choose. */
export function table<T>(
  description: string,
  values: Schema<T>,
  limits: { readonly max: number; readonly min?: number },
): Schema<Readonly<Record<string, T>>, false> {
  return optional({
    type: 'object',
    description,
    additionalProperties: values.json,
    ...(limits.min !== undefined && { minProperties: limits.min }),
    maxProperties: limits.max,
  });
}
