import { callAt } from '../model/clock.ts';
import { type Delivery, type DeliveryReport, hasPerhapsArrived, type Outcome } from '../model/delivery.ts';
import type { Ref } from '../model/ref.ts';
import type { ProviderSettings } from '../model/settings.ts';
import type { StoredDelivery } from '../model/store.ts';
import type { Batch } from '../model/turn.ts';
import { type Tried, tryDelivery } from './attempt.ts';
import { type Failure, failureOf } from './classify.ts';
import { createDestination, type Destination } from './destination.ts';
import { fallbackOf, untoldBy, viaFallback } from './fallback.ts';
import { judge, type Verdict } from './judge.ts';
import { heads, laneOf } from './lanes.ts';
import { exposeOutbox, pendingOf } from './outbox.ts';
import { askedWaitMs, nextWaitMs } from './retry.ts';
import type { DispatchedType, Dispatcher, DispatcherOptions } from './types.ts';

/** A missing Secret is looked for again after this; milliseconds. A change of it comes sooner (`providerChanged`). */
const secretRetryMs = 60_000;
const emptyBatch: Batch = { incidents: [], forget: [], enqueue: [], replace: [], drop: [], audit: [] };

/** Whether later acts go where this one went. The summary of a start may be an alert, whose end comes as an act of its own. */
const begins = ({ act }: Delivery): boolean => act === 'open' || act === 'reopen' || act === 'startup';

