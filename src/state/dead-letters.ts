import { namespaceOf } from '../model/ref.ts';
import type { DeadLetter } from '../model/store.ts';
import { FairShares } from './fair-shares.ts';
import { Table, type TableOwner } from './table.ts';
import type { Change } from './tables.ts';

/** Dead letters kept; of the namespace with the most the oldest goes first. */
const maxDeadLetters = 500;

/** Deliveries that failed for good, kept for people, by the id of the delivery. */
export class DeadLetters {
  readonly #table: Table<DeadLetter>;
  /** Whose they are: by namespace. */
  readonly #shares = new FairShares();

  constructor(owner: TableOwner) {
    this.#table = new Table('dead_letters', maxDeadLetters, owner);
  }

  keep(letter: DeadLetter): void {
    const { id, provider } = letter.delivery;
    this.#shares.add(id, namespaceOf(provider));
    const beyond = this.#shares.size > maxDeadLetters ? this.#shares.firstToGo() : undefined;
    if (beyond !== undefined) this.forget(beyond);
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
