import type { Facts } from '../model/finding.ts';
import { describeExitCode } from './exit-codes.ts';

/** Facts with a name of their own, in the order people look for them. */
const names: readonly (readonly [string, string])[] = [
  ['node', 'Node'],
  ['container', 'Container'],
  ['image', 'Image'],
  ['exitCode', 'Exit code'],
  ['signal', 'Signal'],
  ['restarts', 'Restarts'],
  ['memoryLimit', 'Memory limit'],
  ['revision', 'Revision'],
];
/** Facts that are said elsewhere in the message. */
const elsewhere = new Set(['terminationMessage', 'message']);

/** `readyReplicas` as `Ready replicas`. */
function spelled(key: string): string {
  const words = key.replace(/([a-z0-9])([A-Z])/g, (_, last: string, first: string) => `${last} ${first.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A finding's facts as named values: the known ones in their order, then the others by name. */
export function namedFacts(facts: Facts): readonly { readonly name: string; readonly value: string }[] {
  const known = names.map(([key]) => key);
  const others = Object.keys(facts)
    .filter((key) => !known.includes(key) && !elsewhere.has(key))
    .sort();
  const labels = new Map(names);
  return [...known, ...others].flatMap((key) => {
    const value = facts[key];
    if (value === undefined || value === '') return [];
    const shown = key === 'exitCode' && typeof value === 'number' ? describeExitCode(value) : String(value);
    return [{ name: labels.get(key) ?? spelled(key), value: shown }];
  });
}
