import { Option } from 'commander';
import { stringify } from 'yaml';

/** How a result is printed: for people, or for programs. */
export type Output = 'text' | 'json' | 'yaml';

/** `-o, --output` of a command whose result programs may read. */
export const outputOption = (): Option =>
  new Option('-o, --output <format>', 'text for people, json or yaml for programs')
    .choices(['text', 'json', 'yaml'])
    .default('text');

/** A result for programs. */
export function structured(value: unknown, output: Exclude<Output, 'text'>): string {
  return output === 'json' ? `${JSON.stringify(value, undefined, 2)}\n` : stringify(value, { lineWidth: 0 });
}
