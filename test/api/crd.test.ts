import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Environment } from '@marcbachmann/cel-js';
import { alertProviderFor } from '../../src/api/alert-provider.ts';
import { crdOf, objectSchema } from '../../src/api/crd.ts';
import { kindNames, kinds } from '../../src/api/group.ts';
import { resources } from '../../src/api/resources.ts';
import { brokenRules } from '../../src/api/validation/cel.ts';
import type { StructuralSchema } from '../../src/model/schema.ts';
import { syntheticProviders } from './synthetic.ts';

/** Every schema below and including this one, with its path. */
function* walk(schema: StructuralSchema, path: string): Generator<readonly [string, StructuralSchema]> {
  yield [path, schema];
  for (const [name, property] of Object.entries(schema.properties ?? {})) yield* walk(property, `${path}.${name}`);
  if (schema.items) yield* walk(schema.items, `${path}[]`);
  if (schema.additionalProperties) yield* walk(schema.additionalProperties, `${path}{}`);
}

/** All schemas of today, and those that 55 types would bring. */
const schemas = [
  ...kindNames.flatMap((kind) => [...walk(objectSchema(resources[kind]), kind)]),
  ...walk(objectSchema(alertProviderFor(syntheticProviders(55))), 'AlertProvider(55)'),
].filter(([path]) => !/\.(?:apiVersion|kind|metadata)$/.test(path));

describe('the API conventions', () => {
  test('every field has a description of one sentence', () => {
    for (const [path, { description = '' }] of schemas) assert.match(description, /^[^\s].*\.$/, path);
  });

  test('every list has a list type and a maximum, and a map has keys that are required', () => {
    for (const [path, schema] of schemas.filter(([, { type }]) => type === 'array')) {
      assert.ok(schema['x-kubernetes-list-type'] && schema.maxItems, path);
      for (const key of schema['x-kubernetes-list-map-keys'] ?? [])
        assert.ok(schema.items?.required?.includes(key), path);
    }
  });

  test('every text has a greatest length or is one of a few words, every number has bounds, every table a size', () => {
    for (const [path, schema] of schemas) {
      if (schema.type === 'string') assert.ok(schema.maxLength ?? schema.enum, path);
      if (schema.type === 'integer') assert.ok(schema.minimum !== undefined && schema.maximum !== undefined, path);
      if (schema.additionalProperties) assert.ok(schema.maxProperties, path);
    }
  });

  test('every default passes its own schema', () => {
    for (const [path, schema] of schemas.filter(([, { default: preset }]) => preset !== undefined)) {
      const type = Array.isArray(schema.default) ? 'array' : typeof schema.default;
      assert.equal(type === 'number' ? 'integer' : type, schema.type, path);
      if (schema.enum) assert.ok(schema.enum.includes(String(schema.default)), path);
    }
  });
});

test('every rule has a message of one line and stays within the CEL that we can run offline', () => {
  const environment = new Environment().registerVariable('self', 'dyn').registerVariable('oldSelf', 'dyn');
  for (const [path, schema] of schemas)
    for (const { rule, message } of schema['x-kubernetes-validations'] ?? []) {
      assert.match(message, /^[^\n]{10,200}$/, path);
      assert.doesNotMatch(rule, /\.\?|\b(?:quantity|url|isIP|format)\(/, path);
      // A process that has compiled much (or runs with --no-regexp-optimization) takes `(?i:a|b)` for `(?:a|b)`.
      assert.doesNotMatch(rule, /\(\?[a-z]/, `${path}: write text.lowerAscii().matches(…) instead`);
      assert.equal(environment.check(rule).valid, true, `${path}: ${rule}`);
    }
});

test('of 55 types, exactly the block that the type names passes', () => {
  const { json } = alertProviderFor(syntheticProviders(55)).spec;
  const rules = (spec: unknown) =>
    brokenRules({ ...json, properties: {} }, spec).map(({ message }) => message.slice(0, 13));
  assert.deepEqual(rules({ type: 'product54', product54: {} }), []);
  assert.deepEqual(rules({ type: 'product54', product53: {} }), ['set the block']);
  assert.deepEqual(rules({ type: 'product54', product54: {}, product00: {} }), ['set the block']);
  assert.deepEqual(rules({ type: 'product54' }), ['set the block']);
});

test('every version takes the same objects, which are kept in the one that every release has served', () => {
  for (const kind of kindNames) {
    const { versions } = crdOf(resources[kind]).spec;
    assert.deepEqual(
      versions.map(({ name, served, storage }) => [name, served, storage]),
      [
        ['v1beta1', true, false],
        ['v1alpha1', true, true],
      ],
    );
    const [best, older] = versions.map(({ schema }) =>
      JSON.stringify(schema, (key, value) => (key === 'description' && typeof value === 'string' ? undefined : value)),
    );
    assert.equal(older, best);
  }
});

test('names, short names and columns are the documented ones', () => {
  const shown = kindNames.map((kind) => {
    const { names, scope, versions } = crdOf(resources[kind]).spec;
    assert.equal(scope, 'Namespaced');
    assert.deepEqual(names.categories, ['tocsin']);
    assert.ok(versions.every(({ subresources }) => 'status' in subresources));
    const [{ additionalPrinterColumns: columns } = { additionalPrinterColumns: [] }, ...older] = versions;
    for (const { additionalPrinterColumns } of older) assert.deepEqual(additionalPrinterColumns, columns);
    return [
      names.shortNames.join(),
      columns
        .filter(({ priority }) => !priority)
        .map(({ name }) => name)
        .join(', '),
      columns
        .filter(({ priority }) => priority)
        .map(({ name }) => name)
        .join(', '),
    ];
  });
  assert.deepEqual(shown, [
    ['ap', 'Type, Active, Ready, Delivering, Last Delivery, Failed, Age', 'Reason, Pending'],
    ['sil', 'Active, Ready, Until, Suppressed, Comment, Age', 'By, Reason'],
    ['mw', 'Active, Ready, Next Start, Time Zone, Schedule, Suppressed, Age', 'Reason'],
    ['ac', 'Edition, Covered, Delivering, Ready, Open, Age', ''],
  ]);
  assert.deepEqual(Object.keys(kinds), kindNames);
});

test('no column of type date shows a time that may lie in the future, which kubectl prints as <invalid>', () => {
  for (const kind of kindNames)
    for (const { type, path } of resources[kind].columns)
      if (type === 'date') assert.doesNotMatch(path, /next|end|until/i);
});
