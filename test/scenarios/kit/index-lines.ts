import { existsSync, readFileSync } from 'node:fs';
import { severities } from '../../../src/model/severity.ts';
import { textFileOf } from './recorded.ts';
import type { Scenario } from './scenario.ts';

/** `medium · ImageNotFound · Deployment shop/api`: the line of a message that says what it is about in Kubernetes' words. */
const about = new RegExp(`^(?:${severities.join('|')}) · .*$`, 'm');

/** What opens in a scenario, as people approved it. */
function openingsOf(name: string): string {
  const file = textFileOf(name, 'open');
  if (!existsSync(file)) return 'quiet';
  const openings = readFileSync(file, 'utf8').split('\n\n----\n\n');
  return openings.map((opening) => about.exec(opening)?.[0] ?? opening.split('\n')[0]).join('; ');
}

/** A line for each scenario that people search by: its name, what it makes Tocsin tell, and what happens in it. */
export function indexLines(stories: ReadonlyMap<string, Scenario>): readonly string[] {
  return [...stories].map(([name, { description }]) => `${name}  ${openingsOf(name)}  ${description}`);
}
