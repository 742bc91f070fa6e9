import { checkValue, type Problem } from '../../schema/check.ts';
import { joinPath } from '../../schema/path.ts';
import { oneSource } from '../../schema/secret.ts';
import { objectOf } from './block.ts';
import { listOf } from './config.ts';
import { invalidDestination, type Unfit } from './destination.ts';
import { type BlockFields, blockSchema, type FieldDeclaration } from './fields.ts';
import { isRefusedHeader } from './headers.ts';

/**
 * Checks a provider block: what its schema refuses, and what the schema cannot see (addresses, ports, header names, lists in one
 * text). Of the rules in CEL only that of secrets; the others are the API server's and lint's. Never shows a secret.
 */
export function checkBlock(fields: BlockFields, block: unknown, path: string): readonly Problem[] {
  const refused = checkValue(blockSchema('', fields, []), block, path);
  const isSaid = (problem: Problem): boolean =>
    refused.some((said) => problem.path === said.path || said.path.startsWith(`${problem.path}.`));
  return [...refused, ...checkFields(fields, block, path).filter((problem) => !isSaid(problem))];
}

function checkFields(fields: BlockFields, block: unknown, path: string): readonly Problem[] {
  const values = objectOf(block) ?? {};
  return Object.entries(fields).flatMap(([name, field]) => {
    const value = values[name];
    return value === undefined || value === null ? [] : checkField(field, value, `${path}.${name}`);
  });
}

/** What the schema cannot say of a field. */
function checkField(field: FieldDeclaration, value: unknown, path: string): readonly Problem[] {
  switch (field.is) {
    case 'string':
      return checkDigits(field, value, path);
    case 'url':
      return typeof value === 'string' ? checkAddress(value, path, field.unfit) : [];
    case 'secret':
      return checkSecret(field, value, path);
    case 'list':
      return checkList(field, value, path);
    case 'headers':
      return checkHeaders(field, value, path);
    case 'group':
      return checkFields(field.fields, value, path);
    case 'json':
      return checkSize(field, value, path);
    case 'integer':
    case 'boolean':
      return [];
  }
}

type Check<K extends FieldDeclaration['is']> = (
  field: Extract<FieldDeclaration, { is: K }>,
  value: unknown,
  path: string,
) => readonly Problem[];

/** A number that is written as a text has bounds as well. */
const checkDigits: Check<'string'> = ({ json: { minimum, maximum } }, value, path) => {
  if (typeof value !== 'string' || minimum === undefined || maximum === undefined) return [];
  const isWithin = Number(value) >= minimum && Number(value) <= maximum;
  return isWithin ? [] : [problem(path, `is ${JSON.stringify(value)}; use a number from ${minimum} to ${maximum}`)];
};

/** The API server bounds the keys of an open object, not what they hold. */
const checkSize: Check<'json'> = ({ maxBytes }, value, path) => {
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (maxBytes === undefined || bytes <= maxBytes) return [];
  return [problem(path, `takes ${bytes} bytes as JSON; use at most ${maxBytes}`)];
};

function checkAddress(address: string, path: string, unfit?: Unfit): readonly Problem[] {
  const invalid = invalidDestination(address, unfit);
  return invalid ? [problem(path, `is "${invalid.value}": it ${invalid.remedy}`)] : [];
}

const checkSecret: Check<'secret'> = ({ holds, unfit }, value, path) => {
  const wrong = checkSource(value, path);
  const inline = objectOf(value)?.value;
  if (wrong.length > 0 || holds !== 'url' || typeof inline !== 'string') return wrong;
  return checkAddress(inline, `${path}.value`, unfit);
};

function checkSource(value: unknown, path: string): readonly Problem[] {
  const given = objectOf(value);
  const sources = [given?.secretKeyRef, given?.value].filter((source) => source !== undefined && source !== null);
  return sources.length === 1 ? [] : [problem(path, `needs one source: ${oneSource.message}`)];
}

const checkList: Check<'list'> = ({ commaSeparated, entries, required, json }, value, path) => {
  if (commaSeparated && typeof value !== 'string' && !Array.isArray(value))
    return [problem(path, 'must be a list of texts, or one text with commas')];
  const given = commaSeparated && typeof value === 'string' ? listOf(value) : value;
  const wrong = commaSeparated ? checkValue(entries, given, path) : [];
  if (wrong.length > 0 || !required || listOf(given).length > 0) return wrong;
  return [problem(path, `is empty: ${json.description}`)];
};

const checkHeaders: Check<'headers'> = ({ refused }, value, path) => {
  const seen = new Set<string>();
  return (Array.isArray(value) ? value : []).flatMap((entry: unknown, index) => {
    const at = joinPath(path, index);
    const name = String(objectOf(entry)?.name);
    if (isRefusedHeader(name, refused))
      return [problem(`${at}.name`, `is "${name}", which Tocsin sets itself; remove this header`)];
    if (seen.has(name.toLowerCase()))
      return [problem(`${at}.name`, `is "${name}", which is there already; remove one`)];
    seen.add(name.toLowerCase());
    return checkSource(entry, at);
  });
};

function problem(path: string, says: string): Problem {
  return { path, message: `\`${path}\` ${says}` };
}
