import type { Clock } from '../model/clock.ts';
import { type Change, type PackedChange, packed } from './tables.ts';
import type { Thread } from './thread.ts';

/** So much JSON is made in one go; bytes. Making it takes some milliseconds in which nothing else runs. */
const bytesAtOnce = 256 * 1024;

/** What a shipment is made of. */
export type ShipmentOptions = {
  readonly thread: Thread;
  readonly clock: Clock;
  readonly group: number;
  /** What has changed; `undefined`: everything, which `all` says. */
  readonly changes: ReadonlyMap<string, Change> | undefined;
  readonly all: () => Iterable<Change>;
  /** How many transactions of the store are saved with it. */
  readonly upTo: number;
  readonly shrink: boolean;
};

/** One transaction on its way to the disk: what is in it stands from the beginning, and is packed piece by piece. */
export class Shipment {
  readonly #options: ShipmentOptions;
  readonly #startedAt: number;
  #bytes = 0;

  constructor(options: ShipmentOptions) {
    this.#options = options;
    this.#startedAt = options.clock.monotonic();
    const { changes, all } = options;
    // Values are never changed, so it is enough to hold on to them.
    this.#send((changes ? [...changes.values()] : [...all()]).values());
  }

  get changes(): ReadonlyMap<string, Change> | undefined {
    return this.#options.changes;
  }

  get upTo(): number {
    return this.#options.upTo;
  }

  /** Of JSON so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Milliseconds until now. */
  tookMs(): number {
    return this.#options.clock.monotonic() - this.#startedAt;
  }

  #send(left: Iterator<Change>): void {
    const { thread, clock, group, changes, shrink } = this.#options;
    const rows: PackedChange[] = [];
    const limit = this.#bytes + bytesAtOnce;
    let next = left.next();
    for (; next.done !== true; next = left.next()) {
      const row = packed(next.value);
      rows.push(row);
      this.#bytes += row[3]?.length ?? 0;
      if (this.#bytes >= limit) break;
    }
    const isLast = next.done === true;
    const whole = changes === undefined;
    thread.ask({ do: 'write', rows, whole, ...(isLast && { end: { group, at: clock.now(), shrink } }) });
    if (!isLast) setImmediate(() => this.#send(left));
  }
}
