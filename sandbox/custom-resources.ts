/** What a CustomResourceDefinition makes of the objects of its kind: unknown fields pruned, defaults applied, values checked. */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { BoundedMap } from '../src/model/bounded-map.ts';
import type { Cause } from './failure.ts';
import { type Fields, fieldAt, isFields, type KubeObject } from './object.ts';
import type { Registry, Resource } from './resources.ts';

/** The resource a definition describes, by its storage version; `undefined` when its schema is missing. */
export function resourceOfDefinition(definition: KubeObject): Resource | undefined {
  const versions = fieldAt(definition, 'spec', 'versions');
  const stored = Array.isArray(versions) ? versions.find((version) => fieldAt(version, 'storage') === true) : undefined;
  const schema = fieldAt(stored, 'schema', 'openAPIV3Schema');
  if (!isFields(schema)) return undefined;
  const name = (field: string): string => String(fieldAt(definition, 'spec', 'names', field) ?? '');
  const words = (field: string): string[] => {
    const value = fieldAt(definition, 'spec', 'names', field);
    return Array.isArray(value) ? value.map(String) : [];
  };
  return {
    group: String(fieldAt(definition, 'spec', 'group')),
    version: String(fieldAt(stored, 'name')),
    otherVersions: Array.isArray(versions)
      ? versions
          .filter((one) => one !== stored && fieldAt(one, 'served') === true)
          .map((one) => String(fieldAt(one, 'name')))
      : [],
    plural: name('plural'),
    singular: name('singular') || name('kind').toLowerCase(),
    kind: name('kind'),
    namespaced: fieldAt(definition, 'spec', 'scope') === 'Namespaced',
    hasStatus: isFields(fieldAt(stored, 'subresources', 'status')),
    counts: true,
    needsVersion: true,
    shortNames: words('shortNames'),
    categories: words('categories'),
    schema,
  };
}

/** Serves the kind of a definition and returns the status an API server gives an accepted one. */
export function establish(registry: Registry, definition: KubeObject, time: string): Fields | undefined {
  const resource = resourceOfDefinition(definition);
  if (!resource) return undefined;
  registry.define(resource);
  const condition = (type: string, reason: string, message: string): Fields => ({
    type,
    status: 'True',
    lastTransitionTime: time,
    reason,
    message,
  });
  return {
    acceptedNames: fieldAt(definition, 'spec', 'names'),
    conditions: [
      condition('NamesAccepted', 'NoConflicts', 'no conflicts found'),
      condition('Established', 'InitialNamesAccepted', 'the initial names have been accepted'),
    ],
    storedVersions: [resource.version],
  };
}

const embedded = ['apiVersion', 'kind', 'metadata'];

/** Takes unknown fields away (their paths go to `unknown`) and fills in defaults, as the structural schema says. */
export function pruneAndDefault(value: unknown, schema: Fields, unknown: string[], path = ''): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return isFields(items) ? value.map((item, i) => pruneAndDefault(item, items, unknown, `${path}[${i}]`)) : value;
  }
  if (!isFields(value)) return value;
  const properties = isFields(schema.properties) ? schema.properties : {};
  const result: Fields = {};
  for (const [field, child] of Object.entries(value)) {
    const childPath = path ? `${path}.${field}` : field;
    const own = Object.hasOwn(properties, field) ? properties[field] : schema.additionalProperties;
    if (path === '' && embedded.includes(field)) result[field] = child;
    else if (isFields(own)) {
      // null where a default exists and null is not allowed means: take the default.
      if (child === null && own.nullable !== true && own.default !== undefined) continue;
      result[field] = pruneAndDefault(child, own, unknown, childPath);
    } else if (own === true || schema['x-kubernetes-preserve-unknown-fields'] === true) result[field] = child;
    else unknown.push(childPath);
  }
  for (const [field, own] of Object.entries(properties))
    if (!Object.hasOwn(result, field) && isFields(own) && own.default !== undefined)
      result[field] = pruneAndDefault(structuredClone(own.default), own, unknown, `${path}.${field}`);
  return result;
}

/** By schema, and by its text: each sandbox of a process has a copy of its own. */
const validators = new WeakMap<Fields, ValidateFunction>();
const compiled = new BoundedMap<string, ValidateFunction>(32);

