import { existsSync, globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Scenario } from './scenario.ts';

/**
 * What scenarios are for. `labelled`: the core is tuned on them. `quiet`: normal days, nobody may hear of anything. `held-out`: written
 * before anybody looks at the rules, scored and never tuned to; once looked at, they are labelled, and the set may be empty. `storm`: one
 * cause and a hundred Pods.
 */
export const scenarioSets = ['labelled', 'quiet', 'held-out', 'storm'] as const;
export type ScenarioSet = (typeof scenarioSets)[number];

const folder = join(import.meta.dirname, '..', 'stories');

/** The folder of a scenario's log and expectation; its name is `<set>/<name>`. */
export function folderOf(name: string): URL {
  return new URL(`../${name}/`, import.meta.url);
}

/** Whether a scenario has its log: a new story has not, until `record.ts` has played it. */
export function isRecorded(name: string): boolean {
  return existsSync(new URL('log.jsonl', folderOf(name)));
}

/** The set of a scenario. */
export function setOf(name: string): ScenarioSet {
  const set = scenarioSets.find((each) => name.startsWith(`${each}/`));
  if (!set) throw new Error(`${name} is in none of the sets ${scenarioSets.join(', ')}`);
  return set;
}

/** The stories of one file: `stories`, each by its name, or the one `story` that has the file's name. */
type StoryModule = { readonly story?: Scenario; readonly stories?: Readonly<Record<string, Scenario>> };

/** Every story as `<set>/<name>`, in the order of names. Throws on two of the same name. */
export async function stories(): Promise<ReadonlyMap<string, Scenario>> {
  const found = new Map<string, Scenario>();
  for (const file of globSync('*/*.ts', { cwd: folder }).sort()) {
    const module = (await import(join(folder, file))) as StoryModule;
    const own = module.stories ?? (module.story && { [basename(file, '.ts')]: module.story });
    if (!own) throw new Error(`stories/${file} exports neither stories nor story`);
    for (const [name, story] of Object.entries(own)) {
      const whole = `${dirname(file)}/${name}`;
      setOf(whole);
      if (found.has(whole)) throw new Error(`${whole} is told twice, the second time in stories/${file}`);
      found.set(whole, story);
    }
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}
