import type { Clock } from '../../../src/model/clock.ts';
import { type Plan, readersOf } from './plan.ts';
import type { Fact, Muting, Request, Roster, Transcript } from './transcript.ts';

/** What an arena writes down for the judge. */
export class Notes {
  readonly #clock: Clock;
  readonly #facts: Fact[] = [];
  readonly #rosters: Roster[] = [];
  readonly #kills: Transcript['kills'][number][] = [];
  /** What was muted under editions before this one. */
  #mutings: readonly Muting[] = [];
  /** Since when the edition has been this one. */
  #licensedAt = Number.NEGATIVE_INFINITY;
  #broken: readonly string[] = [];
  #settledAt = Number.NaN;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether it was written down how things were in the calm. */
  get isSettled(): boolean {
    return !Number.isNaN(this.#settledAt);
  }

  /** This is true of incidents from now on. */
  learned(facts: readonly Fact[]): void {
    this.#facts.push(...facts);
  }

  /** The custom resources are like this from now on. */
  configured(plan: Plan): void {
    this.#rosters.push({ at: this.#clock.now(), readers: readersOf(plan) });
  }

  /** The edition will be another one than in this plan, or this one anew. */
  licensed(plan: Plan): void {
    this.#mutings = this.#mutedUntilNow(plan);
    this.#licensedAt = this.#clock.now();
  }

  /** The process has died, and the next one knows these incidents. What it does not know is over: it goes on under another id. */
  restarted({ edition }: Plan, known: readonly Fact[]): void {
    const at = this.#clock.now();
    this.#kills.push({ at, forgets: edition !== 'Pro' });
    const ids = new Set(known.map(({ incident }) => incident));
    const lost = new Map(this.#facts.filter(({ incident }) => !ids.has(incident)).map((fact) => [fact.incident, fact]));
    for (const fact of lost.values())
      if (fact.state !== 'Resolved') this.#facts.push({ ...fact, at, state: 'Resolved' });
    this.#facts.push(...known);
  }

  /** All products have been well for long. */
  settled({ troubles }: Plan): void {
    this.#settledAt = this.#clock.now();
    this.#broken = troubles.map(({ name }) => `Pod/${name}`);
  }

  /** All of it. */
  transcript(plan: Plan, requests: readonly Request[]): Transcript {
    return {
      ...{ requests, facts: this.#facts, rosters: this.#rosters, mutings: this.#mutedUntilNow(plan) },
      ...{ kills: this.#kills, broken: this.#broken, settledAt: this.#settledAt, clearedAt: this.#clock.now() },
    };
  }

  /** On Community windows hold nothing back. */
  #mutedUntilNow({ edition, mutes }: Plan): readonly Muting[] {
    const holding = mutes.filter(({ kind }) => kind === 'Silence' || edition === 'Pro');
    const until = this.#clock.now();
    const since = holding.map(({ name, from, to }) => ({
      ...{ name, from: Math.max(from, this.#licensedAt), to: Math.min(to, until) },
    }));
    return [...this.#mutings, ...since.filter(({ from, to }) => from < to)];
  }
}
