/** The tables of the store, one row a thing. What a value is, is the business of `memory.ts`. */
export const tableNames = [
  'incidents',
  /** Apart from their incidents: they are large, and change less often. */
  'explanations',
  'outbox',
  'streams',
  'dead_letters',
  'ended',
  'memos',
] as const;

/** One of the tables above. */
export type TableName = (typeof tableNames)[number];

/** One change of one row. Rows are in the order of their positions; without `value` the row is gone. */
export type Change = {
  readonly table: TableName;
  readonly key: string;
  readonly position: number;
  /** Plain JSON that nobody changes afterwards. */
  readonly value?: unknown;
};

/** Where a row stands in a file: whoever goes on from the file gives each the same place, and need not write it anew. `undefined`: it is not there. */
export type PlaceOf = (table: TableName, key: string) => number | undefined;

/** Where the changes of the working copy go: behind it, one after the other. */
export type ChangeLog = {
  /** The changes of one transaction. */
  append(changes: readonly Change[]): void;
  /** As the store's. */
  durable(): Promise<void> | undefined;
};

/** A change as it is handed to the thread that writes; the value as JSON, `null`: the row is gone. */
export type PackedChange = readonly [table: TableName, key: string, position: number, text: string | null];

/** Packs a change. */
export function packed({ table, key, position, value }: Change): PackedChange {
  return [table, key, position, value === undefined ? null : JSON.stringify(value)];
}
