import type { Explanation } from '../model/explanation.ts';
import type { Memo } from '../model/memo.ts';
import type { DeadLetter, Saved, StoredDelivery, StreamMemory } from '../model/store.ts';
import { type IncidentRow, incidentOf } from './explanations.ts';
import type { PackedChange, TableName } from './tables.ts';

/** Puts what was saved together from its rows, each of which has the shape of its table (`shapes/rows.ts`). */
export class Reading {
  readonly #rows: Record<TableName, [key: string, value: unknown][]> = {
    incidents: [],
    explanations: [],
    outbox: [],
    streams: [],
    dead_letters: [],
    ended: [],
    memos: [],
  };

  /** Takes rows in, each table's in order. They are parsed as they come: the thread reads the next ones meanwhile. */
  take(rows: readonly PackedChange[]): void {
    for (const [table, key, , text] of rows) if (text !== null) this.#rows[table].push([key, JSON.parse(text)]);
  }

  /** What the rows come to. */
  finish(savedAt?: number): Saved {
    const explanations = new Map(this.#rows.explanations) as ReadonlyMap<string, Explanation>;
    const explanationAt = (key: string): Explanation | undefined => explanations.get(key);
    return {
      incidents: this.#valuesOf<IncidentRow>('incidents').flatMap((row) => incidentOf(row, explanationAt) ?? []),
      outbox: this.#valuesOf<StoredDelivery>('outbox'),
      streams: this.#valuesOf<StreamMemory>('streams'),
      deadLetters: this.#valuesOf<DeadLetter>('dead_letters'),
      ended: this.#rows.ended.map(([key]) => key),
      memos: this.#valuesOf<Memo>('memos'),
      ...(savedAt !== undefined && { savedAt }),
    };
  }

  /** What the thread has found to be of this shape. */
  #valuesOf<Value>(table: TableName): Value[] {
    return this.#rows[table].map(([, value]) => value as Value);
  }
}
