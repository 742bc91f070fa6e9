import { type Delivery, laneOf, type Reference } from '../model/delivery.ts';
import {
  afterAttempt,
  type DeadLetter,
  type Saved,
  type Settlement,
  type StoredDelivery,
  type WaitingDeliveries,
} from '../model/store.ts';
import { endedMeanwhile, groundlessAfter, heirOf, supersededBy } from './collapse.ts';
import { DeadLetters } from './dead-letters.ts';
import { Outbox } from './outbox.ts';
import { Streams } from './streams.ts';
import { Table, type TableOwner } from './table.ts';
import type { Change } from './tables.ts';

/** Ids of ended deliveries that are kept. */
const maxEnded = 10_000;

/** What is to be delivered, what became of what was, and where its conversations are. */
export class Deliveries {
  readonly #outbox: Outbox;
  readonly #streams: Streams;
  readonly #deadLetters: DeadLetters;
  readonly #ended: Table<true>;
  #dropped: StoredDelivery[] = [];

  constructor(owner: TableOwner) {
    this.#outbox = new Outbox(owner);
    this.#streams = new Streams(owner);
    this.#deadLetters = new DeadLetters(owner);
    this.#ended = new Table<true>('ended', maxEnded, owner);
  }

  /** Goes on from what an earlier process left. */
  restore({ outbox, streams, deadLetters, ended }: Pick<Saved, 'outbox' | 'streams' | 'deadLetters' | 'ended'>): void {
    for (const stored of outbox) this.#outbox.set(interrupted(stored));
    for (const memory of streams) this.#streams.restore(memory);
    for (const letter of deadLetters) this.#deadLetters.keep(letter);
    for (const id of ended) this.#ended.renew(id, true);
  }

  /** Everything there is, as changes that would make it. */
  *changes(): Generator<Change> {
    yield* this.#outbox.changes();
    yield* this.#streams.changes();
    yield* this.#deadLetters.changes();
    yield* this.#ended.changes();
  }

  /** What a later process goes on from. */
  load(): Pick<Saved, 'outbox' | 'streams' | 'deadLetters' | 'ended'> {
    return {
      outbox: this.outbox(),
      streams: this.#streams.values(),
      deadLetters: this.deadLetters(),
      ended: this.#ended.keys(),
    };
  }

  /** An attempt begins. */
  begin(id: string): StoredDelivery | undefined {
    const stored = this.#outbox.get(id);
    if (!stored) return undefined;
    const begun = { ...stored, inFlight: true };
    this.#outbox.set(begun);
    return begun;
  }

  /** Not before `until` (epoch milliseconds). */
  postpone(id: string, until: number): void {
    const stored = this.#outbox.get(id);
    if (stored) this.#wait({ ...stored, nextAttemptAt: until, inFlight: false });
  }

  /** Gives up what has not been begun. */
  drop(id: string): void {
    const stored = this.#outbox.get(id);
    if (stored && !stored.inFlight) this.#drop(stored);
  }

  /** What failed for good is not to be known any more. */
  forgetFailed(id: string): void {
    this.#deadLetters.forget(id);
  }

  /** The conversations of an incident are over. */
  forgetStreams(incident: string): void {
    this.#streams.forget(incident);
  }

  /** What was dropped since the last call. */
  takeDropped(): readonly StoredDelivery[] {
    const taken = this.#dropped;
    this.#dropped = [];
    return taken;
  }

  /** All that is to be delivered. */
  outbox(): readonly StoredDelivery[] {
    return this.#outbox.all();
  }

  get waiting(): WaitingDeliveries {
    return this.#outbox;
  }

  reference(stream: string, providerUid: string): Reference | undefined {
    return this.#streams.reference(stream, providerUid);
  }

  /** What failed for good. */
  deadLetters(): readonly DeadLetter[] {
    return this.#deadLetters.values();
  }

  /** One attempt has ended, or one is not made any more. */
  settle(id: string, settlement: Settlement): void {
    const before = this.#outbox.get(id);
    if (!before) return;
    const { outcome } = settlement;
    const stored = outcome ? afterAttempt(before, outcome) : before;
    if (outcome?.ref) this.#streams.refer(stored.delivery, outcome.ref);
    if (settlement.is === 'retry') {
      this.#wait({ ...stored, nextAttemptAt: settlement.nextAttemptAt });
      return;
    }
    this.#outbox.delete(stored);
    this.#ended.renew(stored.delivery.id, true);
    if (settlement.is !== 'failed') return;
    this.#bury(stored, settlement);
    for (const left of groundlessAfter(stored, this.#outbox.lane(laneOf(stored.delivery)))) this.#drop(left);
  }

  /** Tells it in other words, unless it may have been told already. */
  replace(delivery: Delivery): void {
    const stored = this.#outbox.get(delivery.id);
    if (!stored || stored.inFlight || stored.mayHaveArrived) return;
    const nextAttemptAt = stored.attempts === 0 ? delivery.notBefore : stored.nextAttemptAt;
    this.#outbox.set({ ...stored, delivery: heirOf(delivery, [stored]), nextAttemptAt });
  }

  /** One more to deliver, unless it is known; what it makes needless is dropped. */
  enqueue(delivery: Delivery): void {
    if (this.#outbox.get(delivery.id) || this.#ended.has(delivery.id)) return;
    const { drops, needless } = supersededBy(delivery, this.#outbox.lane(laneOf(delivery)));
    for (const stored of drops) this.#drop(stored);
    const stored = {
      delivery: heirOf(delivery, drops),
      attempts: 0,
      nextAttemptAt: delivery.notBefore,
      mayHaveArrived: false,
      inFlight: false,
    };
    if (needless) this.#dropped.push(stored);
    else this.#outbox.set(stored);
  }

  /** It is not under way any more, and waits. */
  #wait(stored: StoredDelivery): void {
    this.#outbox.set(stored);
    for (const needless of endedMeanwhile(stored, this.#outbox.lane(laneOf(stored.delivery)))) this.#drop(needless);
  }

  #drop(stored: StoredDelivery): void {
    this.#outbox.delete(stored);
    this.#dropped.push(stored);
  }

  #bury({ delivery, attempts, mayHaveArrived }: StoredDelivery, { at, failure }: Settlement & { is: 'failed' }): void {
    this.#deadLetters.keep({ delivery, endedAt: at, attempts, mayHaveArrived, failure });
  }
}

/** A delivery whose attempt the process did not outlive: nobody knows whether it arrived. */
function interrupted(stored: StoredDelivery): StoredDelivery {
  return stored.inFlight ? { ...stored, inFlight: false, mayHaveArrived: true } : stored;
}
