import { callAt } from '../model/clock.ts';
import { laneOf } from '../model/delivery.ts';
import type { ProviderQueue } from '../model/provider-view.ts';
import type { Ref } from '../model/ref.ts';
import type { StoredDelivery } from '../model/store.ts';
import { tryDelivery } from './attempt.ts';
import { Destination, Destinations } from './destination.ts';
import { Endings } from './endings.ts';
import type { LineOwner } from './line.ts';
import { Lines, type Step } from './lines.ts';
import { exposeOutbox } from './outbox.ts';
import { TenantAttempts } from './tenants.ts';
import type { DispatcherOptions } from './types.ts';

/**
 * Sends what the store holds: per (alert key, provider) one delivery at a time and in order, providers independently of each
 * other. All waiting is one timer for the earliest instant at which something could begin.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #destinations: Destinations;
  readonly #tenants: TenantAttempts;
  readonly #endings: Endings;
  readonly #lines: Lines;
  #paused: boolean;
  #stopped = false;
  #looking = false;
  #lookAgain = false;
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
    this.#endings = new Endings(options, this.#destinations);
    this.#lines = new Lines({
      ...options,
      tenants: this.#tenants,
      destinationOf: (provider, type) => this.#destinations.of(provider, type),
    });
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
    if (this.#isHeldBack() && this.#lines.isIdle) this.#drained?.();
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
    for (const { delivery, nextAttemptAt, inFlight } of uid === undefined ? [] : store.waiting.ofProvider(uid)) {
      const at = Math.max(now, delivery.notBefore);
      if (!inFlight && nextAttemptAt > at) store.postpone(delivery.id, at);
    }
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
      this.#lines.drain();
      this.kick();
    });
  }

  /** What is under way for a provider. What became of the rest is in the reports. */
  queue(ref: Ref): ProviderQueue {
    const uid = this.#options.providers().get(ref)?.uid ?? '';
    const probing = this.#destinations.get(uid)?.circuit.probeAt !== undefined;
    return { probing, ...this.#options.store.waiting.pendingOf(uid) };
  }

  #isHeldBack(): boolean {
    return this.#paused || !this.#options.holdsLock();
  }

  /** Does what can be done now, and sets the timer for the rest. */
  #look(): void {
    const { store, clock } = this.#options;
    this.#cancelTimer();
    const now = clock.now();
    // Whoever is told of an end has heard before what it made needless.
    for (const stored of store.takeDropped()) this.#endings.dropped(stored);
    for (const step of this.#lines.steps(now)) this.#take(step);
    this.#endings.thinOut();
    for (const stored of store.takeDropped()) this.#endings.dropped(stored);
    const { until, paced } = this.#lines.wait(now);
    if (this.#drained && this.#lines.isIdle && !paced && !this.#lookAgain) this.#drained();
    else if (Number.isFinite(until)) this.#cancelTimer = callAt(clock, until, () => this.kick());
  }

  #take(step: Step): void {
    if (step.do === 'start') {
      void this.#run(step.stored, step.owner);
      return;
    }
    if (step.do === 'omit') this.#endings.omit(step.stored);
    else if (step.do === 'overdue') this.#endings.overdue(step.stored, step.failure);
    else this.#endings.giveUp(step.stored, step.failure);
    this.#lookAgain = true;
  }

  async #run(stored: StoredDelivery, { provider, type, destination }: LineOwner): Promise<void> {
    const lane = laneOf(stored.delivery);
    this.#lines.attemptBegins(lane);
    destination.attemptBegins();
    this.#tenants.begins(provider.namespace);
    const mayBegin = (): boolean => !this.#stopped && !this.#isHeldBack();
    const tried = await tryDelivery(stored, provider, type, this.#options, mayBegin);
    this.#lines.attemptEnds(lane);
    destination.attemptEnds();
    this.#tenants.ends(provider.namespace);
    if (tried.is === 'unopened') this.#endings.waitForSecret(stored, tried, destination);
    if (tried.is === 'heldBack') this.#options.store.postpone(stored.delivery.id, this.#options.clock.now());
    if (tried.is === 'ended') this.#endings.conclude(tried, provider, type, destination);
    // At once: the turn that hears of the end comes later, and what waits behind it need not wait for that.
    this.kick();
  }
}
