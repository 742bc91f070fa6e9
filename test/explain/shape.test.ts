import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { requirements } from '../../src/explain/requirements/requirements.ts';
import { causalRules } from '../../src/explain/rules/rules.ts';
import { scorers } from '../../src/explain/scores/scorers.ts';

/** What the explanation consists of today. A limit only falls; one that rises has a reason in docs/contributing/decisions.md. */
const most = { rows: 85, ways: 30, evidence: 49, files: 81, lines: 8140 };

const files = globSync('src/explain/**/*.ts', { cwd: new URL('../..', import.meta.url) });
const linesOf = (file: string): number =>
  readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').split('\n').length - 1;

const today: typeof most = {
  rows: causalRules.length,
  ways: new Set(causalRules.map(({ via }) => via)).size,
  evidence: Object.keys(requirements).length + scorers.length,
  files: files.length,
  lines: files.reduce((sum, file) => sum + linesOf(file), 0),
};

for (const [what, limit] of Object.entries(most) as [keyof typeof most, number][])
  test(`the explanation has at most ${limit} ${what}`, () => assert.ok(today[what] <= limit, `it has ${today[what]}`));
