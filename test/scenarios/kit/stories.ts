import { readdirSync } from 'node:fs';
import type { Scenario } from './scenario.ts';

const folder = new URL('../stories/', import.meta.url);

/** The folder of a scenario's log and expectation. */
export function folderOf(name: string): URL {
  return new URL(`../${name}/`, import.meta.url);
}

/** Every story by the name of its file. */
export async function stories(): Promise<ReadonlyMap<string, Scenario>> {
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort();
  const found = new Map<string, Scenario>();
  for (const name of names) {
    const module = (await import(new URL(`${name}.ts`, folder).href)) as { story?: Scenario };
    if (!module.story) throw new Error(`stories/${name}.ts exports no story: write export const story = scenario(…)`);
    found.set(name, module.story);
  }
  return found;
}
