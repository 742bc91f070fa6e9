import type { Delivery, Outcome, Reference } from './delivery.ts';
import type { Incident } from './incident.ts';
import type { Ref } from './ref.ts';
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

/** A delivery that ended as failed, kept for people. */
export type DeadLetter = {
  readonly delivery: Delivery;
  readonly endedAt: number;
  readonly attempts: number;
  readonly reason: string;
};

/**
 * Later acts of a stream go to `to` instead of the provider that could not be told of the opening; to both when that
 * provider may know of it after all.
 */
export type Diversion = { readonly to: Ref; readonly both: boolean };

/** Synchronous: a delivery may be dispatched only after the commit that holds it. */
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
   * Records how an attempt ended, at `at` (epoch milliseconds). Without `nextAttemptAt` the delivery has ended and leaves
   * the outbox, as a dead letter unless it was delivered.
   */
  settle(delivery: string, outcome: Outcome, nextAttemptAt: number | undefined, at: number): void;
  /** Puts a delivery off without an attempt: its Secret is missing, its provider is being probed. */
  postpone(delivery: string, until: number): void;
  /** Ends a delivery as failed without a further attempt: too old, its provider deleted. */
  end(delivery: string, reason: string, at: number): void;
  /** Deliveries that left the outbox unsent since the last call, each with what is known of its attempts. */
  takeDropped(): readonly StoredDelivery[];
  /** Everything that survived the last stop. */
  load(): { readonly incidents: readonly Incident[]; readonly outbox: readonly StoredDelivery[] };
  /** Deliveries not ended yet, in order of creation. */
  outbox(): readonly StoredDelivery[];
  /** The reference a product returned for (stream, provider), if any. */
  reference(stream: string, provider: Ref): Reference | undefined;
  /** Where later acts of a stream go instead, if anywhere. */
  diversion(stream: string, provider: Ref): Diversion | undefined;
  /** Remembers a diversion, or ends it. */
  divert(stream: string, provider: Ref, diversion: Diversion | undefined): void;
  /** The newest 500 deliveries that failed, oldest first. */
  deadLetters(): readonly DeadLetter[];
};
