/**
 * Whether the histories notice each mutation of the table: `node test/histories/mutations/main.ts [HISTORIES]`. What is too rare for so many
 * random ones must be noticed by a scene. Exits with 1 if something is noticed by neither.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { mutations } from './table.ts';

const count = process.argv[2] ?? '150';

/** What is wrong: seed and rule. */
function play(...row: readonly string[]): ReadonlySet<string> {
  const output = execFileSync(process.execPath, [join(import.meta.dirname, 'play.ts'), count, ...row], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return new Set(JSON.parse(output) as string[]);
}

/** The scenes that fail with a row of the table, by what they say. */
function failingScenes(row: number): readonly string[] {
  const scenes = globSync(join(import.meta.dirname, '..', 'scenes', '*.test.ts'));
  const preload = join(import.meta.dirname, 'preload.ts');
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout } = spawnSync(process.execPath, ['--import', preload, '--test', '--test-reporter=tap', ...scenes], {
    ...{ encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, env: { ...env, MUTATION: `${row}` } },
  });
  return [...stdout.matchAll(/^\s*not ok \d+ - (.+)$/gmu)].map(([, name = '']) => name);
}

const usual = play();
console.log(`${count} histories; ${usual.size} faults as it is`);
let unnoticed = 0;
for (const [row, { wrong, file }] of mutations.entries()) {
  const fresh = [...play(`${row}`)].filter((fault) => !usual.has(fault));
  const rules = Map.groupBy(fresh, (fault) => fault.slice(fault.indexOf(' ') + 1));
  const seen = [...rules].map(([rule, faults]) => `${rule} in ${faults.length}`);
  const noticed = seen.length > 0 ? seen : failingScenes(row).map((scene) => `scene: ${scene}`);
  if (noticed.length === 0) unnoticed += 1;
  console.log(`${noticed.length === 0 ? 'NOT NOTICED' : 'noticed'}: ${wrong} (${file}): ${noticed.join('; ')}`);
}
process.exitCode = unnoticed === 0 ? 0 : 1;
