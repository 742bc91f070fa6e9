import type { Coverage } from './coverage.ts';
import type { Delivery, DeliveryReport, Outcome, Reference } from './delivery.ts';
import type { Decision, Incident } from './incident.ts';
import type { Ref } from './ref.ts';
import type { Settings } from './settings.ts';

/** A Kubernetes object as the API sent it. */
export type RawObject = {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
};

/** One change of one object. `put`: it is so now. `gone`: it does not exist any more (only the metadata may be known). */
export type ObjectEvent = { readonly is: 'put' | 'gone'; readonly raw: RawObject };

/** Log lines or a termination message fetched for an incident after the decision to tell, already redacted. */
export type Evidence = {
  readonly incident: string;
  readonly source: string;
  readonly lines: readonly string[];
};

/** Everything that can reach the core. A recorder that writes exactly (inputs, now) can replay any run byte for byte. */
export type Input =
  | { readonly kind: 'objects'; readonly source: string; readonly events: readonly ObjectEvent[] }
  | { readonly kind: 'source'; readonly coverage: Coverage }
  /** All sources have synced or failed once (or waited long enough): the baseline is taken in this turn. */
  | { readonly kind: 'baseline' }
  | { readonly kind: 'settings'; readonly settings: Settings }
  /** `evidence` without lines: none could be had, the message waits no longer. */
  | { readonly kind: 'evidence'; readonly evidence: Evidence }
  | { readonly kind: 'outcome'; readonly report: DeliveryReport }
  | { readonly kind: 'test'; readonly provider: Ref; readonly nonce: string }
  | { readonly kind: 'lease'; readonly held: boolean }
  | { readonly kind: 'wake' };

/** What one turn changed, to be committed in one transaction. */
export type Batch = {
  readonly incidents: readonly Incident[];
  /** Ids of incidents past their retention. */
  readonly forget: readonly string[];
  readonly enqueue: readonly Delivery[];
  /** Replaces an unsent delivery by id: newer content, or an earlier `notBefore`. */
  readonly replace: readonly Delivery[];
  /** Ids of deliveries that are not to be sent any more. */
  readonly drop: readonly string[];
  readonly audit: readonly Decision[];
};

/** What to fetch for a message that waits: the logs of one container. */
export type EvidenceRequest = {
  readonly incident: string;
  readonly pod: Ref;
  readonly container: string;
  readonly previous: boolean;
  readonly lines: number;
};

/** A Kubernetes Event to write on an object. */
export type EventRequest = {
  readonly about: Ref;
  readonly uid: string;
  readonly type: 'Normal' | 'Warning';
  readonly reason: 'IncidentOpened' | 'IncidentResolved';
  readonly message: string;
};

/** Counter increments by metric and label values, since the pure core has no metrics of its own. */
export type Counters = readonly {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly by: number;
}[];

/** What a turn asks the edges to do. */
export type Effects = {
  readonly save: Batch;
  readonly fetch: readonly EvidenceRequest[];
  readonly events: readonly EventRequest[];
  /** Custom resources whose status may have changed. */
  readonly statuses: readonly Ref[];
  readonly counters: Counters;
  /** Epoch milliseconds: run a turn then even if nothing arrives. */
  readonly wakeAt?: number;
};

/** Synchronous, awaits nothing, does no I/O: the same inputs and times give the same effects. */
export type Turn = (inputs: readonly Input[], now: number) => Effects;

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
