import { shortHash } from './hash.ts';
import type { Act, Notification } from './notification.ts';
import type { Ref } from './ref.ts';

/** What a product returned to find the message, thread, alert or issue again; the provider file alone knows its keys. */
export type Reference = Readonly<Record<string, string>>;

/** One notification for one provider. Times are epoch milliseconds. */
export type Delivery = {
  /** hash(stream, provider UID, act, sequence). */
  readonly id: string;
  /** Incident or message id: one stream per provider runs in order, one delivery at a time. */
  readonly stream: string;
  readonly provider: Ref;
  /** UID of that AlertProvider: one made anew under the same name is another destination, which must not get this. */
  readonly providerUid: string;
  readonly act: Act;
  /** Order within (stream, provider), from 1. */
  readonly sequence: number;
  /** For products with idempotent requests: the repeat of an interrupted attempt is not a second message. */
  readonly attemptKey: string;
  /**
   * The product's dedup key, alias or marker: the same for every act of an incident, and the same for a startup summary and
   * the resolve that ends it.
   */
  readonly alertKey: string;
  /** The incident of the same problem before this one, as long as it is remembered: trackers link what they made of it. */
  readonly previous?: string;
  readonly createdAt: number;
  /** Not before this instant, unless replaced by one that says sooner: evidence may still be on its way. */
  readonly notBefore: number;
  readonly notification: Notification;
  /** Whom it was a fallback for, first to last. Cuts cycles. */
  readonly via?: readonly Handover[];
  /** What failed for good is sent again: an earlier attempt may have left something. `fallbackKnows`: a fallback has told it. */
  readonly again?: { readonly fallbackKnows: boolean };
};

/** A provider, and which one of that name. */
export type Recipient = { readonly provider: Ref; readonly providerUid: string };

/** A provider that could not deliver and handed over to its fallback. `mayHaveArrived`: it may have delivered after all. */
export type Handover = Recipient & { readonly mayHaveArrived: boolean };

/** Why a fallback delivers in place of a provider. `openingWentThere`: a later act follows the opening. */
export type HandoverReason =
  | { readonly is: 'failed'; readonly code: FailureCode; readonly message: string }
  | { readonly is: 'openingWentThere' };

/**
 * The keys of a delivery: hashes of what makes it what it is, so that the same turn replayed gives the same keys, and two
 * providers of the same name in time are told apart by their UID.
 */
export function deliveryKeys(
  stream: string,
  providerUid: string,
  act: Act,
  sequence: number,
): Pick<Delivery, 'id' | 'attemptKey'> {
  return {
    id: shortHash(['delivery', stream, providerUid, act, sequence], 24),
    attemptKey: shortHash(['attempt', stream, providerUid, act, sequence], 32),
  };
}

/** The stream of a test message: each nonce asks a provider for a message of its own. */
export function testStream(providerUid: string, nonce: string): string {
  return `test-${shortHash(['test', providerUid, nonce])}`;
}

/**
 * How an attempt ended. `ref` may come with any of them: the issue was made and its transition failed. `mayHaveArrived`:
 * a time-out or reset after the request was written, so the product may have it; or some of several recipients do have it.
 */
export type Outcome = { readonly ref?: Reference } & (
  | { readonly is: 'delivered' }
  /** `afterMs`: the product named a wait (`Retry-After` with a 503). */
  | {
      readonly is: 'retryable';
      readonly reason: string;
      readonly mayHaveArrived: boolean;
      readonly code?: FailureCode;
      readonly afterMs?: number;
    }
  | { readonly is: 'rateLimited'; readonly afterMs: number; readonly mayHaveArrived?: boolean }
  | {
      readonly is: 'permanent';
      readonly reason: string;
      readonly credential: boolean;
      readonly code?: FailureCode;
      readonly mayHaveArrived?: boolean;
    }
);

/** The lane of a delivery: within one stream for one provider, order matters; between lanes it does not. */
export function laneOf({ stream, providerUid }: Pick<Delivery, 'stream' | 'providerUid'>): string {
  return `${stream}|${providerUid}`;
}

/** Whether later acts go where this one went. The summary of a start may be an alert, whose end comes as an act of its own. */
export function begins({ act }: Pick<Delivery, 'act'>): boolean {
  return act === 'open' || act === 'reopen' || act === 'startup';
}

/** Whether somebody may have the message, so that its end must be told as well. */
export function hasPerhapsArrived(outcome: Outcome): boolean {
  return outcome.is === 'delivered' || outcome.mayHaveArrived === true;
}

/** Reasons of the `Delivering` condition, and the `reason` label of the failure metrics. */
export const failureCodes = [
  'AuthFailed',
  'RateLimited',
  'Timeout',
  'ServerError',
  'Rejected',
  'Unreachable',
  'BlockedAddress',
  'SecretNotFound',
  'SecretKeyMissing',
  'Expired',
  'ProviderDeleted',
  'NamespaceLimit',
] as const;

/** One of the codes above. */
export type FailureCode = (typeof failureCodes)[number];

/** Whether trying again can help. */
export const failureClasses = ['permanent', 'retryable', 'rateLimited'] as const;

/** One of the classes above. */
export type FailureClass = (typeof failureClasses)[number];

/** What a failed attempt says, as reports, dead letters and statuses carry it. `message`: for people, without secrets, bounded. */
export type DeliveryFailure = {
  readonly class: FailureClass;
  readonly code: FailureCode;
  readonly message: string;
};

/** How one delivery ended for good, or what its last attempt said. What the turn, status and metrics are told. */
export type DeliveryReport = {
  readonly delivery: string;
  readonly stream: string;
  readonly provider: Ref;
  readonly providerUid: string;
  readonly act: Act;
  /** `pending`: a failed attempt that will be tried again. */
  readonly ended: 'delivered' | 'failed' | 'dropped' | 'pending';
  readonly attempts: number;
  /** Some attempt's outcome is unknown, or one succeeded: the product may know of it. */
  readonly mayHaveArrived: boolean;
  /** Who gets it instead: in its outbox, so not told yet. What became of that is a report of its own. */
  readonly fallback?: Ref;
  /**
   * Who certainly has not got it, now that nobody will try again: its provider, and those it was a fallback for. Empty while
   * it is pending, when it was delivered or may have arrived, and when a fallback has taken over.
   */
  readonly untold: readonly Recipient[];
  readonly durationMs: number;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly failure?: DeliveryFailure;
};
