import type { Explanation } from '../model/explanation.ts';
import type { Memo } from '../model/memo.ts';
import type { DeadLetter, Saved, StoredDelivery, StreamMemory } from '../model/store.ts';
import { type IncidentRow, incidentOf } from './explanations.ts';
import { type PackedChange, type PlaceOf, type TableName, tableNames } from './tables.ts';

/** What was saved. `placeOf`: where each row of it stands, if the file that is written from now on holds these and no others. */
export type SavedRows = Saved & { readonly placeOf?: PlaceOf };

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
  readonly #places = new Map<TableName, Map<string, number>>(tableNames.map((name) => [name, new Map()]));

  /** Takes rows in, each table's in order. They are parsed as they come: the thread reads the next ones meanwhile. */
  take(rows: readonly PackedChange[]): void {
    for (const [table, key, position, text] of rows) {
      if (text === null) continue;
      this.#rows[table].push([key, JSON.parse(text)]);
      this.#places.get(table)?.set(key, position);
    }
  }

  /** What the rows come to. `isInFile`: the file that is written from now on holds these rows and no others. */
  finish(savedAt?: number, isInFile = false): SavedRows {
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
      ...(isInFile && { placeOf: (table, key) => this.#places.get(table)?.get(key) }),
    };
  }

  /** What the thread has found to be of this shape. */
  #valuesOf<Value>(table: TableName): Value[] {
    return this.#rows[table].map(([, value]) => value as Value);
  }
}
