/**
 * Manifests of every provider type, made from its own declaration: its sample is taken, and each field is refused where it is
 * missing, of another kind, too long, out of range or unknown. No type can be forgotten here; what is particular to one, and
 * its rules in CEL, are rows of `provider-cases.ts`.
 */
import type { AnyProvider } from '../../src/providers/kit/define.ts';
import type { BlockFields, FieldDeclaration } from '../../src/providers/kit/fields.ts';
import { providers } from '../../src/providers/registry.ts';
import { type Mode, readCaseFile } from '../providers/conformance/case-file.ts';
import { type Case, cel, type Manifest, manifest, oneSource, ownBlock, type Spec, schema } from './case.ts';

/** A manifest of a type with this block. */
function ofType(type: string, block: Spec): Manifest {
  return manifest('AlertProvider', { type, [type]: block });
}

/** A wrong value and what becomes of it. `at`: below the field. */
type Wrong = {
  readonly what: string;
  readonly value: unknown;
  readonly at?: string;
  readonly message?: string;
};

const nothing: readonly Wrong[] = [];
const reference = { secretKeyRef: { name: 'a', key: 'b' } };

/** Values that a pattern may refuse, one of which every pattern here does. */
const unlikely = ['a\nb', '☃ ☃', ' ', '!', 'a b', '://'];

/** What is wrong with a kind of field, whatever it is called. Lists with commas are open to the API server: lint looks at them. */
function wrongOf(field: FieldDeclaration): readonly Wrong[] {
  switch (field.is) {
    case 'string': {
      const { enum: oneOf, pattern, maxLength = 0, minimum, maximum } = field.json;
      const orNumber = field.json['x-kubernetes-int-or-string'] === true;
      if (minimum !== undefined && maximum !== undefined)
        return [
          { what: 'too small a number', value: minimum - 1 },
          { what: 'too large a number', value: maximum + 1 },
          { what: 'a number in words', value: 'many' },
        ];
      const refused = pattern && unlikely.find((value) => !new RegExp(pattern).test(value));
      return [
        { what: 'an object', value: {} },
        ...(orNumber ? nothing : [{ what: 'a number', value: 5 }]),
        ...(oneOf
          ? [{ what: 'another word', value: 'another' }]
          : [{ what: 'a text that is too long', value: 'a'.repeat(maxLength + 1) }]),
        ...(refused === undefined || refused === '' ? nothing : [{ what: 'a text of another form', value: refused }]),
      ];
    }
    case 'url':
      return [
        { what: 'a number', value: 5 },
        { what: 'an address that is not of the web', value: 'ftp://example.com/' },
      ];
    case 'secret':
      return [
        { what: 'the bare text', value: 'secret' },
        { what: 'no source', value: {}, message: oneSource },
        { what: 'two sources', value: { ...reference, value: 'x' }, message: oneSource },
        { what: 'an empty value', value: { value: '' }, at: '.value' },
        { what: 'a Secret without a key', value: { secretKeyRef: { name: 'a' } }, at: '.secretKeyRef.key' },
      ];
    case 'integer': {
      const { minimum = 0, maximum = 0 } = field.json;
      return [
        { what: 'a text', value: '5' },
        { what: 'a fraction', value: 1.5 },
        ...(minimum > -2_147_483_648 ? [{ what: 'too small a number', value: minimum - 1 }] : nothing),
        ...(maximum < 2_147_483_647 ? [{ what: 'too large a number', value: maximum + 1 }] : nothing),
      ];
    }
    case 'boolean':
      return [{ what: 'a text', value: 'yes' }];
    case 'list':
      return field.commaSeparated ? nothing : [{ what: 'a text', value: 'a' }];
    case 'headers':
      return [
        { what: 'a text', value: 'X-Team: a' },
        { what: 'a header without a source', value: [{ name: 'X-Team' }], at: '[0]', message: oneSource },
      ];
    case 'json':
      return nothing;
    case 'group':
      return [
        { what: 'a text', value: 'a' },
        { what: 'an unknown field', value: { tocsin: 'a' }, at: '.tocsin' },
      ];
  }
}

