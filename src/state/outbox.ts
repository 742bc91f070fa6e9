import { type Delivery, laneOf } from '../model/delivery.ts';
import { namespaceOf } from '../model/ref.ts';
import type { StoredDelivery, WaitingDeliveries } from '../model/store.ts';
import { Groups } from './groups.ts';
import { Table, type TableOwner } from './table.ts';

/** Deliveries that have not ended, in order of creation: by id, lane, provider and namespace. */
export class Outbox implements WaitingDeliveries {
  readonly #byId: Table<StoredDelivery>;
  /** Within one alert key for one provider order matters: that of creation. */
  readonly #lanes = new Groups();
  readonly #providers = new Groups();
  readonly #namespaces = new Groups();
  #changedLanes = new Set<string>();

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

  lane(lane: string): StoredDelivery[] {
    return this.#rows(this.#lanes.of(lane));
  }

  head(lane: string): ReturnType<WaitingDeliveries['head']> {
    const [head] = this.lane(lane);
    const place = head && this.#byId.positionOf(head.delivery.id);
    return head && place !== undefined ? { stored: head, place } : undefined;
  }

  takeChangedLanes(): ReadonlySet<string> {
    const taken = this.#changedLanes;
    this.#changedLanes = new Set();
    return taken;
  }

  ofProvider(providerUid: string): StoredDelivery[] {
    return this.#rows(this.#providers.of(providerUid));
  }

  pendingOf(providerUid: string): ReturnType<WaitingDeliveries['pendingOf']> {
    const ids = this.#providers.of(providerUid);
    const [first] = ids;
    const oldest = first === undefined ? undefined : this.#byId.get(first);
    return { pending: ids.size, ...(oldest && { oldestPendingTime: oldest.delivery.createdAt }) };
  }

  inNamespace(namespace: string): StoredDelivery[] {
    return this.#rows(this.#namespaces.of(namespace));
  }

  namespaces(): Iterable<readonly [namespace: string, count: number]> {
    return this.#namespaces.sizes();
  }

  /** Adds a delivery, or replaces it in its place. */
  set(stored: StoredDelivery): void {
    const { delivery } = stored;
    this.#byId.set(delivery.id, stored);
    for (const [groups, group] of this.#groupsOf(delivery)) groups.add(group, delivery.id);
    this.#changedLanes.add(laneOf(delivery));
  }

  delete({ delivery }: StoredDelivery): void {
    this.#byId.delete(delivery.id);
    for (const [groups, group] of this.#groupsOf(delivery)) groups.delete(group, delivery.id);
    this.#changedLanes.add(laneOf(delivery));
  }

  /** Every row as a change that would make it. */
  changes(): ReturnType<Table<StoredDelivery>['changes']> {
    return this.#byId.changes();
  }

  #groupsOf(delivery: Delivery): readonly (readonly [Groups, string])[] {
    return [
      [this.#lanes, laneOf(delivery)],
      [this.#providers, delivery.providerUid],
      [this.#namespaces, namespaceOf(delivery.provider)],
    ];
  }

  #rows(ids: Iterable<string>): StoredDelivery[] {
    return Array.from(ids, (id) => this.#byId.get(id)).filter((stored) => stored !== undefined);
  }
}
