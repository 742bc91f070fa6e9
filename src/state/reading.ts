import type { Explanation } from '../model/explanation.ts';
import type { Memo } from '../model/memo.ts';
import type { DeadLetter, Saved, StoredDelivery, StreamMemory } from '../model/store.ts';
import { type IncidentRow, incidentOf } from './explanations.ts';
import type { PackedChange, TableName } from './tables.ts';

/** Puts what was saved together from its rows. Rows are what `MemoryStore` has written: their version is ours. */
export class Reading {
  readonly #rows: Record<TableName, [key: string, text: string][]> = {
    ...{ incidents: [], explanations: [], outbox: [], streams: [], dead_letters: [], ended: [], memos: [] },
  };
  #unreadable = 0;

  /** Takes rows in, each table's in order. */
  take(rows: readonly PackedChange[]): void {
    for (const [table, key, , text] of rows) if (text !== null) this.#rows[table].push([key, text]);
  }

  /** What the rows come to, and how many of them could not be read. */
  finish(savedAt?: number): { readonly saved: Saved; readonly unreadable: number } {
    const explanations = new Map<string, Explanation>();
    for (const [key, text] of this.#rows.explanations)
      for (const explanation of this.#parse<Explanation>([[key, text]])) explanations.set(key, explanation);
    const saved: Saved = {
      incidents: this.#parse<IncidentRow>(this.#rows.incidents).flatMap((row) => {
        const incident = incidentOf(row, (key) => explanations.get(key));
        if (incident === undefined) this.#unreadable += 1;
        return incident ?? [];
      }),
      outbox: this.#parse<StoredDelivery>(this.#rows.outbox),
      streams: this.#parse<StreamMemory>(this.#rows.streams),
      deadLetters: this.#parse<DeadLetter>(this.#rows.dead_letters),
      ended: this.#rows.ended.map(([key]) => key),
      memos: this.#parse<Memo>(this.#rows.memos),
      ...(savedAt !== undefined && { savedAt }),
    };
    return { saved, unreadable: this.#unreadable };
  }

  #parse<Value>(rows: readonly (readonly [key: string, text: string])[]): Value[] {
    return rows.flatMap(([, text]) => {
      try {
        return [JSON.parse(text)];
      } catch {
        this.#unreadable += 1;
        return [];
      }
    });
  }
}
