import type { DatabaseSync } from 'node:sqlite';
import { numberOf } from './schema.ts';

/** Rows taken out at once. */
const batchRows = 200;

/** What may go when the file is too large, in this order, each the oldest first. What is open or waits to be sent never does. */
const history: readonly string[] = [
  `DELETE FROM quarantine WHERE position IN (SELECT position FROM quarantine ORDER BY position LIMIT ${batchRows})`,
  `DELETE FROM dead_letters WHERE position IN (SELECT position FROM dead_letters ORDER BY position LIMIT ${batchRows})`,
  `DELETE FROM incidents WHERE position IN (SELECT position FROM incidents
     WHERE value ->> '$.state' = 'Resolved' ORDER BY position LIMIT ${batchRows})`,
];
/** Explanations are keyed by their incident, some with "|" and an audience behind it. */
const orphans = `DELETE FROM explanations
  WHERE substr(key, 1, instr(key || '|', '|') - 1) NOT IN (SELECT key FROM incidents)`;

/** Takes out history until the file holds less than `target` bytes, or there is none left. Returns how many rows that was. */
export function trimHistory(database: DatabaseSync, target: number): number {
  let trimmed = 0;
  if (usedBytes(database) <= target) return trimmed;
  for (const sql of history) {
    let changes = batchRows;
    while (changes >= batchRows && usedBytes(database) > target) {
      changes = Number(database.prepare(sql).run().changes);
      database.exec(orphans);
      trimmed += changes;
    }
  }
  return trimmed;
}

function usedBytes(database: DatabaseSync): number {
  const pages = numberOf(database, 'PRAGMA page_count') - numberOf(database, 'PRAGMA freelist_count');
  return pages * numberOf(database, 'PRAGMA page_size');
}
