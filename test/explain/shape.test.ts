import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { requirements } from '../../src/explain/requirements/requirements.ts';
import { causalRules } from '../../src/explain/rules/rules.ts';
import { scorers } from '../../src/explain/scores/scorers.ts';

/**
 * The most that the explanation may consist of. A limit only falls; one that rises has a reason in docs/contributing/decisions.md. `rows` is what was
 * decided on: below it a row is added with its proof and nothing else. The tables of rows count as rows and by how long one is, and all
 * else as lines: what reads them must not grow with them.
 */
const most = { rows: 85, linesOfRow: 16, ways: 30, evidence: 49, files: 81, lines: 6_820 };

const files = globSync('src/explain/**/*.ts', { cwd: new URL('../..', import.meta.url) });
const linesOf = (paths: readonly string[]): number =>
  paths.reduce(
    (sum, file) => sum + readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').split('\n').length - 1,
    0,
  );
const isTable = (file: string): boolean => file.endsWith('-rules.ts');

const today: typeof most = {
  rows: causalRules.length,
  linesOfRow: Math.ceil(linesOf(files.filter(isTable)) / causalRules.length),
  ways: new Set(causalRules.map(({ via }) => via)).size,
  evidence: Object.keys(requirements).length + scorers.length,
  files: files.length,
  lines: linesOf(files.filter((file) => !isTable(file))),
};

for (const [what, limit] of Object.entries(most) as [keyof typeof most, number][])
  test(`the explanation has at most ${limit} ${what}`, () => assert.ok(today[what] <= limit, `it has ${today[what]}`));
