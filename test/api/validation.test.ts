import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import { alertProviderFor } from '../../src/api/alert-provider.ts';
import { kindNames } from '../../src/api/group.ts';
import { resources } from '../../src/api/resources.ts';
import { brokenRules } from '../../src/api/validation/cel.ts';
import { validate } from '../../src/api/validation.ts';
import type { AnyProvider } from '../../src/providers/kit/define.ts';
import type { Rule } from '../../src/providers/kit/fields.ts';
import { providers } from '../../src/providers/registry.ts';
import { cases } from './cases.ts';
import { syntheticProviders } from './synthetic.ts';

describe('what the API server says to a manifest, offline', () => {
  for (const { name, manifest, previous, refused } of cases)
    test(`${manifest.kind}: ${name} is ${refused ? `refused by ${refused.by}` : 'taken'}`, () => {
      const problems = validate(manifest.kind, manifest, previous);
      if (!refused) return assert.deepEqual(problems, []);
      const [first] = problems;
      assert.ok(first, 'it was taken');
      assert.deepEqual({ by: first.rule, path: first.path }, { by: refused.by, path: refused.path });
      assert.ok(first.message.includes(refused.message ?? ''), first.message);
    });
});

test('the type of a provider cannot be changed, and the message says what to do', () => {
  // One type is registered so far, so this runs on types that no product has.
  const { json } = alertProviderFor(syntheticProviders(2)).spec;
  const before = { type: 'product00', product00: { webhook: { value: 'https://h.example/' } } };
  const now = {
    type: 'product01',
    product01: { url: 'https://h.example/', user: 'u', token: { value: 't' }, projectId: 5 },
  };
  assert.deepEqual(brokenRules(json, now), []);
  const [broken, ...others] = brokenRules(json, now, before, 'spec');
  assert.deepEqual([broken?.path, others], ['spec.type', []]);
  assert.match(broken?.message ?? '', /create another AlertProvider/);
});

test('every sample is taken', () => {
  for (const kind of kindNames) assert.deepEqual(validate(kind, parse(resources[kind].sample)), [], kind);
});

test('the sample block of every provider type is taken', () => {
  for (const { type, sample } of providers) {
    const object = { apiVersion: 'tocsin.dev/v1alpha1', kind: 'AlertProvider', metadata: { name: 'a' } };
    assert.deepEqual(validate('AlertProvider', { ...object, spec: { type, [type]: sample } }), [], type);
  }
});

test('every rule of every provider type is broken by a row of the table, and a manifest that keeps it is there as well', () => {
  const rulesOf = ({ rules, fields }: AnyProvider): readonly Rule[] => [
    ...rules,
    ...Object.values(fields).flatMap((field) => (field.is === 'group' ? field.rules : [])),
  ];
  for (const provider of providers) {
    const own = cases.filter(
      ({ manifest }) => new Map(Object.entries(Object(manifest.spec))).get('type') === provider.type,
    );
    assert.ok(
      own.some(({ refused }) => !refused),
      provider.type,
    );
    for (const { message } of rulesOf(provider)) {
      const broken = own.some(({ refused }) => refused?.by === 'cel' && message.includes(refused.message ?? '?'));
      assert.ok(broken, `${provider.type}: no row of test/api breaks the rule "${message}"`);
    }
  }
});

test('another kind or version than its own is refused', () => {
  const sample = parse(resources.Silence.sample);
  assert.equal(validate('Silence', { ...sample, kind: 'Silense' })[0]?.path, 'kind');
  assert.equal(validate('Silence', { ...sample, apiVersion: 'v1' })[0]?.path, 'apiVersion');
});

test('a manifest that is no object at all is refused, not crashed on', () => {
  for (const value of [null, undefined, 5, 'text', [], { spec: null }, { spec: [] }])
    for (const kind of kindNames) assert.ok(validate(kind, value).length > 0, `${kind} ${JSON.stringify(value)}`);
});

test('the manifest handed in is not changed by defaults', () => {
  const manifest = parse(resources.AlertProvider.sample);
  const before = structuredClone(manifest);
  validate('AlertProvider', manifest);
  assert.deepEqual(manifest, before);
});
