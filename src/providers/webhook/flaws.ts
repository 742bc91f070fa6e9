import type { Flaw } from '../kit.ts';
import { ownBody } from './body.ts';
import { sampleEvents } from './samples.ts';

/** What is wrong with an expression for a body, by trying it on a message of each kind. */
export function bodyFlaws(source: unknown): readonly Flaw[] {
  if (typeof source !== 'string') return [];
  const problems = new Map<string, string[]>();
  for (const [name, event] of sampleEvents()) {
    const made = ownBody(source, event);
    if ('problem' in made) problems.set(made.problem, [...(problems.get(made.problem) ?? []), name]);
  }
  const all = sampleEvents().size;
  return [...problems].map(([problem, names]) => {
    const which = names.length === all ? 'any message' : names.join(', ');
    return { field: 'body', says: `cannot be used for ${which}, which would be sent in Tocsin's own form: ${problem}` };
  });
}
