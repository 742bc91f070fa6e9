import type { Delivery, Reference } from '../model/delivery.ts';
import type { StreamMemory } from '../model/store.ts';
import { Table, type TableOwner } from './table.ts';
import type { Change } from './tables.ts';

/** Streams that are remembered when nobody says that they are forgotten. */
const maxStreams = 10_000;

/** What is remembered of each stream: what products returned for it. */
export class Streams {
  readonly #table: Table<StreamMemory>;

  constructor(owner: TableOwner) {
    this.#table = new Table('streams', maxStreams, owner);
  }

  reference(stream: string, providerUid: string): Reference | undefined {
    return this.#table.get(stream)?.references[providerUid];
  }

  /** A product returned this. */
  refer({ stream, providerUid }: Delivery, reference: Reference): void {
    const memory = this.#memoryOf(stream);
    this.#table.renew(stream, { ...memory, references: { ...memory.references, [providerUid]: reference } });
  }

  /** Remembers what an earlier process left. */
  restore(memory: StreamMemory): void {
    this.#table.renew(memory.stream, memory);
  }

  forget(stream: string): void {
    this.#table.delete(stream);
  }

  values(): StreamMemory[] {
    return this.#table.values();
  }

  changes(): Generator<Change> {
    return this.#table.changes();
  }

  #memoryOf(stream: string): StreamMemory {
    return this.#table.get(stream) ?? { stream, references: {} };
  }
}
