import { Cron } from 'croner';
import { BoundedMap } from '../../model/bounded-map.ts';

const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;

/** An expression takes 80 KB once it is read, and most windows have one of a few: these are kept, others are read again. */
const known = new BoundedMap<string, Cron>(200);

/** An expression read on the timeline of a clock without time zone: what changes of the clock mean is decided elsewhere. */
function timeless(expression: string): Cron {
  const cron = known.get(expression) ?? new Cron(expression, { utcOffset: 0, mode: '5-part', paused: true });
  known.set(expression, cron);
  return cron;
}

/** Which of the first so many steps of a timeline an expression matches. */
function matches(expression: string, steps: number, stepMs: number): number[] {
  const cron = timeless(expression);
  return Array.from({ length: steps }, (_, step) => step).filter((step) => cron.match(new Date(step * stepMs)));
}

/**
 * A cron expression as a calendar: at which minutes of the day it starts something, and on which days. Days are counted from
 * 1 January 1970.
 */
export class CronCalendar {
  /** Minutes of the day, ascending. */
  readonly minutes: readonly number[];
  readonly #days: string;

  /** `expression`: five fields. Throws an error with a reason for people when it is none. */
  constructor(expression: string) {
    const fields = expression.trim().split(/\s+/);
    // Nicknames such as @midnight are no five fields.
    if (fields.length !== 5) throw new Error(`it has ${fields.length === 1 ? '1 field' : `${fields.length} fields`}`);
    const [minute, hour, ...days] = fields;
    const minutes = matches(`${minute} * * * *`, 60, minuteMs);
    const hours = matches(`0 ${hour} * * *`, 24, hourMs);
    this.minutes = hours.flatMap((at) => minutes.map((past) => at * 60 + past));
    this.#days = `0 0 ${days.join(' ')}`;
    timeless(this.#days);
  }

  /** The first day from this one on, `undefined` when there is none. */
  nextDay(day: number): number | undefined {
    const days = timeless(this.#days);
    const date = new Date(day * dayMs);
    if (days.match(date)) return day;
    const next = days.nextRun(date);
    return next ? next.getTime() / dayMs : undefined;
  }
}
