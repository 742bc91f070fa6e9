import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

const root = resolve(import.meta.dirname, '../..');

test('every folder of tests is run by some target of the Makefile', () => {
  const makefile = readFileSync(join(root, 'Makefile'), 'utf8');
  const folders = new Set(globSync('test/**/*.test.ts', { cwd: root }).map((file) => file.split('/')[1]));
  assert.ok(folders.size > 20);
  const forgotten = [...folders].filter((folder) => !new RegExp(`\\btest/${folder}\\b`).test(makefile));
  assert.deepEqual(forgotten, []);
});
