import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isReadable, readSchedule, runsBetween, type Schedule } from '../../src/model/cron-schedule.ts';

type Run = readonly [schedule: string, timeZone: string, after: string, next: readonly string[]];
type Table = { readonly source: string; readonly unreadable: readonly string[]; readonly runs: readonly Run[] };

/** What the library says that the CronJob controller asks. */
const table = JSON.parse(readFileSync(new URL('cron-runs.json', import.meta.url), 'utf8')) as Table;

function schedule(text: string, timeZone?: string): Schedule {
  const read = readSchedule(text, timeZone);
  assert.ok(isReadable(read), text);
  return read;
}

const stamp = (time: number): string => new Date(time).toISOString().replace('.000Z', 'Z');

/** Twice in the hour that comes twice in autumn: for the second time nobody waits. */
const doubled = new Set(['30 2 * * * Europe/Berlin', '0 2 * * 0 Europe/Berlin', '30 1 * * * America/New_York']);

test('a schedule runs when the controller runs it, across both changes of the clock', () => {
  assert.ok(table.runs.length > 150);
  for (const [text, timeZone, after, next] of table.runs) {
    const read = schedule(text, timeZone);
    const runs = runsBetween(read, Date.parse(after), Number.POSITIVE_INFINITY, next.length).map(stamp);
    if (doubled.has(`${text} ${timeZone}`)) assert.equal(runs[0], next[0], `${text} ${timeZone}`);
    else assert.deepEqual(runs, next, `${text} ${timeZone} after ${after}`);
  }
});

test('what the controller cannot read is not readable, and why is said in words', () => {
  for (const text of table.unreadable) assert.equal(isReadable(readSchedule(text)), false, text);
  assert.deepEqual(readSchedule('61 * * * *'), { what: 'schedule', why: 'the minute 61 is not between 0 and 59' });
  assert.deepEqual(readSchedule('* * * *'), { what: 'schedule', why: 'it has 4 fields instead of 5' });
  assert.deepEqual(readSchedule('0 0 * * 7'), {
    what: 'schedule',
    why: 'the day of the week 7 is not between 0 and 6',
  });
  assert.deepEqual(readSchedule('0 3 * * *', 'Mars/Base'), {
    what: 'timeZone',
    why: 'no time zone is called "Mars/Base"',
  });
});

test('a day that never comes has no next run', () => {
  assert.equal(schedule('0 0 30 2 *').next(Date.UTC(2026, 0, 1)), undefined);
});

test('a run that the clock leaps over in spring is passed over', () => {
  const nightly = schedule('30 2 * * *', 'Europe/Berlin');
  assert.equal(stamp(nightly.next(Date.UTC(2026, 2, 28, 2)) ?? 0), '2026-03-30T00:30:00Z');
});

test('the time zone can stand in the schedule of old objects', () => {
  const inline = schedule('CRON_TZ=Asia/Kolkata 0 6 * * *');
  assert.equal(stamp(inline.next(Date.UTC(2026, 0, 1)) ?? 0), '2026-01-01T00:30:00Z');
});

test('of many runs no more are counted than are asked for', () => {
  const minutely = schedule('* * * * *');
  assert.equal(runsBetween(minutely, 0, Date.UTC(2026, 0, 1), 3).length, 3);
  assert.deepEqual(runsBetween(minutely, 0, 59_000, 3), []);
  assert.deepEqual(runsBetween(minutely, 0, 60_000, 3), [60_000]);
});
