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

/** Brings an open file to the version of these sources. Throws `ForeignFile`, or what SQLite throws. */
export function migrate(database: DatabaseSync): void {
  const version = numberOf(database, 'PRAGMA user_version');
  const owner = numberOf(database, 'PRAGMA application_id');
  const isEmpty = numberOf(database, 'SELECT count(*) FROM sqlite_schema') === 0;
  if (!isEmpty && owner !== applicationId) throw new ForeignFile('it was not written by Tocsin');
  if (version > schemaVersion)
    throw new ForeignFile(
      `its schema version is ${version}, and this version of Tocsin knows ${schemaVersion}: run the newer Tocsin again, or move the file away`,
    );
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
