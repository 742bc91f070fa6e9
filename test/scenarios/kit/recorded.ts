import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { type ScenarioSet, scenarioSets } from './sets.ts';

/** The folder of the sets: what belongs to a scenario, whose name is `<set>/<name>`, stands there under its name. */
const folder = join(import.meta.dirname, '..');
const ending = '.jsonl.zst';
/** The smallest that is quick to read: 165 MB of logs become 12 MB; the level above saves 1 % more in twice the time. */
const params = { [constants.ZSTD_c_compressionLevel]: 19 };

/** The file that holds a scenario's log, compressed. */
export const logFileOf = (name: string): string => join(folder, `${name}${ending}`);

/** A text that people read of a scenario: all openings, or all messages of its course. */
export const textFileOf = (name: string, text: 'open' | 'course'): string => join(folder, `${name}.${text}.txt`);

/** Whether a scenario has its log: a new story has not, until `record.ts` has played it. */
export const isRecorded = (name: string): boolean => existsSync(logFileOf(name));

/** The scenarios that are recorded, of these sets: `<set>/<name>`, in the order of names. */
export function recordedNames(...sets: readonly ScenarioSet[]): readonly string[] {
  const wanted = sets.length > 0 ? sets : scenarioSets;
  return globSync(
    wanted.map((set) => `${set}/*${ending}`),
    { cwd: folder },
  )
    .map((file) => file.slice(0, -ending.length))
    .sort();
}

/** The lines of a scenario's log. */
export const logText = (name: string): string => zstdDecompressSync(readFileSync(logFileOf(name))).toString();

/** Keeps the lines of a scenario's log: the same lines are the same bytes. */
export function keepLog(name: string, text: string): void {
  writeFileSync(logFileOf(name), zstdCompressSync(text, { params }));
}
