import type { Delivery } from './delivery.ts';
import type { Ref } from './ref.ts';

/** A delivery that failed for good, with what decides whether it is worth sending again. */
export type LostDelivery = {
  readonly delivery: Delivery;
  /** When it failed; epoch milliseconds. */
  readonly endedAt: number;
  /** The outcome of some attempt is unknown: the product may know of it. */
  readonly mayHaveArrived: boolean;
  /** Something newer of the same stream is in the outbox: that says all there is. */
  readonly newerWaits?: true;
};

/** Somebody asks for what failed for good at a provider to be sent again. */
export type RedeliveryRequest = {
  readonly provider: Ref;
  /** Each new value is one request. */
  readonly nonce: string;
  readonly lost: readonly LostDelivery[];
};

/** What becomes of something that failed for good, when it is asked for again. All but `sentAgain` is not sent. */
export const redeliveryVerdicts = [
  'sentAgain',
  /** It is over, and nobody was told that it began; or it is part of something else by now. */
  'over',
  /** It has been told since, or is about to be. */
  'toldSince',
  /** A silence or filter keeps it back now. */
  'muted',
  /** A list of what was open then: what is open now is told instead. */
  'listedAnew',
  /** A test message: another can be asked for. */
  'test',
  /** Whoever it was meant for does not receive: suspended, broken, not chosen, or deleted. */
  'notReceiving',
] as const;

/** One of the verdicts above. */
export type RedeliveryVerdict = (typeof redeliveryVerdicts)[number];

/** Verdicts after which the dead letter stays: it may be worth sending another time. */
const keeps: ReadonlySet<RedeliveryVerdict> = new Set(['muted', 'notReceiving']);

/** Whether what was judged so leaves the list of what failed. */
export function leavesTheList(verdict: RedeliveryVerdict): boolean {
  return !keeps.has(verdict);
}

/** What came of a request, as far as it is known. */
export type Redelivery = {
  readonly nonce: string;
  /** When it was decided; epoch milliseconds. */
  readonly at: number;
  /** Deliveries that were made; those that have not ended are the rest of `sent`. */
  readonly sent: number;
  readonly delivered: number;
  readonly failed: number;
  /** What the last of those that failed says. */
  readonly failure?: string;
  /** How many of what failed before were not sent, and why. */
  readonly left: Readonly<Partial<Record<RedeliveryVerdict, number>>>;
};
