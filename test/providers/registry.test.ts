import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isProductHost } from '../../src/delivery/product-hosts.ts';
import { checkBlock } from '../../src/providers/kit/check.ts';
import { providers } from '../../src/providers/registry.ts';
import { folderOf } from './conformance/case-file.ts';

const root = join(import.meta.dirname, '../..');

test('every type has fixtures, a reference page, and a file of at most 120 lines', () => {
  for (const { type } of providers) {
    assert.ok(existsSync(join(root, `docs/reference/providers/${type}.md`)), `no page for ${type}: run make generate`);
    assert.ok(existsSync(join(root, `test/providers/fixtures/${type}/conformance.yaml`)), `no fixtures for ${type}`);
    const lines = readFileSync(join(root, `src/providers/${type}.ts`), 'utf8').split('\n').length;
    assert.ok(lines <= 121, `${type}.ts has ${lines} lines: put the rest into src/providers/${type}/`);
  }
});

test('fixtures belong to a type there is', () => {
  const types = new Set(providers.map(({ type }) => type));
  assert.deepEqual(
    readdirSync(join(root, 'test/providers/fixtures')).filter((name) => !types.has(name)),
    [],
  );
});

test('every type stands in the file of its name and is there once', () => {
  for (const { type } of providers) assert.ok(existsSync(join(root, `src/providers/${type}.ts`)), type);
  assert.equal(new Set(providers.map(({ type }) => type)).size, providers.length);
});

test('the sample of every type passes the plain checks', () => {
  for (const { type, fields, sample } of providers) assert.deepEqual(checkBlock(fields, sample, type), []);
});

/** Names that stand for people's own servers, as RFC 2606 reserves them, and as clusters have them. */
const isOfPeople = (host: string): boolean => /(?:^|\.)(?:example(?:\.(?:com|org))?|test|svc)$/.test(host);

test('what is sent to a name of the product itself, by what is recorded, is among the hosts of the type', () => {
  for (const { type } of providers) {
    const recorded = globSync('**/*.json', { cwd: folderOf(type) }).map((file) =>
      readFileSync(join(folderOf(type), file), 'utf8'),
    );
    const asked = recorded.flatMap((text) => [...text.matchAll(/"request": "[A-Z]+ (?:https?:\/\/)?([^/":\s]+)/g)]);
    for (const host of new Set(asked.map(([, name = '']) => name)))
      assert.ok(
        isOfPeople(host) || isProductHost(host),
        `${type} sends to ${host}: name it in \`hosts\` of src/providers/${type}.ts, or a server of people's own by a name of example.com in the fixtures`,
      );
  }
});
