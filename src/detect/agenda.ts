/** When a judge first said something, by what it said. */
export type FirstSaid = ReadonlyMap<string, number>;

/**
 * What one look at an object brings: when to look again, the earliest instant that was asked for and is still to come, and since
 * when what is said has been said.
 */
export class Agenda {
  readonly now: number;
  readonly #before: FirstSaid | undefined;
  next = Number.POSITIVE_INFINITY;
  said: Map<string, number> | undefined;

  constructor(now: number, before: FirstSaid | undefined) {
    this.now = now;
    this.#before = before;
  }

  /** Since when this has been said at every look. `known`: since when at least. */
  saidSince(what: string, known: number | undefined): number {
    const since = this.#before?.get(what) ?? known ?? this.now;
    this.said = (this.said ?? new Map<string, number>()).set(what, since);
    return since;
  }

  /** What a detector said before stands, unheard. */
  keep(id: string): void {
    for (const [what, since] of this.#before ?? []) if (what.startsWith(`${id} `)) this.saidSince(what, since);
  }

  add(time: number): void {
    if (time > this.now && time < this.next) this.next = time;
  }
}
