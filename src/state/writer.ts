import { join } from 'node:path';
import { keepAside } from './aside.ts';
import type { StateDatabase } from './database.ts';
import { type LockAttempt, LockFile } from './lock-file.ts';
import { type OpenOutcome, openState, readState, stateFile } from './open.ts';
import { problemOf, SaveFailed, type SaveProblem } from './problem.ts';
import type { Answer, CommitRequest, Opening, Request, ThreadData } from './protocol.ts';
import { Syncer } from './syncer.ts';
import type { PackedChange } from './tables.ts';

const locked: SaveProblem = { code: 'Locked', message: 'another process holds the lock of the state directory' };
/** Rows handed over at once when what was saved is read. */
const rowsAtOnce = 500;

/** What the thread that writes does: the lock, the file, one request after the other. */
export class Writer {
  readonly #data: ThreadData;
  readonly #answer: (answer: Answer) => void;
  readonly #lock: LockFile;
  /** How the last attempt to take the lock came out. */
  #attempt: LockAttempt = { is: 'busy' };
  #database: StateDatabase | undefined;
  #syncer: Syncer | undefined;
  /** A file is there that was never read: it must not be written over. */
  #unread = false;
  /** Why the transaction that is under way has failed; the rest of it is passed over. */
  #failed: SaveProblem | undefined;
  #begun = false;
  #aside: string | undefined;

  constructor(data: ThreadData, answer: (answer: Answer) => void) {
    this.#data = data;
    this.#answer = answer;
    this.#lock = new LockFile(data.directory);
  }

  /** Does what is asked and answers. Never throws for what the disk does. */
  handle(request: Request): void {
    switch (request.do) {
      case 'lock':
        this.#attempt = this.#lock.attempt();
        this.#answer({ is: 'lock', attempt: this.#attempt });
        break;
      case 'unlock':
        this.#release();
        break;
      case 'open':
        this.#open(request.now);
        break;
      case 'leaveUnread':
        this.#close();
        this.#unread = true;
        break;
      case 'write':
        this.#write(request);
        break;
      case 'close':
        this.#release();
        this.#answer({ is: 'closed' });
        break;
    }
  }

  #open(now: number): void {
    this.#close();
    const outcome = this.#openState(now);
    if (outcome.is === 'unread') {
      this.#unread = outcome.problem.code !== 'ForeignFile';
      this.#answer({ is: 'opened', opening: { is: 'unread', problem: outcome.problem } });
      return;
    }
    this.#unread = false;
    if (outcome.is === 'readOnly') {
      const { is: _, rows, ...rest } = outcome;
      this.#hand(rows);
      this.#answer({ is: 'opened', opening: { is: 'read', ...rest } });
      return;
    }
    const { database, aside } = outcome;
    this.#use(database);
    try {
      this.#hand(database.read());
    } catch (error) {
      this.#close();
      this.#unread = true;
      this.#answer({ is: 'opened', opening: { is: 'unread', problem: problemOf(error) } });
      return;
    }
    const { savedAt, setAside } = database;
    const opening: Opening = {
      is: 'read',
      ...(aside !== undefined && { aside }),
      ...(savedAt !== undefined && { savedAt }),
      ...(setAside && { setAside }),
    };
    this.#answer({ is: 'opened', opening });
  }

  /** Where nobody can have the lock nobody can write either, and what is there can be read. */
  #openState(now: number): OpenOutcome {
    const { directory, size } = this.#data;
    if (this.#attempt.is === 'held') return openState(directory, now, size);
    if (this.#attempt.is === 'unavailable') return readState(directory, this.#attempt.problem, now);
    return { is: 'unread', problem: locked };
  }

  #hand(rows: Iterable<PackedChange>): void {
    let batch: PackedChange[] = [];
    for (const row of rows) {
      batch.push(row);
      if (batch.length < rowsAtOnce) continue;
      this.#answer({ is: 'rows', rows: batch });
      batch = [];
    }
    if (batch.length > 0) this.#answer({ is: 'rows', rows: batch });
  }

  #write({ rows, whole, end }: Extract<Request, { do: 'write' }>): void {
    if (!this.#failed)
      try {
        const database = this.#opened(whole, end?.at ?? 0);
        if (!this.#begun) database.begin(whole);
        this.#begun = true;
        database.write(rows);
        if (end) {
          const bytes = database.commit(end.at);
          this.#syncer?.committed(bytes);
        }
      } catch (error) {
        this.#fail(problemOf(error));
      }
    if (end) this.#conclude(end);
  }

  /** The file, opened again if something was wrong with it: all there is must follow then. */
  #opened(whole: boolean, now: number): StateDatabase {
    if (this.#database) return this.#database;
    if (!whole) throw new SaveFailed({ code: 'IOError', message: 'the state file is not open' });
    const { directory, size } = this.#data;
    if (this.#attempt.is !== 'held') throw new SaveFailed(locked);
    if (this.#unread) this.#aside = keepAside(directory, stateFile, 'unread', now);
    this.#unread = false;
    const outcome = openState(directory, now, size);
    if (outcome.is !== 'open') throw new SaveFailed(outcome.problem);
    this.#aside = outcome.aside ?? this.#aside;
    this.#use(outcome.database);
    return outcome.database;
  }

  #use(database: StateDatabase): void {
    this.#database = database;
    this.#syncer = new Syncer({
      path: join(this.#data.directory, `${stateFile}-wal`),
      mayCheckpoint: () => !this.#begun,
      checkpoint: () => database.checkpoint(),
      failed: (error) => {
        const problem = problemOf(error);
        if (this.#begun) this.#failed = problem;
        this.#close();
        this.#answer({ is: 'unsynced', problem });
      },
    });
  }

  #fail(problem: SaveProblem): void {
    this.#failed = problem;
    try {
      this.#database?.rollback();
    } catch {
      // Closing ends the transaction as well.
    }
    // A full disk leaves the file as it was; after anything else only opening it again shows how it is.
    if (problem.code !== 'DiskFull') this.#close();
  }

  #conclude({ group, shrink }: CommitRequest): void {
    const problem = this.#failed;
    this.#failed = undefined;
    this.#begun = false;
    if (problem) {
      this.#answer({ is: 'failed', group, problem });
      return;
    }
    const aside = this.#aside;
    this.#aside = undefined;
    if (shrink) this.#afterwards((database) => database.shrink());
    this.#answer({ is: 'committed', group, ...(aside !== undefined && { aside }) });
    // Somebody may wait for the answer: it comes first.
    const rows = this.#afterwards((database) => database.tidy()) ?? 0;
    if (rows > 0) this.#answer({ is: 'trimmed', rows });
  }

  /** What is wrong with the disk shows at the next transaction: this one is saved. */
  #afterwards<Result>(work: (database: StateDatabase) => Result): Result | undefined {
    try {
      return this.#database && work(this.#database);
    } catch {
      return undefined;
    }
  }

  #release(): void {
    this.#close();
    this.#lock.release();
    this.#attempt = { is: 'busy' };
  }

  #close(): void {
    this.#syncer?.close();
    this.#syncer = undefined;
    try {
      this.#database?.close();
    } catch {
      // What is committed is in the write-ahead log.
    }
    this.#database = undefined;
    this.#begun = false;
  }
}