/** Compiling our largest schema takes a good part of a second: once for each schema, at the first write of its kind. */
function validatorOf(schema: Fields): ValidateFunction {
  const known = validators.get(schema);
  if (known) return known;
  const text = JSON.stringify(schema);
  const validate = compiled.get(text) ?? compile(schema);
  compiled.set(text, validate);
  validators.set(schema, validate);
  return validate;
}

function compile(schema: Fields): ValidateFunction {
  const form = { strict: false, unicodeRegExp: false, validateFormats: false };
  // Making the code shorter costs more than its few runs.
  const ajv = new Ajv({ ...form, allErrors: true, verbose: true, code: { optimize: false } });
  // metadata is the server's own business; custom schemas say nothing of it but `type: object`.
  return ajv.compile(withIntOrString(schema));
}

/** `x-kubernetes-int-or-string` alone allows both types; JSON Schema must be told so. */
function withIntOrString(schema: Fields): Fields {
  const convert = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(convert);
    if (!isFields(value)) return value;
    const result = Object.fromEntries(Object.entries(value).map(([key, child]) => [key, convert(child)]));
    return value['x-kubernetes-int-or-string'] === true ? { ...result, type: ['integer', 'string'] } : result;
  };
  return Object.fromEntries(Object.entries(schema).map(([key, child]) => [key, convert(child)]));
}

/**
 * What the schema has against an object, as the causes of a 422. CEL rules (`x-kubernetes-validations`) are not run here:
 * the real API server's tier shows them.
 */
export function schemaCauses(object: Fields, schema: Fields): Cause[] {
  const validate = validatorOf(schema);
  if (validate(object)) return [];
  // The branch errors under anyOf, oneOf and not repeat what the combined error says.
  const errors = (validate.errors ?? []).filter((error) => !/\/(?:anyOf|oneOf|not)\/\d+\//.test(error.schemaPath));
  return errors.map(causeOf);
}

const dotted = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part.replaceAll('~1', '/').replaceAll('~0', '~')}`))
    .join('')
    .replace(/^\./, '');

/** The words of a limit, by JSON Schema keyword. */
const limits: Readonly<Record<string, (limit: unknown, field: string) => string>> = {
  minimum: (limit, field) => `${field} in body should be greater than or equal to ${limit}`,
  maximum: (limit, field) => `${field} in body should be less than or equal to ${limit}`,
  minLength: (limit, field) => `${field} in body should be at least ${limit} chars long`,
  minItems: (limit, field) => `${field} in body should have at least ${limit} items`,
  minProperties: (limit, field) => `${field} in body should have at least ${limit} properties`,
  pattern: (limit, field) => `${field} in body should match '${limit}'`,
};
const tooLong: Readonly<Record<string, string>> = {
  maxLength: 'TooLong',
  maxItems: 'TooMany',
  maxProperties: 'TooMany',
};

function causeOf(error: ErrorObject): Cause {
  const field = dotted(error.instancePath);
  const value = JSON.stringify(error.data);
  const { keyword } = error;
  if (keyword === 'required') {
    const missing = String(error.params.missingProperty);
    return { reason: 'FieldValueRequired', message: 'Required value', field: field ? `${field}.${missing}` : missing };
  }
  if (keyword === 'enum') {
    const allowed: unknown = error.params.allowedValues;
    const list = Array.isArray(allowed) ? allowed.map((item) => JSON.stringify(item)).join(', ') : '';
    return {
      reason: 'FieldValueNotSupported',
      message: `Unsupported value: ${value}: supported values: ${list}`,
      field,
    };
  }
  if (keyword === 'type') {
    const type = Array.isArray(error.data) ? 'array' : error.data === null ? 'null' : typeof error.data;
    const wanted = String(error.schema);
    const shown = `Invalid value: "${type}": ${field} in body must be of type ${wanted}: "${type}"`;
    return { reason: 'FieldValueTypeInvalid', message: shown, field };
  }
  const long = tooLong[keyword];
  if (long === 'TooLong')
    return { reason: 'FieldValueTooLong', message: `Too long: may not be more than ${error.schema} bytes`, field };
  if (long) {
    const size = Array.isArray(error.data)
      ? error.data.length
      : Object.keys(isFields(error.data) ? error.data : {}).length;
    return {
      reason: 'FieldValueTooMany',
      message: `Too many: ${size}: must have at most ${error.schema} items`,
      field,
    };
  }
  const words = limits[keyword];
  const message = words ? words(error.schema, field) : `${field} in body ${error.message ?? 'is invalid'}`;
  return { reason: 'FieldValueInvalid', message: `Invalid value: ${value}: ${message}`, field };
}
