const secondMs = 1000;
const dayMs = 86_400_000;

/** Whether this is the name of a time zone in the IANA database, which the runtime brings along: `Europe/Berlin`, `UTC`. */
export function isTimeZone(name: string): boolean {
  // The runtime takes offsets (`+02:00`) as well, but they are no names.
  if (/^[+-]/.test(name)) return false;
  try {
    return formatterOf(name) !== undefined;
  } catch {
    return false;
  }
}

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
}

/** `GMT+05:30`, `GMT`, and for times long ago `GMT-00:44:30`. */
const offsetPattern = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

/**
 * The clock on the wall of a time zone. A time on it is written as epoch milliseconds, as if the zone were UTC, so that it can
 * be calculated with.
 */
export class WallClock {
  readonly #format: Intl.DateTimeFormat;

  /** `timeZone`: one that `isTimeZone` knows. */
  constructor(timeZone: string) {
    this.#format = formatterOf(timeZone);
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
    return shown ?? this.#changeBetween(...candidates);
  }

  /** The instant, to the second, at which the offset changes between two. */
  #changeBetween(earlier: number, later: number): number {
    const after = this.#offsetAt(later);
    let [low, high] = [earlier, later];
    while (high - low > secondMs) {
      const middle = low + Math.floor((high - low) / 2 / secondMs) * secondMs;
      if (this.#offsetAt(middle) === after) high = middle;
      else low = middle;
    }
    return high;
  }

  /** How far the clock is ahead of UTC, in milliseconds. */
  #offsetAt(instant: number): number {
    const [, sign, hours = 0, minutes = 0, seconds = 0] = offsetPattern.exec(this.#format.format(instant)) ?? [];
    const ahead = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * secondMs;
    return sign === '-' ? -ahead : ahead;
  }
}
