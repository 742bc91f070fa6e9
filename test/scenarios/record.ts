/**
 * Records scenarios: `node test/scenarios/record.ts [--expectations] [set | name…]`; without a name those that have no log yet. Each
 * story is played on a cluster of its own (a real control plane, or the sandbox) and leaves `log.jsonl` and `expect.yaml`.
 * `--expectations` writes the latter only.
 */
import { mkdirSync } from 'node:fs';
import { writeExpectation } from './kit/expectation.ts';
import { writeLog } from './kit/log.ts';
import { record } from './kit/record.ts';
import type { Scenario } from './kit/scenario.ts';
import { folderOf, isRecorded, stories } from './kit/stories.ts';

/** Stories of the real control plane mostly wait: so many share two cores. */
const atOnce = 6;

async function make(name: string, story: Scenario, expectationsOnly: boolean): Promise<void> {
  mkdirSync(folderOf(name), { recursive: true });
  writeExpectation(folderOf(name), story);
  if (expectationsOnly) return;
  const started = Date.now();
  const log = await record(story);
  writeLog(new URL('log.jsonl', folderOf(name)), log);
  console.log(`${name}: ${log.lines.length} lines in ${Math.round((Date.now() - started) / 1000)} s`);
}

const args = process.argv.slice(2);
const wanted = new Set(args.filter((arg) => !arg.startsWith('--')));
/** A whole set, a scenario as `<set>/<name>`, or by its name alone; without any, all that has no log yet. */
const isWanted = (name: string): boolean =>
  wanted.size === 0 ? !isRecorded(name) : [name, ...name.split('/')].some((word) => wanted.has(word));
const queue = [...(await stories())].filter(([name]) => isWanted(name));
if (wanted.size > 0 && queue.length === 0) throw new Error(`no such scenario: ${[...wanted].join(', ')}`);
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    for (let next = queue.shift(); next; next = queue.shift())
      try {
        await make(...next, args.includes('--expectations'));
      } catch (error) {
        console.error(`${next[0]}:`, error);
        process.exitCode = 1;
      }
  }),
);
