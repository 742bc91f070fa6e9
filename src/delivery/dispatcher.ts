import { callAt } from '../model/clock.ts';
import { laneOf } from '../model/delivery.ts';
import type { ProviderQueue } from '../model/provider-view.ts';
import type { Ref } from '../model/ref.ts';
import type { ProviderSettings } from '../model/settings.ts';
import type { StoredDelivery } from '../model/store.ts';
import { tryDelivery } from './attempt.ts';
import { Destination, Destinations } from './destination.ts';
import { Endings } from './endings.ts';
import { heads } from './lanes.ts';
import { exposeOutbox, pendingOf } from './outbox.ts';
import { scheduleOf } from './schedule.ts';
import { TenantAttempts } from './tenants.ts';
import type { DispatchedType, DispatcherOptions } from './types.ts';

/**
 * Sends what the store holds: per (stream, provider) one delivery at a time and in order, providers independently of each
 * other. All waiting is one timer for the earliest instant at which something could begin.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #destinations: Destinations;
  readonly #tenants: TenantAttempts;
  readonly #endings: Endings;
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
    this.#endings = new Endings(options, this.#destinations);
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

  /** What is under way for a provider. What became of the rest is in the reports. */
  queue(ref: Ref): ProviderQueue {
    const uid = this.#options.providers().get(ref)?.uid ?? '';
    const probing = this.#destinations.get(uid)?.circuit.probeAt !== undefined;
    return { probing, ...pendingOf(this.#options.store, uid) };
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
    this.#endings.thinOut();
    for (const stored of store.takeDropped()) this.#endings.dropped(stored);
    if (this.#drained && this.#busy.size === 0 && !paced && !this.#lookAgain) this.#drained();
    else if (Number.isFinite(earliest)) this.#cancelTimer = callAt(clock, earliest, () => this.kick());
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
    if (schedule.is === 'move') this.#endings.move(stored, schedule.to, now);
    else this.#endings.giveUp(stored, schedule.failure);
    this.#lookAgain = true;
    return undefined;
  }

  async #run(stored: StoredDelivery, provider: ProviderSettings, type: DispatchedType): Promise<void> {
    if (this.#endings.follow(stored)) this.#lookAgain = true;
    const destination = this.#destinations.of(provider, type);
    const lane = laneOf(stored.delivery);
    this.#busy.add(lane);
    destination.attemptBegins();
    this.#tenants.begins(provider.namespace);
    const mayBegin = (): boolean => !this.#stopped && !this.#isHeldBack();
    const tried = await tryDelivery(stored, provider, type, this.#options, mayBegin);
    this.#busy.delete(lane);
    destination.attemptEnds();
    this.#tenants.ends(provider.namespace);
    if (tried.is === 'unopened') this.#endings.waitForSecret(stored, tried, destination);
    if (tried.is === 'heldBack') this.#options.store.postpone(stored.delivery.id, this.#options.clock.now());
    if (tried.is === 'ended') this.#endings.conclude(tried, provider, type, destination);
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
}
