import { type DeliveryFailure, laneOf } from '../model/delivery.ts';
import type { ProviderSettings } from '../model/settings.ts';
import type { StoredDelivery } from '../model/store.ts';
import type { Destination } from './destination.ts';
import { Line, type LineOwner } from './line.ts';
import { Ranking } from './ranking.ts';
import { expiry, filingOf, gateOf } from './schedule.ts';
import type { TenantAttempts } from './tenants.ts';
import { urgencyOf } from './turns.ts';
import type { DispatchedType, DispatcherOptions } from './types.ts';

/** What is to be done with the head of a lane now. */
export type Step =
  | { readonly do: 'start'; readonly stored: StoredDelivery; readonly owner: LineOwner }
  /** It fails without a further attempt. */
  | { readonly do: 'end'; readonly stored: StoredDelivery; readonly failure: DeliveryFailure }
  /** It is over, and nobody is to be told. */
  | { readonly do: 'omit'; readonly stored: StoredDelivery }
  /** It has waited for so long that a fallback is to be told; it goes on waiting. */
  | { readonly do: 'overdue'; readonly stored: StoredDelivery; readonly failure: DeliveryFailure };

/** What lines work with. */
export type LinesOptions = Pick<DispatcherOptions, 'store' | 'providers' | 'types'> & {
  readonly destinationOf: (provider: ProviderSettings, type: DispatchedType) => Destination;
  readonly tenants: Pick<TenantAttempts, 'hasRoom'>;
};

/**
 * All that waits, in one line for each destination. A lane is looked at when something in it has changed, when it may go or when it is
 * too late for it, and all of them when the settings have changed. So a look costs as much as there are destinations that something
 * waits for, and what can go; not what waits.
 */
export class Lines {
  readonly #options: LinesOptions;
  /** By the UID of the provider; none is empty. */
  readonly #lines = new Map<string, Line>();
  /** Lane → the line in which its head stands. */
  readonly #lineOf = new Map<string, Line>();
  /** Lanes that must be looked at. */
  readonly #unfiled = new Set<string>();
  /** Lanes with an attempt under way. */
  readonly #busy = new Set<string>();
  #providers: ReturnType<DispatcherOptions['providers']> | undefined;
  #draining = false;

  constructor(options: LinesOptions) {
    this.#options = options;
  }

  /** Whether no attempt is under way. */
  get isIdle(): boolean {
    return this.#busy.size === 0;
  }

  /** What waits in a lane stands in no line while an attempt is under way. */
  attemptBegins(lane: string): void {
    this.#busy.add(lane);
  }

  attemptEnds(lane: string): void {
    this.#busy.delete(lane);
    this.#unfiled.add(lane);
  }

  /** The process is stopping: from now on evidence is not waited for. */
  drain(): void {
    this.#draining = true;
    this.#fileAnew();
  }

