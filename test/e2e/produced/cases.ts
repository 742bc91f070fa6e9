import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { ProducedCase } from './case.ts';

/** The cases of every file in `cases/`, each of which exports a list named `cases`; in the order of the files. */
export async function producedCases(): Promise<readonly ProducedCase[]> {
  const folder = join(import.meta.dirname, 'cases');
  const all: ProducedCase[] = [];
  for (const file of globSync('*.ts', { cwd: folder }).sort()) {
    const { cases } = (await import(join(folder, file))) as { readonly cases: readonly ProducedCase[] };
    all.push(...cases);
  }
  return all;
}
