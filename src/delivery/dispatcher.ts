import { callAt } from '../model/clock.ts';
import {
  type Delivery,
  type DeliveryFailure,
  type DeliveryReport,
  type HandoverReason,
  laneOf,
  type Outcome,
} from '../model/delivery.ts';
import type { ProviderView } from '../model/provider-view.ts';
import type { Ref } from '../model/ref.ts';
import type { ProviderSettings } from '../model/settings.ts';
import { afterAttempt, type StoredDelivery } from '../model/store.ts';
import { emptyBatch } from '../model/turn.ts';
import { type Tried, tryDelivery } from './attempt.ts';
import { failureOf } from './classify.ts';
import { madeUpFor } from './dead-letters.ts';
import { Destination, Destinations } from './destination.ts';
import { copyFor, diversionOf, fallbackOf } from './fallback.ts';
import { heads } from './lanes.ts';
import { exposeOutbox, pendingOf } from './outbox.ts';
import { countReport, type End, logReport, reportOf } from './report.ts';
import { waitAfter } from './retry.ts';
import { scheduleOf } from './schedule.ts';
import { crowdedOut, crowdedOutFailure, TenantAttempts } from './tenants.ts';
import type { DispatchedType, DispatcherOptions } from './types.ts';

/** A missing Secret is looked for again after this; milliseconds. A change of it comes sooner (`providerChanged`). */
const secretRetryMs = 60_000;
const unknownView: ReturnType<Destination['view']> = { delivered: 0, failed: 0, failing: false, probing: false };

