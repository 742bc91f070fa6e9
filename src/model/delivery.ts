import { shortHash } from './hash.ts';
import type { Act, Notification } from './notification.ts';
import type { Ref } from './ref.ts';

/** What a product returned to find the message, thread, alert or issue again; the provider file alone knows its keys. */
export type Reference = Readonly<Record<string, string>>;

/** One notification for one provider. Times are epoch milliseconds. */
export type Delivery = {
  /** hash(stream, provider UID, act, sequence). */
  readonly id: string;
  /** Incident or message id: what its sequence counts in. What runs in order is the lane (`laneOf`). */
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
  /** What failed for good is sent again with the words it had: an earlier attempt may have left something. */
  readonly again?: true;
  /** The end, for who wants to hear of none: it takes what waits with it, and is not sent when its turn comes. */
  readonly unsent?: true;
};

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
 * a time-out or reset after the request was written, so the product may have it; or some of several recipients do have it. `remark`: what people
 * should know of what was delivered.
 */
export type Outcome = { readonly ref?: Reference } & ( // `remark`: what people should know of it all the same.
  | { readonly is: 'delivered'; readonly remark?: string }
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

/** What the alert keys of one problem have in common: of several incidents at the same time the later ones have `#2`, `#3`. */
export function familyOf(alertKey: string): string {
  const end = alertKey.indexOf('#');
  return end < 0 ? alertKey : alertKey.slice(0, end);
}

/**
 * The lane of a delivery: within it order matters, between lanes it does not. All that one provider is told under one alert key goes in one
 * lane, so that the end of an incident never comes after the opening of the next one that its product knows by the same key. So does what
 * goes by another key of the same problem: an incident that returns while its key is taken gets another one, and its own end may wait yet.
 */
export function laneOf({ alertKey, providerUid }: Pick<Delivery, 'alertKey' | 'providerUid'>): string {
  return `${familyOf(alertKey)}|${providerUid}`;
}

/** Whether a product may make something of it that has to be ended. The summary of a start may be an alert, whose end comes as an act of its own. */
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
  readonly sequence: number;
  /** `pending`: a failed attempt that will be tried again, or what waits for its turn behind such. */
  readonly ended: 'delivered' | 'failed' | 'dropped' | 'pending';
  readonly attempts: number;
  /** Some attempt's outcome is unknown, or one succeeded: the product may know of it. */
  readonly mayHaveArrived: boolean;
  /** It is pending for so long that a fallback is to be told, if there is one. */
  readonly overdue?: true;
  readonly durationMs: number;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly failure?: DeliveryFailure;
  /** What people should know of one that was delivered. */
  readonly remark?: string;
};
