import type { DatabaseSync } from 'node:sqlite';
import { type Misfit, setAside } from './quarantine.ts';

/** A row while its table is migrated. Rows are in the order of their positions. */
export type MigratedRow = { readonly key: string; readonly value: unknown };

/** A state file while it is brought to another version: what a step may do with it. Tables by the names that they have there. */
export class MigratedFile {
  readonly #database: DatabaseSync;
  readonly #now: number;

  /** `now`: epoch milliseconds. */
  constructor(database: DatabaseSync, now: number) {
    this.#database = database;
    this.#now = now;
  }

  /** Runs SQL that answers nothing. */
  execute(sql: string): void {
    this.#database.exec(sql);
  }

  /** The rows of a table, in order; one that is not JSON is passed over, and set aside when the file is checked. */
  rows(table: string): readonly MigratedRow[] {
    const rows: MigratedRow[] = [];
    for (const { key, value } of this.#database.prepare(`SELECT key, value FROM ${table} ORDER BY position`).iterate())
      try {
        rows.push({ key: String(key), value: JSON.parse(String(value)) });
      } catch {
        // It stays as it is.
      }
    return rows;
  }

  /**
   * Replaces the value of each row by what `change` makes of it; `undefined` takes the row out. A row that it throws on is set aside:
   * the others are migrated all the same.
   */
  change(table: string, change: (value: unknown, key: string) => unknown): void {
    const misfits: Misfit[] = [];
    for (const { key, value } of this.rows(table))
      try {
        const changed = change(value, key);
        if (changed === undefined) this.remove(table, key);
        else if (changed !== value) this.put(table, key, changed);
      } catch (error) {
        misfits.push({
          table,
          key,
          why: `it could not be migrated: ${error instanceof Error ? error.message : error}`,
        });
      }
    setAside(this.#database, misfits, this.#now);
  }

  /** Replaces a row in its place, or adds one as the newest. */
  put(table: string, key: string, value: unknown): void {
    const text = JSON.stringify(value);
    const { changes } = this.#database.prepare(`UPDATE ${table} SET value = ? WHERE key = ?`).run(text, key);
    if (Number(changes) === 0)
      this.#database
        .prepare(`INSERT INTO ${table} SELECT coalesce(max(position), 0) + 1, ?, ? FROM ${table}`)
        .run(key, text);
  }

  remove(table: string, key: string): void {
    this.#database.prepare(`DELETE FROM ${table} WHERE key = ?`).run(key);
  }
}
