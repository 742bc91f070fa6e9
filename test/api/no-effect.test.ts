import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kindNames } from '../../src/api/group.ts';
import { ineffectiveSettings, noEffect, saysNoEffect } from '../../src/api/no-effect.ts';
import { resources } from '../../src/api/resources.ts';
import { seenByServer } from '../../src/api/validation.ts';
import type { StructuralSchema } from '../../src/model/schema.ts';
import { config, provider } from '../operator/objects.ts';

function fieldAt(schema: StructuralSchema, path: string): StructuralSchema {
  return path.split('.').reduce((below, name) => below.properties?.[name] ?? {}, schema);
}

test('whatever has no effect says so where its field is explained', () => {
  for (const kind of kindNames)
    for (const { path } of noEffect[kind])
      assert.ok(fieldAt(resources[kind].spec.json, path).description?.endsWith(saysNoEffect), `${kind} ${path}`);
});

const vain = (kind: 'AlertProvider' | 'AlertConfig', spec: unknown): readonly string[] =>
  ineffectiveSettings(kind, resources[kind].spec.json, spec).map(({ path }) => path);

test('whoever sets it is told, and nobody for defaults that the API server filled in', () => {
  const filledIn = seenByServer('AlertConfig', config({ auditLog: {}, detection: {}, evidence: {} }));
  assert.deepEqual(vain('AlertConfig', Object(filledIn).spec), []);
  const secret = { secretKeyRef: { name: 'a', key: 'b' } };
  const all = {
    detection: { certificateExpiryDays: 30 },
    evidence: { events: false },
    license: secret,
  };
  assert.deepEqual(
    vain('AlertConfig', all),
    noEffect.AlertConfig.map(({ path }) => `spec.${path}`),
  );
  assert.deepEqual(vain('AlertProvider', provider('a').spec), []);
  assert.deepEqual(vain('AlertProvider', provider('a', { spec: { routes: [{ selector: {} }] } }).spec), []);
});