/**
 * Sends what the store holds: per (stream, provider) one delivery at a time and in order, providers independently of each
 * other. All waiting is one timer for the earliest instant at which something could begin.
 */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { store, clock, log, metrics } = options;
  const destinations = new Map<Ref, Destination>();
  /** Lanes with an attempt under way, by stream and provider. */
  const busy = new Set<string>();
  let paused = options.paused;
  let draining = false;
  let stopped = false;
  let looking = false;
  let lookAgain = false;
  let cancelTimer: (() => void) | undefined;
  let drained: (() => void) | undefined;

  function destinationOf({ ref, uid }: ProviderSettings, type: DispatchedType): Destination {
    const known = destinations.get(ref);
    if (known?.uid === uid) return known;
    const made = createDestination(uid, type.pacing, options.random, clock.now());
    destinations.set(ref, made);
    return made;
  }

  /** Tells everybody how an attempt or a delivery ended. */
  function tell(
    delivery: Delivery,
    end: Pick<DeliveryReport, 'ended' | 'attempts' | 'mayHaveArrived' | 'failure'> & { readonly durationMs?: number },
    fallback?: Ref,
  ): void {
    const { id, stream, provider, providerUid, act } = delivery;
    const took = fallback === undefined ? {} : { fallback };
    const untold = fallback === undefined ? untoldBy(delivery, end) : [];
    const about = { delivery: id, stream, provider, providerUid, act };
    const report = { ...about, at: clock.now(), durationMs: 0, ...took, untold, ...end };
    destinations.get(provider)?.record(report, fallback);
    const type = options.providers().get(provider)?.type ?? '';
    if (end.ended === 'failed' && end.failure)
      metrics.add('tocsin_delivery_failed_total', { provider, type, reason: end.failure.code });
    const fields = { provider, stream, act, attempts: end.attempts, ...(fallback && { fallback }), ...end.failure };
    if (end.ended === 'failed') log.warn(fields, 'delivery failed');
    else log.debug({ ...fields, ended: end.ended }, 'delivery');
    options.report(report);
  }

  /** Ends a delivery as failed; its fallback gets it, in the outbox before it leaves this one's. */
  function giveUp(stored: StoredDelivery, failure: Failure, leave: () => void, durationMs = 0): void {
    const { delivery, mayHaveArrived } = stored;
    const to = fallbackOf(delivery, options.providers(), options.types);
    if (to) {
      const because = `failed (${failure.code}: ${failure.message})`;
      store.commit({ ...emptyBatch, enqueue: [viaFallback(stored, to, because, clock.now())] });
      if (begins(delivery)) store.divert(delivery.stream, delivery.provider, { to: to.ref, both: mayHaveArrived });
    }
    leave();
    tell(delivery, { ended: 'failed', attempts: stored.attempts, mayHaveArrived, failure, durationMs }, to?.ref);
  }

  /** Ends without an attempt: deleted, too old, not taken. */
  function endUntried(stored: StoredDelivery, failure: Failure): void {
    giveUp(stored, failure, () => store.end(stored.delivery.id, failure.message, clock.now()));
  }

  function verdictOn(stored: StoredDelivery): Verdict | { readonly is: 'moved' } {
    if (diverted(stored)) return { is: 'moved' };
    return judge(stored, clock.now(), { options, destinationOf, draining });
  }

  /** Sends a later act where the opening went. True when nothing is left to do at the provider itself. */
  function diverted(stored: StoredDelivery): boolean {
    const { delivery } = stored;
    const diversion = store.diversion(delivery.stream, delivery.provider);
    const to = diversion && options.providers().get(diversion.to);
    if (!diversion || !to || (delivery.act !== 'update' && delivery.act !== 'resolve')) return false;
    const copy = viaFallback(stored, to, 'could not be told of the opening', clock.now());
    store.commit({ ...emptyBatch, enqueue: [copy], drop: diversion.both ? [] : [delivery.id] });
    return !diversion.both;
  }

  /** Looks at the head of every lane; begins what may begin and sets the timer for the rest. */
  function look(): void {
    // A report may commit and kick again in the middle of a look.
    lookAgain = true;
    if (looking) return;
    looking = true;
    try {
      while (lookAgain && !stopped && !paused) {
        lookAgain = false;
        lookOnce();
      }
    } finally {
      looking = false;
    }
    if (draining && paused && busy.size === 0) drained?.();
  }

  function lookOnce(): void {
    cancelTimer?.();
    cancelTimer = undefined;
    let earliest = Number.POSITIVE_INFINITY;
    let paced = false;
    for (const stored of heads(store.outbox())) {
      if (busy.has(laneOf(stored.delivery))) continue;
      const verdict = verdictOn(stored);
      if (verdict.is === 'start') void run(stored);
      else if (verdict.is === 'end') {
        endUntried(stored, verdict.failure);
        lookAgain = true;
      } else if (verdict.is === 'moved') lookAgain = true;
      else {
        earliest = Math.min(earliest, verdict.until ?? Number.POSITIVE_INFINITY);
        paced ||= verdict.paced === true;
      }
    }
    for (const { delivery, attempts, mayHaveArrived } of store.takeDropped())
      tell(delivery, { ended: 'dropped', attempts, mayHaveArrived });
    if (draining && busy.size === 0 && !paced && !lookAgain) drained?.();
    else if (Number.isFinite(earliest)) cancelTimer = callAt(clock, earliest, look);
  }

  async function run(stored: StoredDelivery): Promise<void> {
    const { delivery } = stored;
    const provider = options.providers().get(delivery.provider);
    const type = provider && options.types(provider.type);
    if (!provider || !type) return;
    const destination = destinationOf(provider, type);
    const lane = laneOf(delivery);
    busy.add(lane);
    destination.running += 1;
    const tried = await tryDelivery(stored, provider, type, options);
    busy.delete(lane);
    destination.running -= 1;
    conclude(stored, tried, provider, destination);
    look();
  }

  function conclude(stored: StoredDelivery, tried: Tried, provider: ProviderSettings, destination: Destination): void {
    const now = clock.now();
    if (tried.is === 'gone') return;
    if (tried.is === 'unopened') {
      const { code, message } = tried;
      store.postpone(stored.delivery.id, now + secretRetryMs);
      if (destination.missingSecret === message) return;
      destination.missingSecret = message;
      const { attempts, mayHaveArrived } = stored;
      tell(stored.delivery, {
        ended: 'pending',
        attempts,
        mayHaveArrived,
        failure: { class: 'retryable', code, message },
      });
      return;
    }
    destination.missingSecret = undefined;
    const { outcome, sent, durationMs } = tried;
    const { delivery } = sent;
    const labels = { provider: provider.ref, type: provider.type };
    metrics.add('tocsin_delivery_attempts_total', { ...labels, outcome: outcome.is });
    metrics.observe('tocsin_delivery_duration_seconds', labels, durationMs / 1000);
    const failure = failureOf(outcome);
    const attempts = sent.attempts + (outcome.is === 'rateLimited' ? 0 : 1);
    const mayHaveArrived = sent.mayHaveArrived || hasPerhapsArrived(outcome);
    if (!failure) {
      destination.circuit.succeeded();
      if (begins(delivery)) store.divert(delivery.stream, delivery.provider, undefined);
      store.settle(delivery.id, outcome, undefined, now);
      holdLane(delivery, now + (options.types(provider.type)?.settlesAfterMs ?? 0));
      tell(delivery, { ended: 'delivered', attempts, mayHaveArrived, durationMs });
      return;
    }
    if (outcome.is !== 'rateLimited') destination.circuit.failed(now);
    const asked = askedWaitMs(outcome);
    if (asked > 0) destination.quietUntil = Math.max(destination.quietUntil, now + asked);
    const wait = outcome.is === 'rateLimited' ? 0 : retryWaitMs(outcome, delivery, attempts, provider);
    if (wait === undefined) {
      const leave = (): void => store.settle(delivery.id, outcome, undefined, now);
      giveUp({ ...sent, attempts, mayHaveArrived }, failure, leave, durationMs);
      return;
    }
    store.settle(delivery.id, outcome, now + Math.max(wait, asked), now);
    tell(delivery, { ended: 'pending', attempts, mayHaveArrived, failure, durationMs });
  }

  /** Keeps what waits behind a delivery back until then (epoch milliseconds). */
  function holdLane(ahead: Delivery, until: number): void {
    const now = clock.now();
    for (const { delivery, nextAttemptAt } of until > now ? store.outbox() : [])
      if (laneOf(delivery) === laneOf(ahead)) store.postpone(delivery.id, Math.max(nextAttemptAt, until));
  }

  /** Milliseconds until the next attempt after a failed one, `undefined` when there is none. */
  function retryWaitMs(
    outcome: Outcome,
    delivery: Delivery,
    failures: number,
    provider: ProviderSettings,
  ): number | undefined {
    if (outcome.is !== 'retryable') return undefined;
    const hasFallback = fallbackOf(delivery, options.providers(), options.types) !== undefined;
    return nextWaitMs({ failures, retry: provider.retry, hasFallback, random: options.random() });
  }

  exposeOutbox(options);

  return {
    kick: look,
    pause() {
      paused = true;
      cancelTimer?.();
    },
    resume() {
      paused = false;
      look();
    },
    providerChanged(ref) {
      const destination = destinations.get(ref);
      destination?.circuit.succeeded();
      if (destination) destination.quietUntil = 0;
      const now = clock.now();
      for (const { delivery, inFlight } of store.outbox())
        if (delivery.provider === ref && !inFlight) store.postpone(delivery.id, Math.max(now, delivery.notBefore));
      look();
    },
    stop(deadlineMs) {
      draining = true;
      return new Promise((resolve) => {
        const finish = (): void => {
          stopped = true;
          cancelDeadline();
          cancelTimer?.();
          resolve();
        };
        const cancelDeadline = clock.after(deadlineMs, finish);
        drained = finish;
        look();
      });
    },
    view: (ref) => ({
      ...(destinations.get(ref)?.view() ?? { delivered: 0, failed: 0, failing: false, probing: false }),
      ...pendingOf(store, ref),
    }),
  };
}
