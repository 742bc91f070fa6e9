import { type AnyConfig, objectOf } from './block.ts';
import { listOf } from './config.ts';
import { invalidDestination, showAddress, type Unfit } from './destination.ts';
import type { FieldDeclaration, Fields } from './fields.ts';
import { headerNamePattern, headerValuePattern, isRefusedHeader } from './headers.ts';

/** Something wrong with a resource: the field's path, and a sentence that quotes the value and says what to do. */
export type Problem = { readonly path: string; readonly message: string };

/** One field's check: its problems, given a value that is there. */
type Check<D extends FieldDeclaration> = (field: D, value: unknown, path: string) => readonly Problem[];

/**
 * Checks a provider block by plain code, without a compiled schema: what the API server would refuse, and what it cannot see
 * (addresses, ports, header names). Rules in CEL are the API server's and lint's. Never shows a secret.
 */
export function checkBlock(fields: Fields, block: unknown, path: string): readonly Problem[] {
  const values = objectOf(block);
  if (!values) return [problem(path, `must be an object with the fields ${names(Object.keys(fields))}`)];
  return [
    ...Object.keys(values)
      .filter((name) => !Object.hasOwn(fields, name))
      .map((name) => problem(`${path}.${name}`, `is not a field of this block; use ${names(Object.keys(fields))}`)),
    ...Object.entries(fields).flatMap(([name, field]) => checkField(field, values[name], `${path}.${name}`)),
  ];
}

function checkField(field: FieldDeclaration, value: unknown, path: string): readonly Problem[] {
  if (value === undefined || value === null)
    return field.required ? [problem(path, `is required: ${field.description}`)] : [];
  switch (field.is) {
    case 'string':
      return checkString(field, value, path);
    case 'url':
      return checkUrl(field, value, path);
    case 'secret':
      return checkSecret(field, value, path);
    case 'integer':
      return checkInteger(field, value, path);
    case 'boolean':
      return typeof value === 'boolean' ? [] : [problem(path, `is ${show(value)}; use true or false`)];
    case 'list':
      return checkList(field, value, path);
    case 'headers':
      return checkHeaders(field, value, path);
    case 'json':
      return [];
    case 'group':
      return checkBlock(field.fields, value, path);
  }
}

const checkString: Check<Extract<FieldDeclaration, { is: 'string' }>> = (field, value, path) => {
  if (field.numeric) {
    const { min, max } = field.numeric;
    const text = String(value);
    const right = /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max;
    return right ? [] : [problem(path, `is ${show(value)}; use a number from ${min} to ${max}`)];
  }
  if (typeof value === 'number' && field.orNumber) return [];
  if (typeof value !== 'string') return [problem(path, `is ${show(value)}; use a text`)];
  if (field.oneOf && !field.oneOf.includes(value))
    return [problem(path, `is ${show(value)}; use ${names(field.oneOf, 'or')}`)];
  if (value === '' && field.required) return [problem(path, `is empty: ${field.description}`)];
  if ([...value].length > field.maxLength)
    return [problem(path, `is longer than ${field.maxLength} characters; shorten it`)];
  if (field.pattern && !new RegExp(field.pattern).test(value))
    return [problem(path, `is ${show(value)}, which does not match ${field.pattern}`)];
  return [];
};

const checkUrl: Check<Extract<FieldDeclaration, { is: 'url' }>> = ({ unfit }, value, path) =>
  typeof value === 'string' ? destination(value, path, unfit) : [problem(path, `is ${show(value)}; use an address`)];

function destination(address: string, path: string, unfit?: Unfit): readonly Problem[] {
  const invalid = invalidDestination(address, unfit);
  return invalid ? [problem(path, `is "${invalid.value}": it ${invalid.remedy}`)] : [];
}

const checkSecret: Check<Extract<FieldDeclaration, { is: 'secret' }>> = (field, value, path) => {
  const given = objectOf(value);
  const wrong = given ? checkSource(given, path) : [problem(path, `must be an object; ${useOneSource}`)];
  const inline = given?.value;
  if (wrong.length > 0 || field.holds !== 'url' || typeof inline !== 'string') return wrong;
  return destination(inline, `${path}.value`, field.unfit);
};

