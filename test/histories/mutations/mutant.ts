import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Mutation } from './table.ts';

/** The repository. */
const root = join(import.meta.dirname, '..', '..', '..');

/** A file as a mutation has it. Throws where the mutation does not fit it any more. */
export function mutated({ file, from, to }: Mutation): string {
  const [before, after, ...more] = readFileSync(join(root, file), 'utf8').split(from);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`${file} does not contain exactly once: ${from}. Write this row of the table anew`);
  return before + to + after;
}

/** From now on this process loads the file as the mutation has it. */
export function live(mutation: Mutation): void {
  const source = mutated(mutation);
  const url = pathToFileURL(join(root, mutation.file)).href;
  registerHooks({
    load: (wanted, context, next) =>
      wanted === url ? { format: 'module-typescript', source, shortCircuit: true } : next(wanted, context),
  });
}