  /**
   * What can be done now. Each step is to be carried out before the next is asked for; what that changes in the outbox is seen by the next
   * call.
   */
  *steps(now: number): Generator<Step> {
    yield* this.#file();
    for (const line of this.#lines.values()) yield* this.#expired(line, now);
    yield* this.#starts(now);
    for (const line of this.#lines.values()) yield* this.#overdue(line, now);
  }

  /**
   * What the rest waits for, after the steps. `until`: the earliest instant at which something could be done, which may be infinite. `paced`: something
   * is held back for a moment only, by the pace of its product.
   */
  wait(now: number): { readonly until: number; readonly paced: boolean } {
    let until = Number.POSITIVE_INFINITY;
    let paced = false;
    for (const line of this.#lines.values()) {
      const { destination, type } = line.owner;
      const gate = gateOf(line.owner, this.#options.tenants, now);
      const isReady = line.ready(now) !== undefined;
      until = Math.min(until, line.firstToExpire?.expiresAt ?? until, line.nextDueAt ?? until);
      if (gate.is === 'closed' && isReady) {
        until = Math.min(until, gate.until ?? until);
        paced ||= gate.paced === true;
      }
      const first = line.firstOverdue;
      if (gate.is === 'closed' && gate.overdueAt && first)
        until = Math.min(until, gate.overdueAt(first.stored.delivery.createdAt));
      // A process that stops still waits for what the product needs a moment to make.
      const dueInMs = (line.nextDueAt ?? Number.POSITIVE_INFINITY) - now;
      paced ||= this.#draining && destination.quietUntil <= now && dueInMs <= (type.settlesAfterMs ?? 0);
    }
    return { until, paced };
  }

  *#file(): Generator<Step> {
    const { store, providers } = this.#options;
    if (providers() !== this.#providers) this.#fileAnew();
    this.#providers = providers();
    for (const lane of store.waiting.takeChangedLanes()) this.#unfiled.add(lane);
    for (const lane of this.#unfiled) {
      this.#unfiled.delete(lane);
      this.#takeOut(lane);
      // The end of the attempt brings it back.
      const head = this.#busy.has(lane) ? undefined : store.waiting.head(lane);
      if (!head) continue;
      const { stored, place } = head;
      const filing = filingOf(stored, this.#options, this.#draining);
      if (filing.is === 'end') yield { do: 'end', stored, failure: filing.failure };
      else if (filing.is === 'omit') yield { do: 'omit', stored };
      else {
        const waiting = { ...urgencyOf(stored.delivery, store.waiting.lane(lane)), place };
        this.#lineFor(lane, filing.provider, filing.type).put(lane, { ...filing.times, stored, waiting });
      }
    }
  }

  *#expired(line: Line, now: number): Generator<Step> {
    for (let first = line.firstToExpire; first && first.expiresAt <= now; first = line.firstToExpire) {
      const { stored } = first;
      this.#takeOut(laneOf(stored.delivery));
      yield { do: 'end', stored, failure: expiry(stored, line.owner.destination) };
    }
  }

  /** Of all lines that may go now always the one whose turn has waited longest: nobody is served before others all the time. */
  *#starts(now: number): Generator<Step> {
    const order = new Ranking<Line>();
    for (const line of this.#lines.values()) {
      const first = line.ready(now);
      if (first) order.set(line, first.waiting.place);
    }
    for (let next = order.first(); next; next = order.first()) {
      const line = next.key;
      const first = line.ready(now);
      order.delete(line);
      if (!first || gateOf(line.owner, this.#options.tenants, now).is === 'closed') continue;
      line.owner.destination.bucket.take(now);
      line.start(laneOf(first.stored.delivery));
      this.#takeOut(laneOf(first.stored.delivery));
      yield { do: 'start', stored: first.stored, owner: line.owner };
      const following = line.ready(now);
      if (following) order.set(line, following.waiting.place);
    }
  }

  *#overdue(line: Line, now: number): Generator<Step> {
    const gate = gateOf(line.owner, this.#options.tenants, now);
    const { lastFailure } = line.owner.destination;
    if (gate.is === 'open' || !gate.overdueAt || !lastFailure) return;
    const { class: failureClass, code, message } = lastFailure;
    for (let first = line.firstOverdue; first; first = line.firstOverdue) {
      const { stored } = first;
      if (gate.overdueAt(stored.delivery.createdAt) > now) return;
      line.isOverdue(laneOf(stored.delivery));
      yield { do: 'overdue', stored, failure: { class: failureClass, code, message } };
    }
  }

  #lineFor(lane: string, provider: ProviderSettings, type: DispatchedType): Line {
    const known = this.#lines.get(provider.uid);
    const line = known ?? new Line({ provider, type, destination: this.#options.destinationOf(provider, type) });
    this.#lines.set(provider.uid, line);
    this.#lineOf.set(lane, line);
    return line;
  }

  #takeOut(lane: string): void {
    const line = this.#lineOf.get(lane);
    if (!line) return;
    this.#lineOf.delete(lane);
    line.delete(lane);
    if (line.isEmpty) this.#lines.delete(line.owner.provider.uid);
  }

  #fileAnew(): void {
    for (const lane of this.#lineOf.keys()) this.#unfiled.add(lane);
    this.#lineOf.clear();
    this.#lines.clear();
  }
}
