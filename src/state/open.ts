import { chmodSync, closeSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepAside } from './aside.ts';
import { type Size, StateDatabase } from './database.ts';
import { problemOf, type SaveProblem } from './problem.ts';
import type { SetAside } from './quarantine.ts';
import { refuseForeign } from './schema.ts';
import type { PackedChange } from './tables.ts';

/** The name of the state file in its directory. */
export const stateFile = 'state.db';

/** What a state file holds that cannot be written. */
type Read = { readonly rows: readonly PackedChange[]; readonly savedAt?: number; readonly setAside?: SetAside };

/** How opening the state file came out. */
export type OpenOutcome =
  /** It can be written. `aside`: it is a new one, since the old one was damaged and is kept under this name. */
  | { readonly is: 'open'; readonly database: StateDatabase; readonly aside?: string }
  /** It was read, as far as there is one, and cannot be written now. */
  | (Read & { readonly is: 'readOnly'; readonly problem: SaveProblem })
  /** There may be one, and it cannot be read now; or it is not ours to touch. */
  | { readonly is: 'unread'; readonly problem: SaveProblem };

/** Opens or makes the state file; what is damaged is kept aside. Never throws. `now`: epoch milliseconds. */
export function openState(directory: string, now: number, size?: Size): OpenOutcome {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    return { is: 'open', database: openFile(directory, now, size) };
  } catch (error) {
    const problem = problemOf(error);
    if (problem.code === 'ForeignFile') return { is: 'unread', problem };
    return problem.code === 'Corrupt' ? startAnew(directory, now, size) : readState(directory, problem, now);
  }
}

function startAnew(directory: string, now: number, size: Size | undefined): OpenOutcome {
  try {
    const aside = keepAside(directory, stateFile, 'corrupt', now);
    return { is: 'open', database: openFile(directory, now, size), aside };
  } catch (error) {
    return { is: 'unread', problem: problemOf(error) };
  }
}

function openFile(directory: string, now: number, size: Size | undefined): StateDatabase {
  const path = join(directory, stateFile);
  // What was told to whom is nobody else's business; SQLite gives what stands beside the file the same permissions.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
  refuseForeign(path);
  return new StateDatabase(path, now, size);
}

/**
 * Reads the state file where it cannot be written, for `problem`. SQLite cannot open a file with a write-ahead log there, so a
 * copy is read. Never throws. `now`: epoch milliseconds.
 */
export function readState(directory: string, problem: SaveProblem, now: number): OpenOutcome {
  const path = join(directory, stateFile);
  if (!existsSync(path)) return { is: 'readOnly', rows: [], problem };
  const refusals: string[] = [];
  for (const parent of [tmpdir(), '/dev/shm'])
    try {
      return { is: 'readOnly', ...readIn(parent, path, now), problem };
    } catch (error) {
      refusals.push(problemOf(error).message);
    }
  return { is: 'unread', problem: { ...problem, message: [problem.message, ...refusals].join('; ') } };
}

function copyWritable(from: string, to: string): void {
  copyFileSync(from, to);
  chmodSync(to, 0o600);
}

/** Reads a copy that is made in `parent`. */
function readIn(parent: string, path: string, now: number): Read {
  const folder = mkdtempSync(join(parent, 'tocsin-state-'));
  try {
    for (const suffix of ['', '-wal'])
      if (existsSync(path + suffix)) copyWritable(path + suffix, join(folder, stateFile + suffix));
    const database = new StateDatabase(join(folder, stateFile), now);
    try {
      const rows = [...database.read()];
      const { savedAt, setAside } = database;
      return { rows, ...(savedAt !== undefined && { savedAt }), ...(setAside && { setAside }) };
    } finally {
      database.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
