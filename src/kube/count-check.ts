import type { Clock } from '../model/clock.ts';
import { WatchFailure } from './failure.ts';

/** From one count to the next: this, and up to as much again (ms). */
const everyMs = 300_000;
/** A count that differs is made again after so long (ms), and believed the second time. */
const againMs = 30_000;
const enough = 2;
/** What happened before the count was made may reach us so long after its answer (ms). */
const lagMs = 5_000;

/** What counting needs. */
export type CountCheckOptions = {
  readonly clock: Clock;
  readonly random: () => number;
  /** How many objects the server has; `undefined` where it does not say. May reject. */
  readonly count: (signal: AbortSignal) => Promise<number | undefined>;
  /** How many there are by what we were told. */
  readonly known: () => number;
};

/** One count under way, and what was known during it: where things come and go, both numbers move. */
type Round = { least: number; most: number; readonly controller: AbortController };

/**
 * Compares now and then how many objects the server has with how many its watch has told of. A watch that brings bookmarks and
 * keeps events back looks well, and nothing else would ever list what it kept from us.
 */
export class CountCheck {
  readonly #options: CountCheckOptions;
  /** Monotonic: when to count next. */
  #dueAt: number;
  /** Counts in a row that differ. */
  #differing = 0;
  #round: Round | undefined;
  #cancel = (): void => undefined;
  #endWatch: (failure: WatchFailure) => void = () => undefined;

  constructor(options: CountCheckOptions) {
    this.#options = options;
    this.#dueAt = this.#next();
  }

  /** There is a watch; `endWatch` ends it once the server has other objects than it told. */
  begin(endWatch: (failure: WatchFailure) => void): void {
    this.end();
    this.#endWatch = endWatch;
    this.#wait();
  }

  /** The watch has told something. */
  heard(): void {
    if (this.#round === undefined) return;
    const known = this.#options.known();
    this.#round.least = Math.min(this.#round.least, known);
    this.#round.most = Math.max(this.#round.most, known);
  }

  /** Everything has been listed: what differed does not any more. */
  listed(): void {
    this.#differing = 0;
    this.#dueAt = this.#next();
  }

  /** The watch is over. A count that is under way is made again in the next. */
  end(): void {
    this.#cancel();
    this.#round?.controller.abort();
    this.#round = undefined;
  }

  #next(): number {
    const { clock, random } = this.#options;
    return clock.monotonic() + everyMs * (1 + random());
  }

  #wait(): void {
    const { clock } = this.#options;
    this.#cancel = clock.after(Math.max(0, this.#dueAt - clock.monotonic()), () => void this.#count());
  }

  async #count(): Promise<void> {
    const { clock, count, known } = this.#options;
    const round: Round = { least: known(), most: known(), controller: new AbortController() };
    this.#round = round;
    const counted = await count(round.controller.signal).catch(() => undefined);
    if (this.#round !== round) return;
    // Who does not answer or does not count is asked again at the usual time.
    if (counted === undefined) this.#judge(undefined);
    else this.#cancel = clock.after(lagMs, () => this.#judge(counted));
  }

  #judge(counted: number | undefined): void {
    const { clock } = this.#options;
    const { least, most } = this.#round ?? { least: 0, most: 0 };
    this.#round = undefined;
    const differs = counted !== undefined && (counted < least || counted > most);
    this.#differing = differs ? this.#differing + 1 : 0;
    this.#dueAt = differs ? clock.monotonic() + againMs : this.#next();
    if (this.#differing < enough) {
      this.#wait();
      return;
    }
    this.#differing = 0;
    this.#endWatch(new WatchFailure('countDiffers', `the server has ${counted} objects, its watch told of ${most}`));
  }
}