const useOneSource = 'set exactly one of `secretKeyRef` (with `name` and `key`) and `value`';

/** Exactly one of `secretKeyRef` and `value`, of the right shape. */
function checkSource(given: AnyConfig, path: string): readonly Problem[] {
  const { secretKeyRef, value } = given;
  if ((secretKeyRef === undefined) === (value === undefined)) return [problem(path, useOneSource)];
  if (value !== undefined)
    return typeof value === 'string' && value !== '' ? [] : [problem(`${path}.value`, 'must be a text, not empty')];
  const reference = objectOf(secretKeyRef);
  return ['name', 'key']
    .filter((part) => typeof reference?.[part] !== 'string' || reference[part] === '')
    .map((part) => problem(`${path}.secretKeyRef.${part}`, `is required: the ${part} of the Secret in this namespace`));
}

const checkInteger: Check<Extract<FieldDeclaration, { is: 'integer' }>> = (field, value, path) =>
  typeof value === 'number' && Number.isInteger(value) && value >= field.min && value <= field.max
    ? []
    : [problem(path, `is ${show(value)}; use a whole number from ${field.min} to ${field.max}`)];

const checkList: Check<Extract<FieldDeclaration, { is: 'list' }>> = (field, value, path) => {
  const texts = Array.isArray(value) && value.every((entry) => typeof entry === 'string');
  if (!texts && !(field.commaSeparated && typeof value === 'string'))
    return [
      problem(path, `is ${show(value)}; use a list of texts${field.commaSeparated ? ' or one with commas' : ''}`),
    ];
  const count = Array.isArray(value) ? value.length : String(value).split(',').length;
  if (count > field.maxItems) return [problem(path, `has ${count} entries; at most ${field.maxItems} are allowed`)];
  const entries = listOf(value);
  if (field.required && entries.length === 0) return [problem(path, `is empty: ${field.description}`)];
  const { pattern } = field;
  const wrong = pattern === undefined ? [] : entries.filter((entry) => !new RegExp(pattern).test(entry));
  return wrong.map((entry) => problem(path, `has the entry ${show(entry)}, which does not match ${pattern}`));
};

const checkHeaders: Check<Extract<FieldDeclaration, { is: 'headers' }>> = (field, value, path) => {
  if (!Array.isArray(value)) return [problem(path, 'must be a list of `{ name, value }` or `{ name, secretKeyRef }`')];
  const seen = new Set<string>();
  return value.flatMap((entry: unknown, index) => {
    const at = `${path}[${index}]`;
    const header = objectOf(entry);
    const name = header?.name;
    if (!header || typeof name !== 'string' || !new RegExp(headerNamePattern).test(name))
      return [problem(`${at}.name`, `is ${show(name)}; use letters, digits and hyphens`)];
    if (isRefusedHeader(name, field.refused))
      return [problem(`${at}.name`, `is "${name}", which Tocsin sets itself; remove this header`)];
    if (seen.has(name.toLowerCase()))
      return [problem(`${at}.name`, `is "${name}", which is there already; remove one`)];
    seen.add(name.toLowerCase());
    const source = checkSource({ ...header, name: undefined }, at);
    const text = header.value;
    return source.length === 0 && typeof text === 'string' && !new RegExp(headerValuePattern).test(text)
      ? [problem(`${at}.value`, 'holds a line break or a character outside ASCII; remove it')]
      : source;
  });
};

function problem(path: string, says: string): Problem {
  return { path, message: `\`${path}\` ${says}` };
}

/** A value as a message quotes it, short; addresses lose what may be a credential. */
function show(value: unknown): string {
  if (typeof value === 'string' && value.includes('://')) return `"${showAddress(value)}"`;
  const text = JSON.stringify(value) ?? 'missing';
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** `` `a`, `b` and `c` ``. */
function names(list: readonly string[], last = 'and'): string {
  const quoted = list.map((name) => `\`${name}\``);
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} ${last} ${quoted.at(-1)}`;
}
