/**
 * The slowest row of the signs on 64 KB of lines that are made of its own words and end in a part that it needs: the reader tries it on no
 * others. Run with `node test/bench/signs.ts`.
 */
import type { SignRow } from '../../src/signs/row.ts';
import { signRows } from '../../src/signs/table.ts';
import { hostile, lineLength } from '../signs/hostile.ts';
import { hostileLogs, readers } from '../signs/readers.ts';

/** What this came to. */
export type SignFigures = {
  /** Milliseconds that the slowest row takes for 64 KB. */
  readonly slowestMs: number;
  readonly source: string;
  /** Milliseconds that the slowest of the other readers takes for 64 KB of hostile lines. */
  readonly slowestReaderMs: number;
};

const linesRead = Math.ceil(65_536 / lineLength);
/** Lines of each row that are measured again: all are tried once, to find those that seem slow. */
const measuredAgain = 12;

/** Milliseconds of the fastest of some attempts to read a line as often as 64 KB hold it: what else the machine does is not the row's. */
function cost({ pattern }: SignRow, line: string, attempts: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const begun = performance.now();
    for (let read = 0; read < linesRead; read += 1) pattern.exec(line);
    best = Math.min(best, performance.now() - begun);
  }
  return best;
}

/** The line with one of the parts without which a row is not tried. */
function needed({ needs: [need = ''] }: SignRow, line: string): string {
  return line.slice(0, lineLength - need.length) + need;
}

/** The cost of the line that a row is slowest on. */
function slowestOf(row: SignRow): number {
  const lines = hostile(row).flatMap((line) => [line, needed(row, line)]);
  const isTried = (line: string): boolean => row.needs.some((part) => line.toLowerCase().includes(part));
  const first = lines.filter(isTried).map((line) => ({ line, ms: cost(row, line, 2) }));
  const slowest = first.sort((a, b) => b.ms - a.ms).slice(0, measuredAgain);
  return slowest.reduce((most, { line }) => Math.max(most, cost(row, line, 15)), 0);
}

const costs = signRows.map((row) => ({ source: row.source, slowestMs: slowestOf(row) }));
const slowest = costs.sort((a, b) => b.slowestMs - a.slowestMs);
console.log(`${signRows.length} rows, milliseconds for 64 KB of lines of their own words, the slowest:`);
for (const { source, slowestMs } of slowest.slice(0, 8)) console.log(`  ${slowestMs.toFixed(2)}  ${source}`);

/** The cost of the log that a reader is slowest on. */
function slowestLogOf(read: (lines: readonly string[]) => unknown): number {
  const timed = (lines: readonly string[], attempts: number): number => {
    const runs = Array.from({ length: attempts }, () => {
      const begun = performance.now();
      read(lines);
      return performance.now() - begun;
    });
    return Math.min(...runs);
  };
  const first = hostileLogs(65_536).map((lines) => ({ lines, ms: timed(lines, 3) }));
  const slowestLogs = first.sort((a, b) => b.ms - a.ms).slice(0, measuredAgain);
  return slowestLogs.reduce((most, { lines }) => Math.max(most, timed(lines, 15)), 0);
}

const readerCosts = Object.entries(readers).map(([name, read]) => ({ name, ms: slowestLogOf(read) }));
console.log('the other readers, milliseconds for 64 KB of hostile lines:');
for (const { name, ms } of readerCosts.sort((a, b) => b.ms - a.ms)) console.log(`  ${ms.toFixed(2)}  ${name}`);
process.send?.({ ...slowest[0], slowestReaderMs: readerCosts[0]?.ms });
