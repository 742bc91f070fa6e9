import { FairShares } from '../model/fair-shares.ts';
import { namespaceOf } from '../model/ref.ts';
import type { DeadLetter } from '../model/store.ts';
import { Table, type TableOwner } from './table.ts';
import type { Change } from './tables.ts';

/** Dead letters kept; of the namespace with the most the oldest goes first. */
const maxDeadLetters = 500;

/** Deliveries that failed for good, kept for people, by the id of the delivery. */
export class DeadLetters {
  readonly #table: Table<DeadLetter>;
  /** Whose they are, by the id of the delivery. */
  readonly #shares = new FairShares<string, DeadLetter>(maxDeadLetters, ({ delivery }) =>
    namespaceOf(delivery.provider),
  );

  constructor(owner: TableOwner) {
    this.#table = new Table('dead_letters', maxDeadLetters, owner);
  }

  keep(letter: DeadLetter): void {
    const { id } = letter.delivery;
    const crowdedOut = this.#shares.set(id, letter);
    if (crowdedOut) this.#table.delete(crowdedOut.delivery.id);
    this.#table.renew(id, letter);
  }

  forget(id: string): void {
    this.#shares.delete(id);
    this.#table.delete(id);
  }

  /** The oldest first. */
  values(): DeadLetter[] {
    return this.#table.values();
  }

  changes(): Generator<Change> {
    return this.#table.changes();
  }
}
