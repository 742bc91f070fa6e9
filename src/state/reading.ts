import type { Explanation } from '../model/explanation.ts';
import type { Memo } from '../model/memo.ts';
import type { DeadLetter, Saved, StoredDelivery, StreamMemory } from '../model/store.ts';
import { type IncidentRow, incidentOf } from './explanations.ts';
import type { PackedChange, Places, TableName } from './tables.ts';

/** What was saved. `places`: where each row of it stands, if the file that is written from now on holds these and no others. */
export type SavedRows = Saved & { readonly places?: Places };

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
  readonly #places = {
    incidents: new Map<string, number>(),
    explanations: new Map<string, number>(),
    outbox: new Map<string, number>(),
    streams: new Map<string, number>(),
    dead_letters: new Map<string, number>(),
    ended: new Map<string, number>(),
    memos: new Map<string, number>(),
  };

  /** Takes rows in, each table's in order. They are parsed as they come: the thread reads the next ones meanwhile. */
  take(rows: readonly PackedChange[]): void {
    for (const [table, key, position, text] of rows) {
      if (text === null) continue;
      this.#rows[table].push([key, JSON.parse(text)]);
      this.#places[table].set(key, position);
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
      ...(isInFile && { places: this.#places }),
    };
  }

  /** What the thread has found to be of this shape. */
  #valuesOf<Value>(table: TableName): Value[] {
    return this.#rows[table].map(([, value]) => value as Value);
  }
}
