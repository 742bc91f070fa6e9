import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { trimHistory } from './history.ts';
import { fittingRows, type Misfit, type SetAside, setAside, setAsideIn } from './quarantine.ts';
import { migrate, numberOf } from './schema.ts';
import { type PackedChange, type TableName, tableNames } from './tables.ts';

/** The time of the last transaction is written to this precision: a page less for most of them. Milliseconds. */
const savedAtPrecisionMs = 10_000;

/** How large the file may become; bytes. */
export type Size = {
  /** Beyond this, history goes, the oldest first. */
  readonly target: number;
  /** Beyond this, SQLite refuses to write. */
  readonly limit: number;
};

/** A claim of 1 GiB holds a full file, its write-ahead log and one that is kept aside. */
export const defaultSize: Size = { target: 128 * 1024 * 1024, limit: 256 * 1024 * 1024 };

const pageBytes = 4096;

/**
 * The settings of a connection, in this order. Exclusive: no other process, and no shared memory beside the file, which some
 * volumes cannot have. NORMAL, and no checkpoint in a commit: `Syncer` forces to the disk what is committed.
 */
const pragmas = (size: Size): readonly string[] => [
  'locking_mode = EXCLUSIVE',
  `page_size = ${pageBytes}`,
  'auto_vacuum = INCREMENTAL',
  'journal_mode = WAL',
  'synchronous = NORMAL',
  'wal_autocheckpoint = 0',
  `journal_size_limit = ${16 * 1024 * 1024}`,
  'temp_store = MEMORY',
  'trusted_schema = OFF',
  'cell_size_check = ON',
  `max_page_count = ${Math.floor(size.limit / pageBytes)}`,
];

/** The file is damaged. */
export class DamagedFile extends Error {
  /** SQLite's code for it. */
  readonly errcode = 11;
}

type Statements = { readonly put: StatementSync; readonly remove: StatementSync };

/** The state file: synchronous, for one thread that may wait for the disk. Every method throws what SQLite throws. */
export class StateDatabase {
  readonly #database: DatabaseSync;
  readonly #size: Size;
  readonly #statements: ReadonlyMap<TableName, Statements>;
  readonly #putMeta: StatementSync;
  readonly #now: number;
  /** Rows that do not fit: they are passed over, and set aside by the next transaction. Known when all have been read. */
  #misfits: readonly Misfit[] | undefined;
  #savedAt = 0;
  /** What the transaction that is under way writes to the log, at most about. */
  #bytes = 0;

  /**
   * Opens or makes the file, checks it and brings it to this version. Throws `DamagedFile` and `ForeignFile`, too.
   * `now`: epoch milliseconds.
   */
  constructor(path: string, now: number, size: Size = defaultSize) {
    this.#size = size;
    this.#now = now;
    this.#database = new DatabaseSync(path, { timeout: 0 });
    try {
      for (const pragma of pragmas(size)) this.#database.exec(`PRAGMA ${pragma}`);
      const [problem] = Object.values(this.#database.prepare('PRAGMA integrity_check(1)').get() ?? {});
      if (problem !== 'ok') throw new DamagedFile(`the state file is damaged: ${String(problem)}`);
      migrate(this.#database, now);
      this.#statements = new Map(tableNames.map((name) => [name, this.#prepare(name)]));
      this.#putMeta = this.#database.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)');
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /** Epoch milliseconds of the last transaction, to ten seconds. */
  get savedAt(): number | undefined {
    const row = this.#database.prepare(`SELECT value FROM meta WHERE key = 'savedAt'`).get();
    return row === undefined ? undefined : Number(row.value);
  }

  /** What is set aside, now and earlier; `undefined`: nothing. */
  get setAside(): SetAside | undefined {
    return setAsideIn(this.#database, this.#foundMisfits(), this.#now);
  }

  /** Every row that fits, each table's in the order of positions. An explanation comes before its incident. */
  *read(): Generator<PackedChange> {
    this.#misfits = yield* fittingRows(this.#database);
  }

  /** Begins the transaction that `write` and `commit` belong to. `whole`: what follows is all there is. */
  begin(whole: boolean): void {
    this.#bytes = 0;
    this.#database.exec('BEGIN IMMEDIATE');
    setAside(this.#database, this.#foundMisfits(), this.#now);
    if (whole) for (const table of tableNames) this.#database.exec(`DELETE FROM ${table}`);
  }

  write(changes: readonly PackedChange[]): void {
    for (const [table, key, position, text] of changes) {
      const statements = this.#statements.get(table);
      // Pages are written whole: one of the table, one of its index, and those of the value.
      this.#bytes += 2 * pageBytes + (text?.length ?? 0);
      if (text === null) statements?.remove.run(key);
      else statements?.put.run(position, key, text);
    }
  }

  /** Ends it; about how many bytes it has written. `at`: now, epoch milliseconds. */
  commit(at: number): number {
    if (Math.abs(at - this.#savedAt) >= savedAtPrecisionMs) {
      this.#putMeta.run('savedAt', String(at));
      this.#savedAt = at;
    }
    this.#database.exec('COMMIT');
    this.#misfits = [];
    return this.#bytes;
  }

  rollback(): void {
    this.#savedAt = 0;
    if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
  }

  /** Gives back what is not needed, and takes out history when the file is too large; how many rows that was. */
  tidy(): number {
    const trimmed = trimHistory(this.#database, this.#size.target);
    const pages = numberOf(this.#database, 'PRAGMA page_count');
    const free = numberOf(this.#database, 'PRAGMA freelist_count');
    if (free > 256 && free > pages / 4) this.#database.exec('PRAGMA incremental_vacuum');
    return trimmed;
  }

  /** Moves the write-ahead log into the file. Not while a transaction is under way. */
  checkpoint(): void {
    this.#database.exec('PRAGMA wal_checkpoint(PASSIVE)');
    // The next transaction begins the log anew, which waits for the disk: nobody waits for this one.
    if (this.#savedAt > 0) this.#putMeta.run('savedAt', String(this.#savedAt));
  }

  /** Leaves nothing of what was deleted or set aside in the file or beside it. */
  shrink(): void {
    this.#database.exec('DELETE FROM quarantine');
    this.#database.exec('VACUUM');
    this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  close(): void {
    this.#database.close();
  }

  #foundMisfits(): readonly Misfit[] {
    if (this.#misfits === undefined) for (const _ of this.read());
    return this.#misfits ?? [];
  }

  #prepare(table: TableName): Statements {
    return {
      put: this.#database.prepare(`INSERT OR REPLACE INTO ${table} VALUES (?, ?, ?)`),
      remove: this.#database.prepare(`DELETE FROM ${table} WHERE key = ?`),
    };
  }
}
