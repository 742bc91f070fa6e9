import { Cron } from 'croner';

const minuteMs = 60_000;
const dayMs = 86_400_000;
const minutesOfDay = 1440;

/** An expression read on the timeline of a clock without time zone: what changes of the clock mean is decided elsewhere. */
function timeless(expression: string): Cron {
  return new Cron(expression, { utcOffset: 0, mode: '5-part', paused: true });
}

/**
 * A cron expression as a calendar: at which minutes of the day it starts something, and on which days. Days are counted from
 * 1 January 1970.
 */
export class CronCalendar {
  /** Minutes of the day, ascending. */
  readonly minutes: readonly number[];
  readonly #days: Cron;

  /** `expression`: five fields. Throws an error with a reason for people when it is none. */
  constructor(expression: string) {
    const fields = expression.trim().split(/\s+/);
    // Nicknames such as @midnight are no five fields.
    if (fields.length !== 5) throw new Error(`it has ${fields.length === 1 ? '1 field' : `${fields.length} fields`}`);
    const [minute, hour, ...days] = fields;
    timeless(expression);
    const times = timeless(`${minute} ${hour} * * *`);
    this.minutes = Array.from({ length: minutesOfDay }, (_, at) => at).filter((at) =>
      times.match(new Date(at * minuteMs)),
    );
    this.#days = timeless(`0 0 ${days.join(' ')}`);
  }

  /** The first day from this one on, `undefined` when there is none. */
  nextDay(day: number): number | undefined {
    const date = new Date(day * dayMs);
    if (this.#days.match(date)) return day;
    const next = this.#days.nextRun(date);
    return next ? next.getTime() / dayMs : undefined;
  }
}
