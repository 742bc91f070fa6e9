import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MaintenanceWindowSpec } from '../../src/api/maintenance-window.ts';
import { lastInstant, type Openings, openingsOf } from '../../src/api/rules/opening.ts';
import type { Opening } from '../../src/model/settings.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;
const spec = (more: Partial<MaintenanceWindowSpec>): MaintenanceWindowSpec => ({ selector: {}, ...more });
const repeated = (schedule: string, durationSeconds: number, timeZone = 'UTC'): Openings => {
  const openings = openingsOf(spec({ schedule, durationSeconds, timeZone }));
  if ('wrong' in openings) throw new Error(openings.message);
  return openings;
};
const inShort = (opening: Opening | undefined): string | undefined =>
  opening && `${short(opening.startsAt)} – ${short(opening.endsAt)}`;
const short = (instant: number): string => new Date(instant).toISOString().replace(':00.000Z', 'Z');

/** What a person reads off a calendar: the opening in which the instant is, else the next, in UTC. */
const cases = [
  {
    what: 'a time that the clock skips opens it when the clock is put forward',
    at: ['30 2 * * *', 3600, 'Europe/Berlin'],
    from: '2026-03-28T12:00Z',
    is: ['2026-03-29T01:00Z – 2026-03-29T02:00Z', '2026-03-30T00:30Z – 2026-03-30T01:30Z'],
  },
  {
    what: 'a time that the clock shows twice opens it once, the first time',
    at: ['30 2 * * *', 1800, 'Europe/Berlin'],
    from: '2026-10-24T12:00Z',
    is: ['2026-10-25T00:30Z – 2026-10-25T01:00Z', '2026-10-26T01:30Z – 2026-10-26T02:00Z'],
  },
  {
    what: 'an opening lasts as long as it says, whatever the clock does meanwhile',
    at: ['0 1 * * *', 7200, 'America/New_York'],
    from: '2026-03-08T00:00Z',
    is: ['2026-03-08T06:00Z – 2026-03-08T08:00Z', '2026-03-09T05:00Z – 2026-03-09T07:00Z'],
  },
  {
    what: 'the same when the clock is put back',
    at: ['30 1 * * *', 7200, 'America/New_York'],
    from: '2026-10-31T12:00Z',
    is: ['2026-11-01T05:30Z – 2026-11-01T07:30Z', '2026-11-02T06:30Z – 2026-11-02T08:30Z'],
  },
  {
    what: 'half an hour is skipped where summer time is half an hour',
    at: ['15 2 * * *', 600, 'Australia/Lord_Howe'],
    from: '2026-10-03T00:00Z',
    is: ['2026-10-03T15:30Z – 2026-10-03T15:40Z', '2026-10-04T15:15Z – 2026-10-04T15:25Z'],
  },
  {
    what: 'half an hour is repeated there',
    at: ['45 1 * * *', 600, 'Australia/Lord_Howe'],
    from: '2027-04-03T00:00Z',
    is: ['2027-04-03T14:45Z – 2027-04-03T14:55Z', '2027-04-04T15:15Z – 2027-04-04T15:25Z'],
  },
  {
    what: 'where there is no summer time, every day is the same',
    at: ['30 2 * * *', 3600, 'Asia/Kolkata'],
    from: '2026-03-28T12:00Z',
    is: ['2026-03-28T21:00Z – 2026-03-28T22:00Z', '2026-03-29T21:00Z – 2026-03-29T22:00Z'],
  },
  {
    what: 'a midnight that the clock skips opens it at one',
    at: ['0 0 * * *', 3600, 'America/Sao_Paulo'],
    from: '2018-11-03T12:00Z',
    is: ['2018-11-04T03:00Z – 2018-11-04T04:00Z', '2018-11-05T02:00Z – 2018-11-05T03:00Z'],
  },
  {
    what: 'a day that a country has left out opens it at the end of the day before',
    at: ['0 12 * * *', 3600, 'Pacific/Apia'],
    from: '2011-12-30T00:00Z',
    is: ['2011-12-30T10:00Z – 2011-12-30T11:00Z', '2011-12-30T22:00Z – 2011-12-30T23:00Z'],
  },
  {
    what: 'in Morocco the clock goes back for Ramadan',
    at: ['30 2 * * *', 1200, 'Africa/Casablanca'],
    from: '2026-02-14T12:00Z',
    is: ['2026-02-15T01:30Z – 2026-02-15T01:50Z', '2026-02-16T02:30Z – 2026-02-16T02:50Z'],
  },
  {
    what: 'openings that overlap are one',
    at: ['0 * * * *', 5400, 'UTC'],
    from: '2026-11-20T00:00Z',
    is: ['open for good'],
  },
  {
    what: 'openings that touch are one, and it ends with the last of them',
    at: ['0 2-4 * * *', 3600, 'UTC'],
    from: '2026-11-20T03:30Z',
    is: ['2026-11-20T02:00Z – 2026-11-20T05:00Z', '2026-11-21T02:00Z – 2026-11-21T05:00Z'],
  },
  {
    what: 'openings that overlap beyond midnight are one',
    at: ['0 22 * * 5,6', 93_600, 'UTC'],
    from: '2026-11-20T12:00Z',
    is: ['2026-11-20T22:00Z – 2026-11-23T00:00Z', '2026-11-27T22:00Z – 2026-11-30T00:00Z'],
  },
  {
    what: 'a leap day comes every four years',
    at: ['0 0 29 2 *', 3600, 'UTC'],
    from: '2026-11-20T12:00Z',
    is: ['2028-02-29T00:00Z – 2028-02-29T01:00Z', '2032-02-29T00:00Z – 2032-02-29T01:00Z'],
  },
  {
    what: 'a day of the month or a day of the week: either is enough, as cron has it',
    at: ['0 2 1 * 1', 60, 'UTC'],
    from: '2026-11-24T00:00Z',
    is: ['2026-11-30T02:00Z – 2026-11-30T02:01Z', '2026-12-01T02:00Z – 2026-12-01T02:01Z'],
  },
  {
    what: 'names of days and months',
    at: ['0 2 * DEC Sat', 60, 'UTC'],
    from: '2026-11-24T00:00Z',
    is: ['2026-12-05T02:00Z – 2026-12-05T02:01Z', '2026-12-12T02:00Z – 2026-12-12T02:01Z'],
  },
  {
    what: 'an opening of 365 days, every year, closes for the last day of a leap year',
    at: ['0 0 1 1 *', 31_536_000, 'UTC'],
    from: '2027-06-01T00:00Z',
    is: ['2027-01-01T00:00Z – 2028-12-31T00:00Z'],
  },
] as const;
for (const { what, at, from, is } of cases)
  test(what, () => {
    const [schedule, durationSeconds, timeZone] = at;
    const openings = repeated(schedule, durationSeconds, timeZone);
    let now = Date.parse(from);
    for (const expected of is) {
      const opening = openings.at(now);
      const said = opening?.endsAt === lastInstant ? 'open for good' : inShort(opening);
      assert.equal(said, expected);
      if (opening && expected !== 'open for good')
        assert.deepEqual(openings.after(opening), openings.at(opening.endsAt));
      now = opening?.endsAt ?? now;
    }
  });

