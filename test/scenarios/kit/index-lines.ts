import { existsSync, readFileSync } from 'node:fs';
import { textFileOf } from './recorded.ts';
import type { Scenario } from './scenario.ts';

/** What opens in a scenario, by its titles, as people approved them. */
function titlesOf(name: string): string {
  const file = textFileOf(name, 'open');
  if (!existsSync(file)) return 'quiet';
  const openings = readFileSync(file, 'utf8').split('\n\n----\n\n');
  return openings.map((opening) => opening.split('\n')[0]).join('; ');
}

/** A line for each scenario that people search by: its name, what it makes Tocsin tell, and what happens in it. */
export function indexLines(stories: ReadonlyMap<string, Scenario>): readonly string[] {
  return [...stories].map(([name, { description }]) => `${name}  ${titlesOf(name)}  ${description}`);
}
