import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { problemOf, type SaveProblem } from './problem.ts';

/** How an attempt to take the lock came out. `busy`: another process holds it. */
export type LockAttempt =
  | { readonly is: 'held' }
  | { readonly is: 'busy' }
  | { readonly is: 'unavailable'; readonly problem: SaveProblem };

/** SQLITE_BUSY. */
const busy = 5;

/**
 * The lock of a directory: an open transaction on a file in it that holds nothing. The kernel lets it go when the process
 * ends, however that comes about. Synchronous, for a thread that may wait for the disk.
 */
export class LockFile {
  readonly #directory: string;
  #database: DatabaseSync | undefined;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Tries once, without waiting for whoever holds it. */
  attempt(): LockAttempt {
    if (this.#database) return { is: 'held' };
    let database: DatabaseSync | undefined;
    try {
      mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
      const path = join(this.#directory, 'lock.db');
      // On a file that it may only read SQLite takes a lock that others can have as well. (To close a file lets go of every lock that
      // this process has on it, hence before: a process has one lock file.)
      closeSync(openSync(path, 'a', 0o600));
      database = new DatabaseSync(path, { timeout: 0 });
      database.exec('BEGIN EXCLUSIVE');
      this.#database = database;
      return { is: 'held' };
    } catch (error) {
      database?.close();
      const isBusy = error instanceof Error && 'errcode' in error && error.errcode === busy;
      return isBusy ? { is: 'busy' } : { is: 'unavailable', problem: problemOf(error) };
    }
  }

  release(): void {
    this.#database?.close();
    this.#database = undefined;
  }
}
