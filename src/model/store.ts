import { type Delivery, type DeliveryFailure, hasPerhapsArrived, type Outcome, type Reference } from './delivery.ts';
import type { Incident } from './incident.ts';
import type { Memo } from './memo.ts';
import type { Batch } from './turn.ts';

/** A delivery as the store holds it. Times are epoch milliseconds. */
export type StoredDelivery = {
  readonly delivery: Delivery;
  /** Attempts that ended; one that the product answered with "too many requests" does not count. */
  readonly attempts: number;
  readonly nextAttemptAt: number;
  /** The outcome of some attempt is unknown: the product may know of it. */
  readonly mayHaveArrived: boolean;
  /** An attempt has begun and not ended. */
  readonly inFlight: boolean;
};

/** A delivery once an attempt has ended like this. One that the product put off does not count. */
export function afterAttempt(sent: StoredDelivery, outcome: Outcome): StoredDelivery {
  return {
    ...sent,
    attempts: sent.attempts + (outcome.is === 'rateLimited' ? 0 : 1),
    mayHaveArrived: sent.mayHaveArrived || hasPerhapsArrived(outcome),
    inFlight: false,
  };
}

/** A delivery that ended as failed, kept for people, who may have it sent again. */
export type DeadLetter = {
  readonly delivery: Delivery;
  readonly endedAt: number;
  readonly attempts: number;
  /** The outcome of some attempt is unknown: the product may know of it. */
  readonly mayHaveArrived: boolean;
  readonly failure: DeliveryFailure;
};

/** What became of a delivery, and everything that follows from it. Times are epoch milliseconds. */
export type Settlement = { readonly at: number } & (
  | { readonly is: 'delivered'; readonly outcome: Outcome }
  /** The attempt failed; the delivery stays. */
  | { readonly is: 'retry'; readonly outcome: Outcome; readonly nextAttemptAt: number }
  /**
   * Nobody will try again: it becomes a dead letter. Without `outcome` it ended without an attempt (too old, its provider
   * deleted).
   */
  | { readonly is: 'failed'; readonly outcome?: Outcome; readonly failure: DeliveryFailure }
);

/** What is remembered of a stream, by the UID of the provider. */
export type StreamMemory = {
  readonly stream: string;
  readonly references: Readonly<Record<string, Reference>>;
};

/** Everything a store holds. Lists are in order of age, the oldest first. */
export type Saved = {
  readonly incidents: readonly Incident[];
  readonly outbox: readonly StoredDelivery[];
  readonly streams: readonly StreamMemory[];
  readonly deadLetters: readonly DeadLetter[];
  /** Ids of deliveries that have ended lately. */
  readonly ended: readonly string[];
  readonly memos: readonly Memo[];
  /** Epoch milliseconds: when it was last written. Absent: never. */
  readonly savedAt?: number;
  /** How far the clock has been set back since then (milliseconds): all instants here are as if it had not gone further. Absent: it was not. */
  readonly setBackMs?: number;
};

/** What waits to be sent, by what is asked. Each answer costs what it holds, however much else waits. Lists are in order of creation. */
export type WaitingDeliveries = {
  /** What waits in a lane (`laneOf`). */
  lane(lane: string): readonly StoredDelivery[];
  /** The first one of a lane; `undefined` when nothing waits. `place`: the order of creation among all. */
  head(lane: string): { readonly stored: StoredDelivery; readonly place: number } | undefined;
  /** Lanes in which something came, went or changed since the last call; at first all there are. For one caller. */
  takeChangedLanes(): Iterable<string>;
  /** By the UID of the provider. */
  ofProvider(providerUid: string): readonly StoredDelivery[];
  /** How many wait for a provider, and since when the first of them does (epoch milliseconds). */
  pendingOf(providerUid: string): { readonly pending: number; readonly oldestPendingTime?: number };
  /** What waits for the providers of a namespace. */
  inNamespace(namespace: string): readonly StoredDelivery[];
  /** How many that is, for each namespace where something waits. */
  namespaces(): Iterable<readonly [namespace: string, count: number]>;
};

/** Synchronous, each call one transaction: a delivery may be dispatched only after the commit that holds it is `durable`. */
export type Store = {
  /**
   * Saves what a turn changed. A delivery whose id is in the outbox or has ended lately is not enqueued again. What a
   * newer delivery makes needless leaves the outbox (`takeDropped`): an unsent update of the same stream and provider by a
   * newer update or resolve; an opening or reopening that certainly never arrived together with its resolve.
   */
  commit(batch: Batch): void;
  /**
   * Marks the begin of an attempt: from now on a crash leaves it unknown whether it arrived, and neither `replace` nor
   * `drop` touch it. Returns what is to be sent (it may have been replaced since it was chosen), `undefined` when it is not
   * in the outbox any more.
   */
  begin(delivery: string): StoredDelivery | undefined;
  /**
   * Records what became of a delivery. A reference is kept whatever the outcome.
   */
  settle(delivery: string, settlement: Settlement): void;
  /** Puts a delivery off without an attempt: its Secret is missing, its provider is being probed. */
  postpone(delivery: string, until: number): void;
  /** Deliveries that left the outbox unsent since the last call, each with what is known of its attempts. */
  takeDropped(): readonly StoredDelivery[];
  /** Everything it holds: at the start, what survived the last stop. */
  load(): Saved;
  /**
   * Resolves once everything that was called until now would survive the end of the process, or it is known that nothing can be
   * saved at the moment: then deliveries go on without. Never rejects. `undefined`: there is nothing to wait for.
   */
  durable(): Promise<void> | undefined;
  /** Deliveries not ended yet, in order of creation. */
  outbox(): readonly StoredDelivery[];
  /** The same, by what is asked. */
  readonly waiting: WaitingDeliveries;
  /** The reference a product returned for a stream, if any. By the provider's UID: names are given anew to other products. */
  reference(stream: string, providerUid: string): Reference | undefined;
  /** The newest 500 deliveries that failed, oldest first. */
  deadLetters(): readonly DeadLetter[];
};
