import { closeSync, openSync, readSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { MigratedFile } from './migrated-file.ts';
import { applicationId, type Migration, migrations } from './migrations.ts';
import { ForeignFile } from './problem.ts';

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

/**
 * Brings an open file to the version of these sources, in one transaction: when it fails the file is as it was. Throws `ForeignFile`, or
 * what a step or SQLite throws. `now`: epoch milliseconds. `steps`: from each version to the next.
 */
export function migrate(database: DatabaseSync, now: number, steps: readonly Migration[] = migrations): void {
  const version = numberOf(database, 'PRAGMA user_version');
  const isEmpty = numberOf(database, 'SELECT count(*) FROM sqlite_schema') === 0;
  if (!isEmpty) judge(numberOf(database, 'PRAGMA application_id') || -1, version);
  if (version === steps.length) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    const file = new MigratedFile(database, now);
    for (const step of steps.slice(version)) step(file);
    database.exec(`PRAGMA user_version = ${steps.length}`);
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
