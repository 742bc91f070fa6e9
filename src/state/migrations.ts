import { toLedger } from './ledger-migration.ts';
import type { MigratedFile } from './migrated-file.ts';

/** One step from a schema version to the next: what it does to the tables and their rows, in the transaction of all steps. */
export type Migration = (file: MigratedFile) => void;

/** "tocs": a file of ours, and no other program's. */
export const applicationId = 0x746f6373;

/** Rows in the order of their positions; `value` is JSON. */
function createTables(file: MigratedFile): void {
  for (const name of ['incidents', 'explanations', 'outbox', 'streams', 'dead_letters', 'ended', 'memos'])
    file.execute(
      `CREATE TABLE ${name} (position INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, value TEXT NOT NULL) STRICT`,
    );
  file.execute('CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT');
  file.execute(`PRAGMA application_id = ${applicationId}`);
}

/** Rows that cannot be gone on from, as they were: of which table, why, and since when (epoch milliseconds). */
function createQuarantine(file: MigratedFile): void {
  file.execute(
    `CREATE TABLE quarantine (
       position INTEGER PRIMARY KEY, source TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, why TEXT NOT NULL, at INTEGER NOT NULL
     ) STRICT`,
  );
}

/**
 * The step at each index leads from the version of that number to the next. A step that was released is never edited, and names
 * everything itself: tables and types are other ones later. `test/state/fixtures` has files of earlier versions.
 */
export const migrations: readonly Migration[] = [createTables, createQuarantine, toLedger];
