import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { objectSchema } from '../../src/api/crd.ts';
import { apiVersion, kindNames } from '../../src/api/group.ts';
import { manifestSchema } from '../../src/api/json-schema.ts';
import { resources } from '../../src/api/resources.ts';
import { seenByServer, validate } from '../../src/api/validation.ts';
import { cases } from './cases.ts';

test('editors are told the same as lint: their schemas take and refuse the same manifests', () => {
  const ajv = new Ajv({ strict: false });
  addFormats.default(ajv);
  for (const kind of kindNames) {
    const check = ajv.compile(manifestSchema(kind, apiVersion, objectSchema(resources[kind])));
    for (const { name, manifest } of cases.filter((each) => each.manifest.kind === kind)) {
      const problems = validate(kind, manifest).filter(({ rule }) => rule === 'schema');
      // JSON Schema cannot say that a list holds each entry once.
      if (problems.some(({ message }) => message.includes('is there twice'))) continue;
      assert.equal(check(seenByServer(kind, manifest)), problems.length === 0, name);
    }
  }
});
