import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { billOf, materialsOf, noticesOf, packageOf } from '../../scripts/build/materials.ts';

const root = join(import.meta.dirname, '../..');
const lock: { packages: Record<string, { dev?: boolean; optional?: boolean }> } = JSON.parse(
  readFileSync(join(root, 'package-lock.json'), 'utf8'),
);
/** A file of every package that could be in the bundle. */
const files = Object.entries(lock.packages)
  .filter(([folder, { dev, optional }]) => folder !== '' && !dev && !optional)
  .map(([folder]) => `${folder}/index.js`);

test('every package that could be in the image has its licence, with its full text, in the notices', () => {
  const materials = materialsOf([...files, 'src/main.ts'], root);
  assert.equal(materials.length, files.length);
  const notices = noticesOf(materials);
  for (const { name, version, license, texts } of materials) {
    assert.ok(notices.includes(`${name} ${version} (${license})`), name);
    assert.ok(
      texts.every((text) => text.length > 200),
      name,
    );
  }
});

test('the licence is there in full, every place names the same one, and NOTICE names every package that could be in the program', () => {
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  const license = read('LICENSE');
  for (const part of ['Version 2.0, January 2004', '3. Grant of Patent License.', 'END OF TERMS AND CONDITIONS'])
    assert.ok(license.includes(part), part);
  assert.equal((JSON.parse(read('package.json')) as { license: string }).license, 'Apache-2.0');
  assert.match(read('Dockerfile'), /image\.licenses="Apache-2\.0"/);
  assert.match(read('Dockerfile'), /^COPY LICENSE NOTICE /m);
  assert.match(read('config/chart/Chart.yaml'), /artifacthub\.io\/license: Apache-2\.0/);
  const notice = read('NOTICE');
  for (const { name, version, license: theirs } of materialsOf(files, root))
    assert.ok(notice.includes(`\n  ${name} ${version} (${theirs})\n`), name);
});

test('the bill of materials names each part once, with its licence and the digest of its archive, and never differs', () => {
  const materials = materialsOf(files, root);
  const bill = billOf(materials, { name: 'tocsin', version: '1.0' });
  assert.equal(
    JSON.stringify(bill),
    JSON.stringify(billOf(materialsOf(files.toReversed(), root), { name: 'tocsin', version: '1.0' })),
  );
  const { components } = bill as { components: readonly Record<string, unknown>[] };
  assert.equal(new Set(components.map(({ purl }) => purl)).size, components.length);
  const express = components.find(({ name }) => name === 'express');
  assert.match(
    JSON.stringify(express),
    /"purl":"pkg:npm\/express@5[^"]*","licenses":\[\{"license":\{"id":"MIT"\}\}\],"hashes":\[\{"alg":"SHA-512","content":"[0-9a-f]{128}"\}\]/,
  );
  assert.match(JSON.stringify(components), /pkg:npm\/%40kubernetes\/client-node@/);
});

test('a file belongs to the innermost package of its path, and ours to none', () => {
  assert.equal(packageOf('node_modules/a/lib/x.js'), 'node_modules/a');
  assert.equal(packageOf('node_modules/@s/a/node_modules/b/x.js'), 'node_modules/@s/a/node_modules/b');
  assert.equal(packageOf('src/main.ts'), undefined);
});
