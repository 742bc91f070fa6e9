import { errorMessage } from '../../model/error-message.ts';
import type { Opening } from '../../model/settings.ts';
import type { MaintenanceWindowSpec } from '../maintenance-window.ts';
import { CronCalendar } from './cron.ts';
import { noTimeZone, type WallClock, wallClockOf } from './time-zone.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** 9999-12-31T23:59:59Z, the last instant that a status can show; the schema takes none after 2999. Epoch milliseconds. */
export const lastInstant = 253_402_300_799_000;

/** What has been open for so long without a break is taken to be open for good: every schedule repeats itself within a year. */
const horizonMs = 400 * dayMs;

/** What is wrong with the times of a window, for people. */
export type WrongSchedule = {
  readonly wrong: 'InvalidSchedule' | 'UnknownTimeZone';
  readonly path: string;
  readonly message: string;
};

/** When a window is open. */
export type Openings = {
  /**
   * The opening in which `now` (epoch milliseconds) is, else the next one; `undefined` when there is none any more. Openings
   * that overlap or touch are one. Its start may be later than the true one where openings have followed each other without a
   * break for longer than one lasts; its end is `lastInstant` when it never closes.
   */
  at(now: number): Opening | undefined;
  /** The one that follows. */
  after(opening: Opening): Opening | undefined;
  /** How long one opening lasts by itself, in milliseconds. */
  readonly durationMs: number;
};

/** When a window is open by its spec, or what is wrong with that. The same for a suspended one. */
export function openingsOf(spec: MaintenanceWindowSpec): Openings | WrongSchedule {
  return spec.schedule === undefined ? once(spec) : repeated(spec.schedule, spec);
}

function once(spec: MaintenanceWindowSpec): Openings | WrongSchedule {
  const [startsAt, endsAt] = [Date.parse(spec.startsAt ?? ''), Date.parse(spec.endsAt ?? '')];
  if (startsAt < endsAt)
    return {
      at: (now) => (now < endsAt ? { startsAt, endsAt } : undefined),
      after: () => undefined,
      durationMs: endsAt - startsAt,
    };
  const message =
    '`spec` has neither a `schedule` nor a `startsAt` before an `endsAt`: write one of them, instants as 2026-12-02T06:00:00Z';
  return { wrong: 'InvalidSchedule', path: 'spec', message };
}

function repeated(schedule: string, spec: MaintenanceWindowSpec): Openings | WrongSchedule {
  const { timeZone = 'UTC', durationSeconds } = spec;
  const clock = wallClockOf(timeZone);
  if (clock === undefined) {
    const path = 'spec.timeZone';
    return { wrong: 'UnknownTimeZone', path, message: noTimeZone(path, timeZone) };
  }
  if (durationSeconds === undefined) {
    const message = '`spec.durationSeconds` is missing: write how long it stays open each time';
    return { wrong: 'InvalidSchedule', path: 'spec', message };
  }
  try {
    const calendar = new CronCalendar(schedule);
    if (calendar.nextDay(0) !== undefined) return new RepeatedOpenings(calendar, clock, durationSeconds * 1000);
    const message = `\`spec.schedule\` is "${schedule}", a day that never comes, so the window never opens: correct the day or the month`;
    return { wrong: 'InvalidSchedule', path: 'spec.schedule', message };
  } catch (error) {
    const why = errorMessage(error);
    const message = `\`spec.schedule\` is "${schedule}", which is no cron expression of five fields (${why}): write one such as "0 2 * * 6"`;
    return { wrong: 'InvalidSchedule', path: 'spec.schedule', message };
  }
}

/** What begins at these instants, in order, and lasts so long each time: what overlaps or touches is one. */
function joined(starts: readonly number[], durationMs: number): Opening[] {
  const openings: Opening[] = [];
  let last: { startsAt: number; endsAt: number } | undefined;
  for (const startsAt of starts) {
    if (last && startsAt <= last.endsAt) {
      last.endsAt = startsAt + durationMs;
      continue;
    }
    last = { startsAt, endsAt: startsAt + durationMs };
    openings.push(last);
  }
  return openings;
}

/**
 * The openings of a schedule. Each time on the schedule opens it once: one that the clock skips at the instant at which it is
 * put forward, one that it shows twice the first time.
 */
class RepeatedOpenings implements Openings {
  readonly durationMs: number;
  readonly #calendar: CronCalendar;
  readonly #clock: WallClock;
  /** Those of a day without a change of the clock, from its midnight. */
  readonly #ofPlainDay: readonly Opening[];
  /** What was answered last, and for which instant: it is the answer until that opening is over. */
  #known: { readonly since: number; readonly opening: Opening | undefined } | undefined;

  constructor(calendar: CronCalendar, clock: WallClock, durationMs: number) {
    this.durationMs = durationMs;
    this.#calendar = calendar;
    this.#clock = clock;
    this.#ofPlainDay = joined(
      calendar.minutes.map((minute) => minute * minuteMs),
      durationMs,
    );
  }

  at(now: number): Opening | undefined {
    const known = this.#known;
    const isCurrent = known && known.since <= now && now < (known.opening?.endsAt ?? Number.POSITIVE_INFINITY);
    if (!isCurrent) this.#known = { since: now, opening: this.#find(now) };
    return this.#known?.opening;
  }

  after({ endsAt }: Opening): Opening | undefined {
    return endsAt < lastInstant ? this.#find(endsAt) : undefined;
  }

  #find(now: number): Opening | undefined {
    let found: Opening | undefined;
    for (const next of this.#from(now - this.durationMs)) {
      if (found && next.startsAt <= found.endsAt) found = { ...found, endsAt: Math.max(found.endsAt, next.endsAt) };
      else if (found && found.endsAt > now) return found;
      else found = next;
      if (found.endsAt - Math.max(now, found.startsAt) > horizonMs + this.durationMs)
        return { ...found, endsAt: lastInstant };
    }
    return found && found.endsAt > now ? found : undefined;
  }

  /** Every opening that begins after an instant, and some before it, day by day: those of two days may overlap. */
  *#from(instant: number): Iterable<Opening> {
    // No zone is a day away from UTC, but one has left out a day.
    let day = this.#calendar.nextDay(Math.floor(instant / dayMs) - 2);
    for (; day !== undefined; day = this.#calendar.nextDay(day + 1)) yield* this.#ofDay(day);
  }

  #ofDay(day: number): Iterable<Opening> {
    const midnight = this.#clock.instantOf(day * dayMs);
    if (this.#clock.instantOf((day + 1) * dayMs) - midnight !== dayMs)
      return joined(
        this.#calendar.minutes.map((minute) => this.#clock.instantOf(day * dayMs + minute * minuteMs)),
        this.durationMs,
      );
    return this.#ofPlainDay.map(({ startsAt, endsAt }) => ({
      startsAt: midnight + startsAt,
      endsAt: midnight + endsAt,
    }));
  }
}
