import { Cron } from 'croner';
import { BoundedMap } from './bounded-map.ts';

/** When something is to run, as a CronJob says it. Instants are epoch milliseconds. */
export type Schedule = {
  /** The first run after an instant; `undefined`: there is none, ever. */
  next(after: number): number | undefined;
};

/** A schedule that cannot be read, or the time zone: what is wrong, for people (`the minute is 60`). */
export type Unreadable = { readonly what: 'schedule' | 'timeZone'; readonly why: string };

type Field = { readonly name: string; readonly min: number; readonly max: number; readonly names?: readonly string[] };

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** The five fields with their bounds (robfig/cron 3, which the CronJob controller and the API server read schedules with). */
const fields: readonly [Field, Field, Field, Field, Field] = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of the month', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12, names: ['', ...months] },
  { name: 'day of the week', min: 0, max: 6, names: days },
];

const descriptors: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);

class UnreadableSchedule extends Error {}

function numberIn(text: string, { name, min, max, names = [] }: Field): number {
  const index = names.indexOf(text.toLowerCase());
  const value = index >= 0 && text !== '' ? index : /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(value)) throw new UnreadableSchedule(`"${text}" is no ${name}`);
  if (value < min || value > max) throw new UnreadableSchedule(`the ${name} ${value} is not between ${min} and ${max}`);
  return value;
}

// What `5`, `1-5`, every 15, `5/15` (from 5 on) or `1-30/2` stand for.
function rangeOf(text: string, field: Field): readonly number[] {
  const [range = '', stepText, ...more] = text.split('/');
  const step = stepText === undefined ? 1 : Number(/^\d+$/.test(stepText) ? stepText : 0);
  if (more.length > 0 || step === 0) throw new UnreadableSchedule(`"${text}" has no step that can be taken`);
  const isAny = range === '*' || range === '?';
  const [from = '', to, ...rest] = range.split('-');
  if (!isAny && rest.length > 0) throw new UnreadableSchedule(`"${text}" is no range`);
  const first = isAny ? field.min : numberIn(from, field);
  const single = stepText === undefined ? first : field.max;
  const last = isAny ? field.max : to === undefined ? single : numberIn(to, field);
  if (first > last) throw new UnreadableSchedule(`"${text}" begins after its end`);
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, at) => first + at * step);
}

/** A field in full, so that all readers of cron agree on it; `*` where any value will do. */
function inFull(text: string, field: Field): string {
  const parts = text.split(',').filter((part) => part !== '');
  // Days are either-or as soon as neither of the two fields says "any", and a step of more than one is no longer "any".
  const isAny = parts.some((part) => /^[*?](?:\/1)?$/.test(part));
  const values = new Set(parts.flatMap((part) => rangeOf(part, field)));
  return isAny ? '*' : [...values].sort((a, b) => a - b).join(',');
}

/** The units of Go's durations that a schedule can tell apart (`time.ParseDuration`), in seconds. */
const units: ReadonlyMap<string, number> = new Map([
  ['h', 3600],
  ['m', 60],
  ['s', 1],
  ['ms', 0.001],
]);

/** `@every 1h30m`: counted from the run before, at least a second. */
function intervalOf(text: string): Schedule {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)];
  if (text === '' || parts.map(([all]) => all).join('') !== text)
    throw new UnreadableSchedule(`"${text}" is no duration`);
  const seconds = parts.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (units.get(unit) ?? 0), 0);
  const everyMs = Math.max(1, Math.floor(seconds)) * 1000;
  return { next: (after) => Math.floor(after / 1000) * 1000 + everyMs };
}

/** Runs that fall into the hour that a clock leaps over in spring do not take place; this many in a row are passed over. */
const maxLeaps = 10;

function calendarOf(expression: string, timezone: string): Schedule {
  const texts = expression.split(/\s+/).filter((text) => text !== '');
  if (texts.length !== 5) throw new UnreadableSchedule(`it has ${texts.length} fields instead of 5`);
  const full = fields.map((field, at) => inFull(texts[at] ?? '', field)).join(' ');
  const cron = new Cron(full, { timezone, mode: '5-part', paused: true });
  return {
    next(after) {
      let run = cron.nextRun(new Date(after));
      for (let leaps = 0; run && leaps < maxLeaps && !cron.match(run); leaps += 1) run = cron.nextRun(run);
      return run?.getTime();
    },
  };
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

function read(schedule: string, timeZone: string | undefined): Schedule | Unreadable {
  // What `spec.timeZone` replaced; the API server refuses it by now, and old objects still have it.
  const [, inline, rest = schedule] = /^(?:CRON_)?TZ=(\S+)\s+(.*)$/s.exec(schedule.trim()) ?? [];
  const zone = timeZone ?? inline ?? 'UTC';
  if (!isTimeZone(zone)) return { what: 'timeZone', why: `no time zone is called "${zone}"` };
  const text = rest.trim();
  try {
    if (text.startsWith('@every ')) return intervalOf(text.slice('@every '.length));
    if (text.startsWith('@') && !descriptors.has(text)) throw new UnreadableSchedule(`"${text}" is not known`);
    return calendarOf(descriptors.get(text) ?? text, zone);
  } catch (error) {
    if (error instanceof UnreadableSchedule) return { what: 'schedule', why: error.message };
    throw error;
  }
}

/** What is read takes tens of kilobytes each, and most clusters have few different schedules. */
const known = new BoundedMap<string, Schedule | Unreadable>(200);

/** A schedule as Kubernetes reads it, without a time zone in UTC: the controller's own is that as a rule. */
export function readSchedule(schedule: string, timeZone?: string): Schedule | Unreadable {
  const key = `${timeZone ?? ''} ${schedule}`;
  const found = known.get(key) ?? read(schedule, timeZone);
  known.set(key, found);
  return found;
}

/** Whether it could be read. */
export function isReadable(schedule: Schedule | Unreadable): schedule is Schedule {
  return 'next' in schedule;
}

/** The runs after an instant and up to another, at most `max`, earliest first. */
export function runsBetween(schedule: Schedule, after: number, until: number, max: number): readonly number[] {
  const runs: number[] = [];
  for (let run = schedule.next(after); run !== undefined && run <= until && runs.length < max; run = schedule.next(run))
    runs.push(run);
  return runs;
}