/** Every minute, as the time zone database of the runtime has it: the oracle knows nothing of offsets or midnights. */
function* minutes(timeZone: string, from: number, to: number) {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric' },
  });
  for (let at = from; at < to; at += minuteMs) {
    const part: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(at)) part[type] = Number(value);
    const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = part;
    yield { at, wall: Date.UTC(year, month - 1, day, hour, minute) };
  }
}

/** Whether a schedule starts something at a time on the wall, by hand. */
const schedules: Readonly<Record<string, (wall: Date) => boolean>> = {
  '30 2 * * *': (wall) => wall.getUTCHours() === 2 && wall.getUTCMinutes() === 30,
  '15 0,1,2 * * *': (wall) => wall.getUTCHours() < 3 && wall.getUTCMinutes() === 15,
  '*/20 * * * *': (wall) => wall.getUTCMinutes() % 20 === 0,
  '0 23 * * 6': (wall) => wall.getUTCDay() === 6 && wall.getUTCHours() === 23 && wall.getUTCMinutes() === 0,
  '0 0-6/2 1-15,25-31 * *': (wall) => {
    const day = wall.getUTCDate();
    return (
      (day < 16 || day > 24) && wall.getUTCHours() % 2 === 0 && wall.getUTCHours() < 7 && wall.getUTCMinutes() === 0
    );
  },
};

/** Each zone with days around both of its changes. */
const zones = [
  ['Europe/Berlin', '2026-03-29', '2026-10-25'],
  ['America/New_York', '2026-03-08', '2026-11-01'],
  ['Australia/Lord_Howe', '2026-04-05', '2026-10-04'],
  ['Asia/Kolkata', '2026-03-29', '2026-10-25'],
  ['America/Sao_Paulo', '2018-02-18', '2018-11-04'],
  ['Pacific/Apia', '2011-12-30', '2012-04-01'],
  ['Africa/Casablanca', '2026-02-15', '2026-03-22'],
] as const;
const durations = [600, 1200, 4200, 30 * 3600];

