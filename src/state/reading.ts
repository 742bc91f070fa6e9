import type { Explanation } from '../model/explanation.ts';
import type { Memo } from '../model/memo.ts';
import type { DeadLetter, Saved, StoredDelivery, StreamMemory } from '../model/store.ts';
import { type IncidentRow, incidentOf } from './explanations.ts';
import type { PackedChange, TableName } from './tables.ts';

/** Puts what was saved together from its rows, each of which has the shape of its table (`shapes/rows.ts`). */
export class Reading {
  readonly #rows: Record<TableName, [key: string, text: string][]> = {
    incidents: [],
    explanations: [],
    outbox: [],
    streams: [],
    dead_letters: [],
    ended: [],
    memos: [],
  };

  /** Takes rows in, each table's in order. */
  take(rows: readonly PackedChange[]): void {
    for (const [table, key, , text] of rows) if (text !== null) this.#rows[table].push([key, text]);
  }

  /** What the rows come to. */
  finish(savedAt?: number): Saved {
    const explanations = new Map<string, Explanation>();
    for (const [key, text] of this.#rows.explanations) explanations.set(key, JSON.parse(text));
    const explanationAt = (key: string): Explanation | undefined => explanations.get(key);
    return {
      incidents: this.#parsed<IncidentRow>('incidents').flatMap((row) => incidentOf(row, explanationAt) ?? []),
      outbox: this.#parsed<StoredDelivery>('outbox'),
      streams: this.#parsed<StreamMemory>('streams'),
      deadLetters: this.#parsed<DeadLetter>('dead_letters'),
      ended: this.#rows.ended.map(([key]) => key),
      memos: this.#parsed<Memo>('memos'),
      ...(savedAt !== undefined && { savedAt }),
    };
  }

  #parsed<Value>(table: TableName): Value[] {
    return this.#rows[table].map(([, text]) => JSON.parse(text));
  }
}