/**
 * Sends what the store holds: per (stream, provider) one delivery at a time and in order, providers independently of each
 * other. All waiting is one timer for the earliest instant at which something could begin.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #destinations: Destinations;
  readonly #tenants: TenantAttempts;
  /** Lanes with an attempt under way. */
  readonly #busy = new Set<string>();
  #paused: boolean;
  #stopped = false;
  #looking = false;
  #lookAgain = false;
  #kicksSoon = false;
  #cancelTimer = (): void => undefined;
  /** Resolves the stop that is under way. */
  #drained: (() => void) | undefined;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#paused = options.paused;
    this.#tenants = new TenantAttempts(options.namespace);
    this.#destinations = new Destinations(
      options.providers,
      (type) => new Destination(type, options.random, options.clock.now()),
    );
    exposeOutbox(options);
  }

  /** Looks at the outbox; to be called after each commit. */
  kick(): void {
    // A report may commit and kick again in the middle of a look.
    this.#lookAgain = true;
    if (this.#looking) return;
    this.#looking = true;
    try {
      while (this.#lookAgain && !this.#stopped && !this.#isHeldBack()) {
        this.#lookAgain = false;
        this.#look();
      }
    } finally {
      this.#looking = false;
    }
    if (this.#isHeldBack() && this.#busy.size === 0) this.#drained?.();
  }

  /** Begins no further attempt: the state lock is lost. */
  pause(): void {
    this.#paused = true;
    this.#cancelTimer();
  }

  resume(): void {
    this.#paused = false;
    this.kick();
  }

  /** A provider's spec or Secret changed: what waits for it is tried at once. */
  providerChanged(ref: Ref): void {
    const { store, clock, providers } = this.#options;
    const uid = providers().get(ref)?.uid;
    if (uid !== undefined) this.#destinations.get(uid)?.changed();
    const now = clock.now();
    for (const { delivery, inFlight } of store.outbox())
      if (delivery.providerUid === uid && !inFlight) store.postpone(delivery.id, Math.max(now, delivery.notBefore));
    this.kick();
  }

  /**
   * Sends what is due, without waiting for evidence or retries, and resolves when nothing runs any more or after
   * `deadlineMs`. Nothing is begun after that.
   */
  stop(deadlineMs: number): Promise<void> {
    return new Promise((resolve) => {
      const cancelDeadline = this.#options.clock.after(deadlineMs, () => this.#drained?.());
      this.#drained = () => {
        this.#stopped = true;
        cancelDeadline();
        this.#cancelTimer();
        resolve();
      };
      this.kick();
    });
  }

  view(ref: Ref): ProviderView {
    const uid = this.#options.providers().get(ref)?.uid ?? '';
    return { ...(this.#destinations.get(uid)?.view() ?? unknownView), ...pendingOf(this.#options.store, uid) };
  }

  #isHeldBack(): boolean {
    return this.#paused || !this.#options.holdsLock();
  }

  /** Looks at the head of every lane; begins what may begin and sets the timer for the rest. */
  #look(): void {
    const { store, clock } = this.#options;
    this.#cancelTimer();
    let earliest = Number.POSITIVE_INFINITY;
    let paced = false;
    for (const stored of heads(store.outbox())) {
      if (this.#busy.has(laneOf(stored.delivery))) continue;
      const wait = this.#advance(stored);
      earliest = Math.min(earliest, wait?.until ?? Number.POSITIVE_INFINITY);
      paced ||= wait?.paced === true;
    }
    this.#thinOut();
    for (const { delivery, attempts, mayHaveArrived } of store.takeDropped())
      this.#report(delivery, { ended: 'dropped', attempts, mayHaveArrived });
    if (this.#drained && this.#busy.size === 0 && !paced && !this.#lookAgain) this.#drained();
    else if (Number.isFinite(earliest)) this.#cancelTimer = callAt(clock, earliest, () => this.kick());
  }

  /** Ends what tenants have no room for. Their fallbacks are in the same namespace and would have none either. */
  #thinOut(): void {
    const { store, clock, namespace, log } = this.#options;
    for (const { tenant, deliveries } of crowdedOut(store.outbox(), namespace)) {
      const failure = crowdedOutFailure(tenant);
      log.warn({ namespace: tenant, deliveries: deliveries.length, ...failure }, 'deliveries failed');
      for (const { delivery, attempts, mayHaveArrived } of deliveries) {
        store.settle(delivery.id, { is: 'failed', at: clock.now(), failure });
        this.#report(delivery, { ended: 'failed', attempts, mayHaveArrived, failure });
      }
    }
  }

  /** Does what is to be done with the head of a lane; what it waits for, if it waits. */
  #advance(stored: StoredDelivery): { readonly until?: number; readonly paced?: boolean } | undefined {
    const now = this.#options.clock.now();
    const schedule = scheduleOf(stored, {
      options: this.#options,
      tenants: this.#tenants,
      destinationOf: (provider, type) => this.#destinations.of(provider, type),
      draining: this.#drained !== undefined,
      now,
    });
    if (schedule.is === 'wait') return schedule;
    if (schedule.is === 'start') {
      void this.#run(stored, schedule.provider, schedule.type);
      return undefined;
    }
    if (schedule.is === 'move') this.#move(stored, schedule.to, now);
    else this.#giveUp(stored, schedule.failure);
    this.#lookAgain = true;
    return undefined;
  }

  async #run(stored: StoredDelivery, provider: ProviderSettings, type: DispatchedType): Promise<void> {
    this.#follow(stored);
    const destination = this.#destinations.of(provider, type);
    const lane = laneOf(stored.delivery);
    this.#busy.add(lane);
    destination.attemptBegins();
    this.#tenants.begins(provider.namespace);
    const tried = await tryDelivery(stored, provider, type, this.#options);
    this.#busy.delete(lane);
    destination.attemptEnds();
    this.#tenants.ends(provider.namespace);
    if (tried.is === 'unopened') this.#waitForSecret(stored, tried, destination);
    if (tried.is === 'heldBack') this.#options.store.postpone(stored.delivery.id, this.#options.clock.now());
    if (tried.is === 'ended') this.#conclude(tried, provider, type, destination);
    this.#kickSoon();
  }

  /** Attempts that end together are followed by one look at the outbox. */
  #kickSoon(): void {
    if (this.#kicksSoon) return;
    this.#kicksSoon = true;
    setImmediate(() => {
      this.#kicksSoon = false;
      this.kick();
    });
  }

  #waitForSecret(
    { delivery, attempts, mayHaveArrived }: StoredDelivery,
    { code, message }: Extract<Tried, { is: 'unopened' }>,
    destination: Destination,
  ): void {
    const { store, clock } = this.#options;
    store.postpone(delivery.id, clock.now() + secretRetryMs);
    if (!destination.learnMissing(message)) return;
    const failure: DeliveryFailure = { class: 'retryable', code, message };
    this.#report(delivery, { ended: 'pending', attempts, mayHaveArrived, failure });
  }

  #conclude(
    { outcome, sent, durationMs }: Extract<Tried, { is: 'ended' }>,
    provider: ProviderSettings,
    type: DispatchedType,
    destination: Destination,
  ): void {
    const { store, clock, metrics, random } = this.#options;
    const { delivery } = sent;
    const at = clock.now();
    const labels = { provider: provider.ref, type: provider.type };
    metrics.add('tocsin_delivery_attempts_total', { ...labels, outcome: outcome.is });
    metrics.observe('tocsin_delivery_duration_seconds', labels, durationMs / 1000);
    destination.learn(outcome, at);
    const failure = failureOf(outcome);
    const tried = afterAttempt(sent, outcome);
    const { attempts, mayHaveArrived } = tried;
    if (!failure) {
      store.settle(delivery.id, { is: 'delivered', outcome, at });
      this.#makeUpFor(delivery);
      this.#holdLane(delivery, at + (type.settlesAfterMs ?? 0));
      this.#report(delivery, { ended: 'delivered', attempts, mayHaveArrived, durationMs });
      return;
    }
    const hasFallback = fallbackOf(delivery, this.#options) !== undefined;
    const waitMs = waitAfter(outcome, {
      failures: attempts,
      retry: provider.retry,
      hasFallback,
      random: random(),
    });
    if (waitMs === undefined) {
      this.#giveUp(tried, failure, outcome, durationMs);
      return;
    }
    store.settle(delivery.id, { is: 'retry', outcome, at, nextAttemptAt: at + waitMs });
    this.#report(delivery, { ended: 'pending', attempts, mayHaveArrived, failure, durationMs });
  }

  /** Ends a delivery as failed; its fallback gets it in the same transaction. Without `outcome`: without an attempt. */
  #giveUp(stored: StoredDelivery, failure: DeliveryFailure, outcome?: Outcome, durationMs = 0): void {
    const { store, clock } = this.#options;
    const { delivery, attempts, mayHaveArrived } = stored;
    const to = fallbackOf(delivery, this.#options);
    const copy = to && this.#copy(to, stored, { is: 'failed', code: failure.code, message: failure.message });
    store.settle(delivery.id, {
      is: 'failed',
      at: clock.now(),
      failure,
      ...(outcome && { outcome }),
      ...(copy && { copy }),
    });
    const fallback = to === undefined ? {} : { fallback: to.ref };
    this.#report(delivery, { ended: 'failed', attempts, mayHaveArrived, failure, durationMs, ...fallback });
  }

  /** A later act of what only the fallback was told goes there alone. */
  #move(stored: StoredDelivery, to: ProviderSettings, at: number): void {
    const { delivery, attempts, mayHaveArrived } = stored;
    this.#options.store.settle(delivery.id, {
      is: 'moved',
      at,
      copy: this.#copy(to, stored, { is: 'openingWentThere' }),
    });
    this.#report(delivery, { ended: 'dropped', attempts, mayHaveArrived, fallback: to.ref });
  }

  /** A later act of what both may know of goes to the fallback as well. */
  #follow(stored: StoredDelivery): void {
    const diversion = diversionOf(stored.delivery, this.#options);
    if (!diversion?.both) return;
    const copy = this.#copy(diversion.to, stored, { is: 'openingWentThere' });
    this.#options.store.commit({ ...emptyBatch, enqueue: [copy] });
    this.#lookAgain = true;
  }

  #copy(to: ProviderSettings, stored: StoredDelivery, reason: HandoverReason): Delivery {
    const { handedOver, clock } = this.#options;
    return copyFor(to, stored, reason, { handedOver, now: clock.now() });
  }

  /** What failed before it in its lane is told now: nobody needs to send it again. */
  #makeUpFor(delivery: Delivery): void {
    const { store } = this.#options;
    const forgetFailed = madeUpFor(delivery, store.deadLetters());
    if (forgetFailed.length > 0) store.commit({ ...emptyBatch, forgetFailed });
  }

  /** Keeps what waits behind a delivery back until then (epoch milliseconds). */
  #holdLane(ahead: Delivery, until: number): void {
    const { store, clock } = this.#options;
    if (until <= clock.now()) return;
    for (const { delivery, nextAttemptAt } of store.outbox())
      if (laneOf(delivery) === laneOf(ahead)) store.postpone(delivery.id, Math.max(nextAttemptAt, until));
  }

  /** Tells everybody how an attempt or a delivery ended. */
  #report(delivery: Delivery, end: End): void {
    const { clock, providers, log, metrics } = this.#options;
    const report: DeliveryReport = reportOf(delivery, end, clock.now());
    this.#destinations.get(delivery.providerUid)?.record(report);
    countReport(report, providers().get(delivery.provider)?.type ?? '', metrics);
    logReport(report, log);
    this.#options.report(report);
  }
}
