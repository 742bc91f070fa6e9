import type { Finding } from '../model/finding.ts';

/** When a judge first said something, by what it said. */
type FirstSaid = Map<string, number>;

/** Kinds that were in sight. */
export type Kinds = ReadonlySet<string>;

/** What one look at an object leaves for the next. */
export type Left = {
  readonly said?: ReadonlyMap<string, number>;
  /** The exemption that held back a finding, and the kinds that were in sight then. */
  readonly heldBack?: ReadonlyMap<string, Kinds>;
  /** What was in sight when something was last found of it. */
  readonly foundBy?: Kinds;
};

/**
 * What one look at an object brings: when to look again, the earliest instant that was asked for and is still to come, since when
 * what is said has been said, and what only stands because it cannot be judged.
 */
export class Agenda {
  readonly now: number;
  /** What was found of it at the last look. */
  readonly known: readonly Finding[];
  readonly before: Left;
  /** The latest instant at which anything was judged: later than `now` once the clock was set back. */
  readonly latest: number;
  /** Since when what is said for the first time has been so (epoch milliseconds); as a rule since now. */
  readonly heldSince: number;
  next = Number.POSITIVE_INFINITY;
  /** What was found stands, and cannot be judged for want of sight. */
  stands = false;
  #said: FirstSaid | undefined;
  #heldBack: Map<string, Kinds> | undefined;

  constructor(now: number, known: readonly Finding[], before: Left, latest = now, heldSince = now) {
    this.now = now;
    this.heldSince = Math.min(heldSince, now);
    this.latest = Math.max(now, latest);
    this.known = known;
    this.before = before;
  }

  /** Since when this has been said at every look. `known`: since when at least. */
  saidSince(what: string, known: number | undefined): number {
    const since = this.before.said?.get(what) ?? known ?? this.heldSince;
    this.#said = (this.#said ?? new Map<string, number>()).set(what, since);
    return since;
  }

  /** What a detector said before stands, unheard. */
  keep(id: string): void {
    for (const [what, since] of this.before.said ?? []) if (what.startsWith(`${id} `)) this.saidSince(what, since);
  }

  /** Something holds a detector back that has something to say; `inSight`: by what is seen. */
  holdBack(what: string, inSight: Kinds): void {
    this.#heldBack = (this.#heldBack ?? new Map<string, Kinds>()).set(what, inSight);
  }

  /**
   * The instant by which something is judged. A clock that was set back has made nobody healthy: what was found of an object is judged by the latest
   * instant, so that its patience and its age do not begin again.
   */
  instantFor(before: readonly Finding[]): number {
    return before.length > 0 ? this.latest : this.now;
  }

  add(time: number): void {
    if (time > this.now && time < this.next) this.next = time;
  }

  /** What the next look is to know; `undefined`: nothing. `foundBy`: what was in sight when what is found now was found. */
  leaves(foundBy: Kinds | undefined): Left | undefined {
    if (!this.#said && !this.#heldBack && !foundBy) return undefined;
    return {
      ...(this.#said && { said: this.#said }),
      ...(this.#heldBack && { heldBack: this.#heldBack }),
      ...(foundBy && { foundBy }),
    };
  }
}
