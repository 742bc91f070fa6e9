import type { Change, TableName } from './tables.ts';

type Placed<Value> = { readonly position: number; readonly value: Value };

/** What a table needs of the store it belongs to. */
export type TableOwner = {
  /** Where a row that is new here stands: where it was saved, else at the next position, larger than all before. */
  place(table: TableName, key: string): number;
  changed(change: Change): void;
};

/** One table of the working copy: rows by key, in order, at most so many (the oldest go first). Tells of every change. */
export class Table<Value> {
  readonly #name: TableName;
  readonly #max: number;
  readonly #owner: TableOwner;
  readonly #rowOf: (value: Value) => unknown;
  readonly #rows = new Map<string, Placed<Value>>();

  /** `rowOf`: what of a value is its row. */
  constructor(name: TableName, max: number, owner: TableOwner, rowOf: (value: Value) => unknown = (value) => value) {
    this.#name = name;
    this.#max = max;
    this.#owner = owner;
    this.#rowOf = rowOf;
  }

  get(key: string): Value | undefined {
    return this.#rows.get(key)?.value;
  }

  has(key: string): boolean {
    return this.#rows.has(key);
  }

  /** Where a row stands: larger than that of all rows before it. */
  positionOf(key: string): number | undefined {
    return this.#rows.get(key)?.position;
  }

  /** In order. */
  keys(): string[] {
    return [...this.#rows.keys()];
  }

  /** In order. */
  values(): Value[] {
    return Array.from(this.#rows.values(), ({ value }) => value);
  }

  /** Adds a row, or replaces it in its place. */
  set(key: string, value: Value): void {
    const position = this.#rows.get(key)?.position ?? this.#owner.place(this.#name, key);
    this.#put(key, { position, value });
  }

  /** Adds a row, or replaces it and makes it the newest. */
  renew(key: string, value: Value): void {
    this.#rows.delete(key);
    this.#put(key, { position: this.#owner.place(this.#name, key), value });
  }

  delete(key: string): void {
    const row = this.#rows.get(key);
    if (row === undefined) return;
    this.#rows.delete(key);
    this.#owner.changed({ table: this.#name, key, position: row.position });
  }

  /** Every row as a change that would make it. */
  *changes(): Generator<Change> {
    for (const [key, row] of this.#rows) yield this.#changeOf(key, row);
  }

  #changeOf(key: string, { position, value }: Placed<Value>): Change {
    return { table: this.#name, key, position, value: this.#rowOf(value) };
  }

  #put(key: string, row: Placed<Value>): void {
    this.#rows.set(key, row);
    this.#owner.changed(this.#changeOf(key, row));
    if (this.#rows.size <= this.#max) return;
    const [oldest] = this.#rows.keys();
    if (oldest !== undefined) this.delete(oldest);
  }
}
