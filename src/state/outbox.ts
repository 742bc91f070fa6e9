import { type Delivery, laneOf } from '../model/delivery.ts';
import type { StoredDelivery } from '../model/store.ts';
import { Table, type TableOwner } from './table.ts';

/** Deliveries that have not ended, in order of creation, by id and by lane. */
export class Outbox {
  readonly #byId: Table<StoredDelivery>;
  /** Within one stream for one provider order matters: ids by these. */
  readonly #lanes = new Map<string, Set<string>>();

  constructor(owner: TableOwner) {
    // Not bounded by number: each delivery ends after a day, and none may be lost before.
    this.#byId = new Table('outbox', Number.POSITIVE_INFINITY, owner);
  }

  get(id: string): StoredDelivery | undefined {
    return this.#byId.get(id);
  }

  all(): StoredDelivery[] {
    return this.#byId.values();
  }

  /** What waits in the lane of a delivery. */
  lane(delivery: Delivery): StoredDelivery[] {
    return [...(this.#lanes.get(laneOf(delivery)) ?? [])].flatMap((id) => this.#byId.get(id) ?? []);
  }

  /** Adds a delivery, or replaces it in its place. */
  set(stored: StoredDelivery): void {
    const { delivery } = stored;
    this.#byId.set(delivery.id, stored);
    const lane = this.#lanes.get(laneOf(delivery)) ?? new Set();
    this.#lanes.set(laneOf(delivery), lane.add(delivery.id));
  }

  delete({ delivery }: StoredDelivery): void {
    this.#byId.delete(delivery.id);
    const lane = this.#lanes.get(laneOf(delivery));
    lane?.delete(delivery.id);
    if (lane?.size === 0) this.#lanes.delete(laneOf(delivery));
  }

  /** Every row as a change that would make it. */
  changes(): ReturnType<Table<StoredDelivery>['changes']> {
    return this.#byId.changes();
  }
}
