/** Whether the histories notice each mutation of the table: `node test/histories/mutations/main.ts [HISTORIES]`. Exits with 1 if not. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { mutations } from './table.ts';

const count = process.argv[2] ?? '150';

/** What is wrong: seed and rule. */
function play(...row: readonly string[]): ReadonlySet<string> {
  const output = execFileSync(process.execPath, [join(import.meta.dirname, 'play.ts'), count, ...row], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return new Set(JSON.parse(output) as string[]);
}

const usual = play();
console.log(`${count} histories; ${usual.size} faults as it is`);
let unnoticed = 0;
for (const [row, { wrong, file }] of mutations.entries()) {
  const fresh = [...play(`${row}`)].filter((fault) => !usual.has(fault));
  const rules = Map.groupBy(fresh, (fault) => fault.slice(fault.indexOf(' ') + 1));
  const seen = [...rules].map(([rule, faults]) => `${rule} in ${faults.length}`).join(', ');
  if (fresh.length === 0) unnoticed += 1;
  console.log(`${fresh.length === 0 ? 'NOT NOTICED' : 'noticed'}: ${wrong} (${file})${seen && `: ${seen}`}`);
}
process.exitCode = unnoticed === 0 ? 0 : 1;
