import type { ProviderSettings } from '../model/settings.ts';
import type { StoredDelivery } from '../model/store.ts';
import type { Destination } from './destination.ts';
import { Ranking } from './ranking.ts';
import type { DispatchedType } from './types.ts';

/** The head of a lane in a line. Times are epoch milliseconds. */
export type Standing = {
  readonly stored: StoredDelivery;
  /** Order of creation. */
  readonly place: number;
  /** Its own next attempt: not before. */
  readonly dueAt: number;
  readonly expiresAt: number;
  /** Somebody else can tell it. */
  readonly hasFallback: boolean;
};

/** A provider as deliveries stand in line for it. */
export type LineOwner = {
  readonly provider: ProviderSettings;
  readonly type: DispatchedType;
  readonly destination: Destination;
};

/**
 * What waits for one destination: the heads of its lanes, by what may happen to them next. Looking costs what is found, however
 * many stand in it.
 */
export class Line {
  readonly owner: LineOwner;
  readonly #standing = new Map<string, Standing>();
  /** Lanes whose instant has come, by order of creation. */
  readonly #ready = new Ranking<string>();
  /** The other lanes, by their instant. */
  readonly #later = new Ranking<string>();
  readonly #expiring = new Ranking<string>();
  /** Those that a fallback can tell, by their creation. */
  readonly #patient = new Ranking<string>();

  /** An empty one. */
  constructor(owner: LineOwner) {
    this.owner = owner;
  }

  get isEmpty(): boolean {
    return this.#standing.size === 0;
  }

  put(lane: string, standing: Standing): void {
    this.#standing.set(lane, standing);
    this.#later.set(lane, standing.dueAt);
    this.#expiring.set(lane, standing.expiresAt);
    if (standing.hasFallback) this.#patient.set(lane, standing.stored.delivery.createdAt);
  }

  delete(lane: string): void {
    this.#standing.delete(lane);
    for (const ranking of [this.#ready, this.#later, this.#expiring, this.#patient]) ranking.delete(lane);
  }

  /** Of those whose instant has come the one that was made first. */
  ready(now: number): Standing | undefined {
    for (let next = this.#later.first(); next && next.rank <= now; next = this.#later.first()) {
      this.#later.delete(next.key);
      this.#ready.set(next.key, this.#standing.get(next.key)?.place ?? 0);
    }
    return this.#firstOf(this.#ready);
  }

  /** The instant at which the next one becomes ready. */
  get nextDueAt(): number | undefined {
    return this.#later.first()?.rank;
  }

  /** The one that becomes too old first. */
  get firstToExpire(): Standing | undefined {
    return this.#firstOf(this.#expiring);
  }

  /** Of those that a fallback can tell the one that was made first. */
  get firstToHandOver(): Standing | undefined {
    return this.#firstOf(this.#patient);
  }

  #firstOf(ranking: Ranking<string>): Standing | undefined {
    const first = ranking.first();
    return first && this.#standing.get(first.key);
  }
}
