import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { detectors } from '../../src/detect/catalogue.ts';
import { namedDetectors } from '../../src/detect/named.ts';
import { editions, featureNames, features, includes, namesWithout } from '../../src/model/edition.ts';
import { licenseStateNames } from '../../src/model/license.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/editions.md'), 'utf8');

test('the page of editions has the table of features as it is', () => {
  const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
  const rows = featureNames.map((each) => {
    const { name, gives, without } = features[each];
    return `| ${capital(name)} | ${gives} | ${without} |`;
  });
  const [table] = /\| --- \| --- \| --- \|\n(?:\|.*\n)+/.exec(page) ?? [''];
  assert.deepEqual(table.trim().split('\n').slice(1), rows);
});

test('the page of editions names every state of a licence, and says whether a detector needs Pro', () => {
  for (const state of licenseStateNames) assert.ok(page.includes(`\`${state}\``), state);
  const paid = [...detectors, ...namedDetectors].filter(({ edition }) => edition === 'Pro');
  assert.equal(page.includes('in this version all are Community'), paid.length === 0);
});

test('Pro has every feature, Community none of those that need it', () => {
  for (const feature of featureNames)
    assert.deepEqual(
      editions.map((edition) => includes(edition, feature)),
      [false, true],
    );
  assert.deepEqual(namesWithout('Pro'), []);
  assert.equal(namesWithout('Community').length, featureNames.length);
});
