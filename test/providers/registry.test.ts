import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkBlock } from '../../src/providers/kit/check.ts';
import { providers } from '../../src/providers/registry.ts';
import { notifications } from './notifications.ts';

const root = join(import.meta.dirname, '../..');

test('every type has a fixture for every act and a reference page', () => {
  for (const { type } of providers) {
    assert.ok(existsSync(join(root, `docs/reference/providers/${type}.md`)), `no page for ${type}: run make generate`);
    for (const act of Object.keys(notifications))
      assert.ok(existsSync(join(root, `test/providers/fixtures/${type}/${act}.json`)), `no ${act} fixture for ${type}`);
  }
});

test('every type stands in the file of its name and is there once', () => {
  for (const { type } of providers) assert.ok(existsSync(join(root, `src/providers/${type}.ts`)), type);
  assert.equal(new Set(providers.map(({ type }) => type)).size, providers.length);
});

test('the sample of every type passes the plain checks', () => {
  for (const { type, fields, sample } of providers) assert.deepEqual(checkBlock(fields, sample, type), []);
});
