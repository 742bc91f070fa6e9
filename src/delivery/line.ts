import type { ProviderSettings } from '../model/settings.ts';
import type { StoredDelivery } from '../model/store.ts';
import type { Destination } from './destination.ts';
import { Ranking } from './ranking.ts';
import { Turns, type Waiting } from './turns.ts';
import type { DispatchedType } from './types.ts';

/** The head of a lane in a line. Times are epoch milliseconds. */
export type Standing = {
  readonly stored: StoredDelivery;
  /** What decides when it has its turn. */
  readonly waiting: Waiting;
  /** Its own next attempt: not before. */
  readonly dueAt: number;
  readonly expiresAt: number;
  /** A fallback is to be told when it waits for too long. */
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
  /** Lanes whose instant has come. */
  readonly #ready = new Turns();
  /** The other lanes, by their instant. */
  readonly #later = new Ranking<string>();
  readonly #expiring = new Ranking<string>();
  /** Those that a fallback is to be told when they wait for too long, by their creation. */
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
    for (const order of [this.#ready, this.#later, this.#expiring, this.#patient]) order.delete(lane);
  }

  /** It has its turn: its namespace has had one more. */
  start(lane: string): void {
    this.#ready.start(lane);
  }

  /** A fallback is told what waits there. */
  isOverdue(lane: string): void {
    this.#patient.delete(lane);
  }

  /** Of those whose instant has come the one whose turn it is. */
  ready(now: number): Standing | undefined {
    for (let next = this.#later.first(); next && next.rank <= now; next = this.#later.first()) {
      this.#later.delete(next.key);
      const standing = this.#standing.get(next.key);
      if (standing) this.#ready.add(next.key, standing.waiting);
    }
    const first = this.#ready.first();
    return first === undefined ? undefined : this.#standing.get(first);
  }

  /** The instant at which the next one becomes ready. */
  get nextDueAt(): number | undefined {
    return this.#later.first()?.rank;
  }

  /** The one that becomes too old first. */
  get firstToExpire(): Standing | undefined {
    return this.#firstOf(this.#expiring);
  }

  /** Of those whose delay nobody knows of yet the one that was made first. */
  get firstOverdue(): Standing | undefined {
    return this.#firstOf(this.#patient);
  }

  #firstOf(ranking: Ranking<string>): Standing | undefined {
    const first = ranking.first();
    return first && this.#standing.get(first.key);
  }
}
