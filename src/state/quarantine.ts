import type { DatabaseSync } from 'node:sqlite';
import { whyNot } from '../model/shape.ts';
import { rowShapes } from './shapes/rows.ts';
import { type PackedChange, type TableName, tableNames } from './tables.ts';

/** Rows kept, and characters of them in all: the newest. Enough to look into what happened, and to write it back by hand. */
const most = { rows: 200, characters: 8 * 1024 * 1024 } as const;

/** Explanations are keyed by their incident, some with "|" and an audience behind it. */
const incidentOf = (key: string): string => key.split('|', 1).join();

/** A row that cannot be gone on from. `why`: the field and what is wrong with it, without any of its text. */
export type Misfit = { readonly table: string; readonly key: string; readonly why: string };

/** Rows that are set aside in a file. */
export type SetAside = {
  readonly rows: number;
  /** When the last of them was; epoch milliseconds. */
  readonly lastAt: number;
  /** One of those that were set aside when the file was opened, as table, key and why; absent: none was. */
  readonly latest?: string;
};

/**
 * Every row of a file that fits, each table's in the order of positions; returns those that are not what these sources make of them. Each is
 * looked at as it is read, so that whoever takes the rows works on them meanwhile.
 */
export function* fittingRows(database: DatabaseSync): Generator<PackedChange, readonly Misfit[]> {
  const misfits: Misfit[] = [];
  const explained = new Set<string>();
  const lost = new Set<string>();
  // An incident needs its explanation: that comes first.
  for (const table of ['explanations', ...tableNames.filter((name) => name !== 'explanations')] as const)
    for (const row of database.prepare(`SELECT * FROM ${table} ORDER BY position`).iterate()) {
      const [key, text] = [String(row.key), String(row.value)];
      const isLeft = table === 'incidents' && !explained.has(key);
      const why = misfitOf(table, text) ?? (isLeft ? 'it has no explanation' : undefined);
      if (why === undefined && table === 'explanations') explained.add(key);
      if (why === undefined) yield [table, key, Number(row.position), text];
      else misfits.push({ table, key, why });
      if (why !== undefined && table === 'incidents') lost.add(key);
    }
  for (const key of explained)
    if (lost.has(incidentOf(key))) misfits.push({ table: 'explanations', key, why: 'its incident is set aside' });
  return misfits;
}

function misfitOf(table: TableName, json: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return 'it is not JSON';
  }
  return whyNot(rowShapes[table], value);
}

/** Moves rows to the quarantine, where the oldest go when there are too many. Within a transaction. `at`: epoch milliseconds. */
export function setAside(database: DatabaseSync, misfits: readonly Misfit[], at: number): void {
  for (const { table, key, why } of misfits) {
    database
      .prepare(
        `INSERT INTO quarantine (source, key, value, why, at) SELECT ?, key, value, ?, ? FROM ${table} WHERE key = ?`,
      )
      .run(table, why, at, key);
    database.prepare(`DELETE FROM ${table} WHERE key = ?`).run(key);
  }
  if (misfits.length === 0) return;
  database
    .prepare(
      `DELETE FROM quarantine WHERE position NOT IN (
         SELECT position FROM (
           SELECT position, count(*) OVER newest AS rows, sum(length(value)) OVER newest AS characters
           FROM quarantine WINDOW newest AS (ORDER BY position DESC)
         ) WHERE rows <= ? AND characters <= ?)`,
    )
    .run(most.rows, most.characters);
}

/** What is set aside in a file, and what is about to be; `undefined`: nothing. `openedAt`: epoch milliseconds. */
export function setAsideIn(database: DatabaseSync, misfits: readonly Misfit[], openedAt: number): SetAside | undefined {
  const kept = database.prepare('SELECT source, key, why, at FROM quarantine ORDER BY position').all();
  const last = kept.findLast(({ at }) => Number(at) >= openedAt);
  const latest = last ? { table: last.source, key: last.key, why: last.why } : misfits[0];
  const rows = kept.length + misfits.length;
  if (rows === 0) return undefined;
  if (latest === undefined) return { rows, lastAt: Number(kept.at(-1)?.at) };
  return { rows, lastAt: openedAt, latest: `${latest.table} ${latest.key}: ${latest.why}` };
}
