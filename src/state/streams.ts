import type { Delivery, Recipient, Reference } from '../model/delivery.ts';
import type { Diversion, StreamMemory } from '../model/store.ts';
import { Table, type TableOwner } from './table.ts';
import type { Change } from './tables.ts';

/** Streams that are remembered when nobody says that they are forgotten. */
const maxStreams = 10_000;

/** What is remembered of each stream: what products returned for it, and where its later acts go instead. */
export class Streams {
  readonly #table: Table<StreamMemory>;

  constructor(owner: TableOwner) {
    this.#table = new Table('streams', maxStreams, owner);
  }

  reference(stream: string, providerUid: string): Reference | undefined {
    return this.#table.get(stream)?.references[providerUid];
  }

  diversion(stream: string, providerUid: string): Diversion | undefined {
    return this.#table.get(stream)?.diversions[providerUid];
  }

  /** A product returned this. */
  refer({ stream, providerUid }: Delivery, reference: Reference): void {
    const memory = this.#memoryOf(stream);
    this.#table.renew(stream, { ...memory, references: { ...memory.references, [providerUid]: reference } });
  }

  /** The opening went to a fallback: later acts of the stream follow it. */
  divert({ stream, providerUid }: Delivery, { provider, providerUid: uid }: Recipient, both: boolean): void {
    const memory = this.#memoryOf(stream);
    const diversion = { to: { provider, providerUid: uid }, both };
    this.#table.renew(stream, { ...memory, diversions: { ...memory.diversions, [providerUid]: diversion } });
  }

  /** The provider was told of an opening itself; a fallback that knows of it as well is told its end all the same. */
  endDiversion({ stream, providerUid, again }: Delivery): void {
    const memory = this.#table.get(stream);
    const known = memory?.diversions[providerUid];
    if (memory === undefined || known === undefined) return;
    const { [providerUid]: _, ...others } = memory.diversions;
    const diversions = again?.fallbackKnows === true ? { ...others, [providerUid]: { ...known, both: true } } : others;
    this.#table.set(stream, { ...memory, diversions });
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
    return this.#table.get(stream) ?? { stream, references: {}, diversions: {} };
  }
}
