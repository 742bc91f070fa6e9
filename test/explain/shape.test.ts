import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { requirements } from '../../src/explain/requirements/requirements.ts';
import { causalRules } from '../../src/explain/rules/rules.ts';
import { scorers } from '../../src/explain/scores/scorers.ts';

/**
 * The most that the explanation may consist of. A limit only falls; one that rises has a reason in docs/contributing/decisions.md. `rows` is what was
 * decided on: below it a row is added with its proof and nothing else. The tables of rows count as rows and by how long one is, and all
 * else as lines: what reads them must not grow with them. `numbers` are those of what correlates (`detect/several`) and of the bounds as well.
 */
const most = { rows: 85, linesOfRow: 16, ways: 20, evidence: 24, numbers: 66, files: 76, lines: 6690 };

const root = new URL('../..', import.meta.url);
const files = globSync('src/explain/**/*.ts', { cwd: root });
const textOf = (file: string): string => readFileSync(new URL(file, root), 'utf8');
const linesOf = (paths: readonly string[]): number =>
  paths.reduce((sum, file) => sum + textOf(file).split('\n').length - 1, 0);
const isTable = (file: string): boolean => file.endsWith('-rules.ts');

/** What is no code: comments, texts and patterns. */
const noCode = [
  /\/\*[\s\S]*?\*\//g,
  /(?<=^|\s)\/\/.*$/gm,
  /`(?:[^`\\]|\\.)*`/g,
  /'(?:[^'\\\n]|\\.)*'/g,
  /(?<=[=(,:[|&!?]\s*|^\s+)\/(?![/*\s])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/gm,
];
/** A number as it is written, with what is reckoned with it on the spot: `5 * 60_000` is one. */
const number = /(?<![\w.$])\d[\d_]*(?:\.\d+)?(?:\s*[*+/-]\s*\d[\d_]*(?:\.\d+)?)*(?!\w)/g;

/** Numbers that somebody chose: none, one, a half and twice are words, and a second has 1000 ms. */
function numbersIn(text: string): number {
  const code = noCode.reduce((rest, pattern) => rest.replace(pattern, ''), text);
  return [...code.matchAll(number)].filter(([written]) => !['0', '1', '2', '1000'].includes(written)).length;
}
const withNumbers = [...files, ...globSync('src/detect/several/*.ts', { cwd: root }), 'src/world/view/bounds.ts'];

const today: typeof most = {
  rows: causalRules.length,
  linesOfRow: Math.ceil(linesOf(files.filter(isTable)) / causalRules.length),
  ways: new Set(causalRules.map(({ via }) => via)).size,
  evidence: Object.keys(requirements).length + scorers.length,
  numbers: withNumbers.reduce((sum, file) => sum + numbersIn(textOf(file)), 0),
  files: files.length,
  lines: linesOf(files.filter((file) => !isTable(file))),
};

for (const [what, limit] of Object.entries(most) as [keyof typeof most, number][])
  test(`the explanation has at most ${limit} ${what}`, () => assert.ok(today[what] <= limit, `it has ${today[what]}`));