for (const [zone, ...days] of zones)
  test(`every minute around both changes of the clock in ${zone} is open or closed as counted by hand`, () => {
    for (const day of days) {
      const from = Date.parse(`${day}T00:00Z`) - 4 * dayMs;
      const clock = [...minutes(zone, from, from + 7 * dayMs)];
      for (const [schedule, starts] of Object.entries(schedules)) {
        const startInstants: number[] = [];
        let shown = clock[0]?.wall ?? 0;
        for (const { at, wall } of clock) {
          // What has been shown before is the second time; what is skipped begins now.
          for (; shown < wall; shown += minuteMs)
            if (starts(new Date(shown + minuteMs)) && startInstants.at(-1) !== at) startInstants.push(at);
        }
        for (const durationSeconds of durations) {
          const openings = repeated(schedule, durationSeconds, zone);
          let last = 0;
          for (const { at } of clock.slice((2 * dayMs) / minuteMs)) {
            while ((startInstants[last + 1] ?? Number.POSITIVE_INFINITY) <= at) last++;
            const start = startInstants[last] ?? Number.POSITIVE_INFINITY;
            const expected = start <= at && at < start + durationSeconds * 1000;
            const { startsAt = Number.POSITIVE_INFINITY } = openings.at(at) ?? {};
            if (startsAt <= at !== expected)
              assert.fail(`${schedule} for ${durationSeconds} s at ${short(at)}: ${expected ? 'closed' : 'open'}`);
          }
        }
      }
    }
  });

test('what is asked first does not change the answer', () => {
  const openings = repeated('0 2 * * *', 3600);
  const later = openings.at(Date.parse('2026-12-01T00:00Z'));
  assert.equal(inShort(openings.at(Date.parse('2026-11-20T00:00Z'))), '2026-11-20T02:00Z – 2026-11-20T03:00Z');
  assert.deepEqual(openings.at(Date.parse('2026-12-01T02:59Z')), later);
});

test('a window for once opens once', () => {
  const openings = openingsOf(spec({ startsAt: '2026-12-01T20:00:00+01:00', endsAt: '2026-12-02T06:00:00Z' }));
  assert.ok('at' in openings);
  const [startsAt, endsAt] = [Date.parse('2026-12-01T19:00Z'), Date.parse('2026-12-02T06:00Z')];
  assert.deepEqual(openings.at(0), { startsAt, endsAt });
  assert.deepEqual(openings.at(endsAt - 1), { startsAt, endsAt });
  assert.equal(openings.at(endsAt), undefined);
});

const wrong = [
  [{ schedule: 'every night', durationSeconds: 60 }, 'InvalidSchedule', /it has 2 fields/],
  [{ schedule: '@midnight', durationSeconds: 60 }, 'InvalidSchedule', /it has 1 field\b/],
  [{ schedule: '0 0 2 * * 6', durationSeconds: 60 }, 'InvalidSchedule', /it has 6 fields/],
  [{ schedule: '0 25 * * *', durationSeconds: 60 }, 'InvalidSchedule', /"0 25 \* \* \*".*hour/],
  [{ schedule: '0 0 30 2 *', durationSeconds: 60 }, 'InvalidSchedule', /never comes/],
  [{ schedule: '0 2 * * *' }, 'InvalidSchedule', /durationSeconds/],
  [{ schedule: '0 2 * * *', durationSeconds: 60, timeZone: 'Europe/Berln' }, 'UnknownTimeZone', /Europe\/Berln/],
  [{ schedule: '0 2 * * *', durationSeconds: 60, timeZone: '+02:00' }, 'UnknownTimeZone', /\+02:00/],
  [{ startsAt: '2026-12-02T06:00:00Z', endsAt: '2026-12-02T06:00:00Z' }, 'InvalidSchedule', /startsAt/],
  [{}, 'InvalidSchedule', /neither/],
] as const;
for (const [more, reason, says] of wrong)
  test(`${JSON.stringify(more)} is ${reason}, in words that name it`, () => {
    const openings = openingsOf(spec(more));
    assert.ok('wrong' in openings);
    assert.equal(openings.wrong, reason);
    assert.match(openings.message, says);
  });
