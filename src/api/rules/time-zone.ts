import { BoundedMap } from '../../model/bounded-map.ts';

const secondMs = 1000;
const dayMs = 86_400_000;

/** `GMT+05:30`, `GMT`, and for times long ago `GMT-00:44:30`. */
const offsetPattern = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

/** Clocks by the names that people wrote: a formatter is large, and there are some 600 zones. */
const clocks = new BoundedMap<string, WallClock>(1_000);

/**
 * The clock of a time zone by its name in the IANA database, which the runtime brings along: `Europe/Berlin`, `UTC`. `undefined`
 * when there is none.
 */
export function wallClockOf(timeZone: string): WallClock | undefined {
  // The runtime takes offsets (`+02:00`) as well, but they are no names.
  if (/^[+-]/.test(timeZone)) return undefined;
  try {
    const clock = clocks.get(timeZone) ?? new WallClock(timeZone);
    clocks.set(timeZone, clock);
    return clock;
  } catch {
    return undefined;
  }
}

/** That a field names no time zone, and what to do: for lint, statuses and conditions alike. */
export function noTimeZone(path: string, timeZone: string): string {
  return `\`${path}\` is "${timeZone}", which is no IANA time zone: write one such as Europe/Berlin`;
}

/**
 * The clock on the wall of a time zone. A time on it is written as epoch milliseconds, as if the zone were UTC, so that it can
 * be calculated with.
 */
export class WallClock {
  readonly #format: Intl.DateTimeFormat;
  /** The offset at midnight in UTC, by day: to ask for one costs as much as everything else together. */
  readonly #ofDays = new BoundedMap<number, number>(2_000);
  /** When it changes, by day, on those on which it does. */
  readonly #changes = new BoundedMap<number, number>(100);

  /** Throws a `RangeError` when there is no such zone. */
  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  }

  /**
   * The first instant at which the clock shows this time. One that it skips, when it is put forward, is the instant at which
   * it is put forward; of one that it shows twice it is the first. Later times never come at earlier instants.
   */
  instantOf(wall: number): number {
    // No zone is a day away from UTC, and none has changed its offset twice in two days.
    const [before, after] = [this.#offsetAt(wall - dayMs), this.#offsetAt(wall + dayMs)];
    if (before === after) return wall - before;
    const candidates = [wall - Math.max(before, after), wall - Math.min(before, after)] as const;
    const shown = candidates.find((instant) => instant + this.#offsetAt(instant) === wall);
    if (shown !== undefined) return shown;
    const [earlier, later] = candidates;
    return firstInstant(earlier, later, (instant) => this.#offsetAt(instant) === this.#offsetAt(later));
  }

  /** How far the clock is ahead of UTC, in milliseconds. */
  #offsetAt(instant: number): number {
    const day = Math.floor(instant / dayMs);
    const [before, after] = [this.#ofDay(day), this.#ofDay(day + 1)];
    return before === after || instant < this.#changeIn(day) ? before : after;
  }

  #ofDay(day: number): number {
    const known = this.#ofDays.get(day);
    if (known !== undefined) return known;
    const offset = this.#shownAt(day * dayMs);
    this.#ofDays.set(day, offset);
    return offset;
  }

  /** When the offset changes on a day on which it does. No zone has changed it there and back in one day. */
  #changeIn(day: number): number {
    const known = this.#changes.get(day);
    if (known !== undefined) return known;
    const [midnight, next] = [day * dayMs, (day + 1) * dayMs];
    const change = firstInstant(midnight, next, (instant) => this.#shownAt(instant) === this.#ofDay(day + 1));
    this.#changes.set(day, change);
    return change;
  }

  #shownAt(instant: number): number {
    const [, sign, hours = 0, minutes = 0, seconds = 0] = offsetPattern.exec(this.#format.format(instant)) ?? [];
    const ahead = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * secondMs;
    return sign === '-' ? -ahead : ahead;
  }
}

/** The first instant between two, to the second, of which something holds: not yet of the earlier, for good from then on. */
function firstInstant(earlier: number, later: number, holds: (instant: number) => boolean): number {
  let [low, high] = [earlier, later];
  while (high - low > secondMs) {
    const middle = low + Math.floor((high - low) / 2 / secondMs) * secondMs;
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return high;
}
