/** Measured figures, from the one page that a measurement writes: other pages quote them through here, so that both say the same. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const page = join(import.meta.dirname, '../../docs/contributing/performance.md');

/** `| resident, steady, 5,000 Pods | 186 MiB | …`: what was measured, by what it is of. */
const measured: ReadonlyMap<string, string> = new Map(
  [...readFileSync(page, 'utf8').matchAll(/^\| ([^|]+) \| ([^|]+) \|/gm)].map(
    ([, name = '', value = '']) => [name.trim(), value.trim()] as const,
  ),
);

/** One figure. Throws where it is not measured any more. */
function figure(name: string): string {
  const value = measured.get(name);
  if (value === undefined) throw new Error(`docs/contributing/performance.md has no figure named "${name}"`);
  return value;
}

/** What Tocsin needs, by the size of the cluster. */
export function sizeTable(): string {
  const rows = [
    ['5,000 Pods, 500 Nodes', '5,000 Pods'],
    ['20,000 Pods, 2,000 Nodes', '20,000 Pods'],
    ['100,000 Pods', '100,000 Pods'],
  ].map(([cluster = '', name = '']) => [
    cluster,
    figure(`resident, steady, ${name}`),
    figure(`resident, peak, ${name}`),
    figure(`from the first list to ready, ${name}`),
  ]);
  const services = ['the same with 40,000 Services and 100,000 slices', figure(servicesRow), '', ''];
  return [
    '| cluster | memory, steady | memory, peak | ready after |',
    '| --- | --- | --- | --- |',
    ...[...rows, services].map((cells) => `| ${cells.join(' | ')} |`),
    '',
    `Idle it takes ${figure('idle, 5,000 Pods, share of a core')} of a core with 5,000 Pods, ${figure('idle, 100,000 Pods, share of a core')} with 100,000.`,
  ].join('\n');
}

const servicesRow = 'resident, steady, with 40,000 Services and 100,000 slices besides';
