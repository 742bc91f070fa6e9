import { closeSync, openSync, readSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { ForeignFile } from './problem.ts';
import { tableNames } from './tables.ts';

/** "tocs": a file of ours, and no other program's. */
const applicationId = 0x746f6373;

/** Rows in the order of their positions; `value` is JSON. */
const tables = tableNames.map(
  (name) =>
    `CREATE TABLE ${name} (position INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, value TEXT NOT NULL) STRICT;`,
);

/** The step at each index leads from the version of that number to the next. Steps that were released are never edited. */
const migrations: readonly string[] = [
  `${tables.join('\n')}
   CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
   PRAGMA application_id = ${applicationId};`,
];

/** The version that these sources write. */
export const schemaVersion = migrations.length;

/** Where a file of SQLite has its two numbers (https://sqlite.org/fileformat2.html#the_database_header), big-endian. */
const header = { bytes: 100, version: 60, application: 68 } as const;

/**
 * Throws `ForeignFile` if the file says in its first bytes that it is not ours: to ask SQLite would already change it. What says
 * nothing yet passes.
 */
export function refuseForeign(path: string): void {
  const bytes = Buffer.alloc(header.bytes);
  const file = openSync(path, 'r');
  try {
    if (readSync(file, bytes, 0, header.bytes, 0) < header.bytes) return;
  } finally {
    closeSync(file);
  }
  if (bytes.toString('latin1', 0, 15) !== 'SQLite format 3') return;
  judge(bytes.readInt32BE(header.application), bytes.readInt32BE(header.version));
}

function judge(application: number, version: number): void {
  if (application !== applicationId && application !== 0) throw new ForeignFile('it was not written by Tocsin');
  if (version > schemaVersion)
    throw new ForeignFile(
      `its schema version is ${version}, and this version of Tocsin knows ${schemaVersion}: run the newer Tocsin again, or move the file away`,
    );
}

/** Brings an open file to the version of these sources. Throws `ForeignFile`, or what SQLite throws. */
export function migrate(database: DatabaseSync): void {
  const version = numberOf(database, 'PRAGMA user_version');
  const isEmpty = numberOf(database, 'SELECT count(*) FROM sqlite_schema') === 0;
  if (!isEmpty) judge(numberOf(database, 'PRAGMA application_id') || -1, version);
  if (version === schemaVersion) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    for (const step of migrations.slice(version)) database.exec(step);
    database.exec(`PRAGMA user_version = ${schemaVersion}`);
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** The one number that a statement answers. */
export function numberOf(database: DatabaseSync, sql: string): number {
  const [value] = Object.values(database.prepare(sql).get() ?? {});
  return Number(value ?? 0);
}
