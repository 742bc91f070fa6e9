/**
 * Records scenarios: `node test/scenarios/record.ts [set | name…]`; without a name those that have no log yet. Each story is played on
 * a cluster of its own (a real control plane, or the sandbox) and leaves `<set>/<name>.jsonl.zst`.
 */
import { type Log, writeLog } from './kit/log.ts';
import { recordProduced } from './kit/produced.ts';
import { record } from './kit/record.ts';
import { isRecorded } from './kit/recorded.ts';
import type { Scenario } from './kit/scenario.ts';
import { stories } from './kit/stories.ts';

/** Stories of the real control plane mostly wait: so many share two cores. */
const atOnce = 8;
/** Cases that are produced share one control plane, so many of them. */
const producedTogether = 50;

const wanted = new Set(process.argv.slice(2));
/** A whole set, a scenario as `<set>/<name>`, or by its name alone; without any, all that has no log yet. */
const isWanted = (name: string): boolean =>
  wanted.size === 0 ? !isRecorded(name) : [name, ...name.split('/')].some((word) => wanted.has(word));
const picked = [...(await stories())].filter(([name]) => isWanted(name));
if (wanted.size > 0 && picked.length === 0) throw new Error(`no such scenario: ${[...wanted].join(', ')}`);

function save(name: string, log: Log): void {
  writeLog(name, log);
  console.log(`${name}: ${log.lines.length} lines`);
}

function fail(name: string, error: unknown): void {
  console.error(`${name}:`, error);
  process.exitCode = 1;
}

/** Each on a cluster of its own, so many at the same time. */
async function recordStories(queue: [string, Scenario][]): Promise<void> {
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift())
      try {
        save(next[0], await record(next[1]));
      } catch (error) {
        fail(next[0], error);
      }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** Side by side on one control plane. */
async function recordCases(queue: readonly [string, Scenario][]): Promise<void> {
  for (let i = 0; i < queue.length; i += producedTogether) {
    const batch = queue.slice(i, i + producedTogether);
    const cases = batch.flatMap(([, { produced }]) => (produced ? [[produced.row, produced.namespace] as const] : []));
    const logs = await recordProduced(new Map(cases));
    for (const [name, story] of batch) {
      const log = story.produced && logs.get(story.produced.row);
      if (log instanceof Error || !log) fail(name, log);
      else save(name, log);
    }
  }
}

await recordStories(picked.filter(([, { produced }]) => !produced));
await recordCases(picked.filter(([, { produced }]) => produced));
