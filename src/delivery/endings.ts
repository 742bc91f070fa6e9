import { type Delivery, type DeliveryFailure, type DeliveryReport, laneOf, type Outcome } from '../model/delivery.ts';
import type { ProviderSettings } from '../model/settings.ts';
import { afterAttempt, type StoredDelivery } from '../model/store.ts';
import { emptyBatch } from '../model/turn.ts';
import type { Tried } from './attempt.ts';
import { failureOf } from './classify.ts';
import { madeUpFor } from './dead-letters.ts';
import type { Destination, Destinations } from './destination.ts';
import { failures } from './failures.ts';
import { countReport, type End, logReport, reportOf } from './report.ts';
import { failuresUntilOverdue, waitAfter } from './retry.ts';
import { hasFallback } from './schedule.ts';
import { crowdedOut, tenantLimits } from './tenants.ts';
import type { DispatchedType, DispatcherOptions } from './types.ts';

/** A missing Secret is looked for again after this; milliseconds. A change of it comes sooner (`providerChanged`). */
const secretRetryMs = 60_000;

/** What follows from how an attempt or a delivery has ended: it is settled or tried again, and everybody is told. */
export class Endings {
  readonly #options: DispatcherOptions;
  readonly #destinations: Destinations;

  constructor(options: DispatcherOptions, destinations: Destinations) {
    this.#options = options;
    this.#destinations = destinations;
  }

  /** A delivery left the outbox unsent: something newer made it needless. */
  dropped({ delivery, attempts, mayHaveArrived }: StoredDelivery): void {
    this.#report(delivery, { ended: 'dropped', attempts, mayHaveArrived });
  }

  /** Its turn has come, and who it is for wants to hear of no end: nothing is sent, and nothing is owed. */
  omit(stored: StoredDelivery): void {
    this.#options.store.settle(stored.delivery.id, {
      is: 'delivered',
      outcome: { is: 'delivered' },
      at: this.#options.clock.now(),
    });
    this.dropped(stored);
  }

  /** Ends what tenants have no room for. */
  thinOut(): void {
    const { store, clock, namespace, log } = this.#options;
    for (const { tenant, deliveries } of crowdedOut(store.waiting, namespace)) {
      const failure = failures.namespaceLimit(tenant, tenantLimits.waiting);
      log.warn({ namespace: tenant, deliveries: deliveries.length, ...failure }, 'deliveries failed');
      for (const { delivery, attempts, mayHaveArrived } of deliveries) {
        store.settle(delivery.id, { is: 'failed', at: clock.now(), failure });
        this.#report(delivery, { ended: 'failed', attempts, mayHaveArrived, failure });
      }
    }
  }

  /** The Secrets could not be had: the delivery waits for them. Told once. */
  waitForSecret(
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

  /** An attempt has ended. */
  conclude(
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
      const { remark } = outcome.is === 'delivered' ? outcome : {};
      this.#report(delivery, { ended: 'delivered', attempts, mayHaveArrived, durationMs, ...(remark && { remark }) });
      return;
    }
    const waitMs = waitAfter(outcome, { failures: attempts, retry: provider.retry, random: random() });
    if (waitMs === undefined) {
      this.giveUp(tried, failure, outcome, durationMs);
      return;
    }
    store.settle(delivery.id, { is: 'retry', outcome, at, nextAttemptAt: at + waitMs });
    if (attempts >= failuresUntilOverdue && hasFallback(provider, delivery)) this.overdue(tried, failure, durationMs);
    else this.#report(delivery, { ended: 'pending', attempts, mayHaveArrived, failure, durationMs });
  }

  /** Ends a delivery as failed. Without `outcome`: without an attempt. */
  giveUp(stored: StoredDelivery, failure: DeliveryFailure, outcome?: Outcome, durationMs = 0): void {
    const { store, clock } = this.#options;
    const { delivery, attempts, mayHaveArrived } = stored;
    store.settle(delivery.id, { is: 'failed', at: clock.now(), failure, ...(outcome && { outcome }) });
    this.#report(delivery, { ended: 'failed', attempts, mayHaveArrived, failure, durationMs });
  }

  /** A delivery has waited for so long that a fallback is to be told, and so has what waits behind it; they go on waiting. */
  overdue({ delivery: head }: StoredDelivery, failure: DeliveryFailure, durationMs = 0): void {
    for (const { delivery, attempts, mayHaveArrived } of this.#options.store.waiting.lane(laneOf(head))) {
      const end: End = { ended: 'pending', attempts, mayHaveArrived, failure, overdue: true };
      this.#report(delivery, delivery.id === head.id ? { ...end, durationMs } : end);
    }
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
    for (const { delivery, nextAttemptAt } of store.waiting.lane(laneOf(ahead)))
      store.postpone(delivery.id, Math.max(nextAttemptAt, until));
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
