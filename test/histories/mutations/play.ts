/** Plays histories on what is, or on one mutation of it, and prints what was wrong as JSON: `node play.ts COUNT [ROW]`. */
import { live } from './mutant.ts';
import { mutations } from './table.ts';

const [count = '100', row] = process.argv.slice(2);
const mutation = row === undefined ? undefined : mutations[Number(row)];
if (mutation) live(mutation);
// Only now, so that the mutation is what is loaded.
const { historyOf } = await import('../kit/history.ts');
const { faultsOf } = await import('../kit/shrink.ts');

const found: string[] = [];
for (let seed = 1; seed <= Number(count); seed += 1)
  for (const rule of new Set((await faultsOf(historyOf(seed))).map((fault) => fault.rule)))
    found.push(`${seed} ${rule}`);
console.log(JSON.stringify(found));