/** A value that a field takes; of a group none that fits every type. */
function rightOf(field: FieldDeclaration): unknown {
  switch (field.is) {
    case 'string':
      return field.json.enum?.[0] ?? field.json.default ?? 'tocsin';
    case 'url':
      return 'https://receiver.example.com';
    case 'secret':
      return reference;
    case 'integer':
      return field.json.minimum ?? 1;
    case 'boolean':
      return true;
    case 'list':
      return ['tocsin'];
    case 'headers':
      return [{ name: 'X-Team', value: 'a' }];
    default:
      return {};
  }
}

/** The block of a mode, each of its secrets in a Secret. */
function blockOf({ block, secrets }: Pick<Mode, 'block' | 'secrets'>): Spec {
  const paths = Object.keys(secrets).map((path) => path.split('.'));
  const fields = paths.map(([field = '', inner]) => [field, inner === undefined ? reference : { [inner]: reference }]);
  const missing = fields.filter(([field]) => !(String(field) in block));
  return { ...block, ...Object.fromEntries(missing) };
}

/** What must be taken: every way of configuring it that the conformance suite plays, and each field that none of these sets, but for groups with rules. */
function taken({ type, sample, fields }: Pick<AnyProvider, 'type' | 'sample' | 'fields'>): readonly [string, Spec][] {
  const modes = [...readCaseFile(type).modes].map(([name, mode]): [string, Spec] => [`as in ${name}`, blockOf(mode)]);
  const set = new Set([sample, ...modes.map(([, block]) => block)].flatMap((block) => Object.keys(block)));
  const hasRules = (field: FieldDeclaration): boolean => field.is === 'group' && field.rules.length > 0;
  const alone = Object.entries(fields).filter(([name, field]) => !set.has(name) && !hasRules(field));
  return [
    ...modes,
    ...alone.map(([name, field]): [string, Spec] => [`with ${name}`, { ...sample, [name]: rightOf(field) }]),
  ];
}

/** The rows of one type. */
function casesOf({ type, fields, sample }: AnyProvider, other: AnyProvider): readonly Case[] {
  const at = `spec.${type}`;
  const refuse = (what: string, block: Spec, refused: NonNullable<Case['refused']>): Case => ({
    name: `${type} with ${what}`,
    manifest: ofType(type, block),
    refused,
  });
  return [
    { name: `the sample of ${type}`, manifest: ofType(type, sample) },
    ...taken({ type, sample, fields }).map(([what, block]) => ({
      name: `${type} ${what}`,
      manifest: ofType(type, block),
    })),
    refuse('a field that it does not have', { ...sample, tocsin: 'a' }, schema(`${at}.tocsin`)),
    {
      name: `${type} with the block of ${other.type}`,
      manifest: manifest('AlertProvider', { type, [other.type]: other.sample }),
      refused: cel('spec', ownBlock),
    },
    {
      name: `${type} with the block of ${other.type} besides its own`,
      manifest: manifest('AlertProvider', { type, [type]: sample, [other.type]: other.sample }),
      refused: cel('spec', ownBlock),
    },
    ...Object.entries(fields).flatMap(([name, field]) => [
      ...(field.required ? [refuse(`no ${name}`, { ...sample, [name]: null }, schema(`${at}.${name}`))] : []),
      ...wrongOf(field).map(({ what, value, at: below = '', message }) => {
        const path = `${at}.${name}${below}`;
        return refuse(
          `${what} as ${name}`,
          { ...sample, [name]: value },
          message === undefined ? schema(path) : cel(path, message),
        );
      }),
      ...innerCases(type, sample, name, field),
    ]),
  ];
}

/** The fields of a group, alone. */
function innerCases(type: string, sample: Spec, name: string, field: FieldDeclaration): readonly Case[] {
  if (field.is !== 'group') return [];
  const inner: BlockFields = field.fields;
  return Object.entries(inner).flatMap(([key, each]) =>
    wrongOf(each)
      .filter(({ message }) => message === undefined)
      .map(({ what, value, at = '' }) => ({
        name: `${type} with ${what} as ${name}.${key}`,
        manifest: ofType(type, { ...sample, [name]: { [key]: value } }),
        refused: schema(`spec.${type}.${name}.${key}${at}`),
      })),
  );
}

/** The rows of all types; each is confronted with the block of the next. */
export const typeCases: readonly Case[] = providers.flatMap((provider, index) =>
  casesOf(provider, providers[(index + 1) % providers.length] ?? provider),
);
