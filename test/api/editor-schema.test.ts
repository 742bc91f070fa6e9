import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { editorExamples } from '../../scripts/generate/editor-examples.ts';
import { editorSchema } from '../../scripts/generate/editor-schema.ts';
import { objectSchema } from '../../src/api/crd.ts';
import { apiVersion, kindNames } from '../../src/api/group.ts';
import { type JsonSchema, manifestSchema } from '../../src/api/json-schema.ts';
import { resources } from '../../src/api/resources.ts';
import { seenByServer, validate } from '../../src/api/validation.ts';
import { cases } from './cases.ts';

test('editors are told the same as lint: their schemas take and refuse the same manifests', () => {
  const ajv = new Ajv({ strict: false });
  addFormats.default(ajv);
  for (const kind of kindNames) {
    const check = ajv.compile(manifestSchema(kind, [apiVersion], objectSchema(resources[kind])));
    for (const { name, manifest } of cases.filter((each) => each.manifest.kind === kind)) {
      const problems = validate(kind, manifest).filter(({ rule }) => rule === 'schema');
      // JSON Schema cannot say that a list holds each entry once.
      if (problems.some(({ message }) => message.includes('is there twice'))) continue;
      assert.equal(check(seenByServer(kind, manifest)), problems.length === 0, name);
    }
  }
});

/** Every field of a spec that holds no others, with its path. */
function* leaves(schema: JsonSchema, path: string): Generator<readonly [path: string, schema: JsonSchema]> {
  const { properties, items } = schema as { properties?: Record<string, JsonSchema>; items?: JsonSchema };
  if (properties) for (const [name, each] of Object.entries(properties)) yield* leaves(each, `${path}.${name}`);
  else if (items?.properties) yield* leaves(items, `${path}[]`);
  else yield [path, schema];
}

test('editors show an example of every field that somebody has to make up, and none of a secret', () => {
  for (const kind of kindNames) {
    const schema: { readonly properties: { readonly spec: JsonSchema } } = JSON.parse(editorSchema(kind));
    const without: string[] = [];
    for (const [path, field] of leaves(schema.properties.spec, `${kind}.spec`)) {
      const isSecret = /^The value itself; anybody who may read/.test(String(field.description));
      const isChoice = field.enum !== undefined || field.type === 'boolean' || Object(field.items).enum !== undefined;
      // A header of a webhook need not be secret.
      if (isSecret) assert.ok(field.examples === undefined || path.endsWith('.headers[].value'), path);
      else if (!isChoice && field.default === undefined && field.examples === undefined) without.push(path);
    }
    assert.deepEqual(without, []);
  }
});

test('the manifests that examples come from are valid', () => {
  for (const kind of kindNames)
    for (const text of editorExamples[kind]) {
      const manifest = parse(text);
      assert.deepEqual(validate(kind, manifest), [], text);
    }
});
