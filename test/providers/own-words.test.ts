/** What people ask of the messages of one AlertProvider. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Notification } from '../../src/model/notification.ts';
import type { OwnWords } from '../../src/model/own-words.ts';
import { inOwnWords } from '../../src/providers/kit/own-words.ts';
import { notifications } from './notifications.ts';

const { open, digest } = notifications;
const worded = (words: OwnWords, told: Notification = open): Notification => inOwnWords(told, words).notification;

test('without wishes a notification is the same object', () => {
  assert.equal(inOwnWords(open, undefined).notification, open);
});

test('a prefix stands in front, behind a state in brackets', () => {
  assert.match(worded({ prefix: 'PROD' }).title, /^PROD shop\/payments crashes: /);
  assert.equal(worded({ prefix: 'PROD' }, { ...open, title: '[test] Digest' }).title, '[test] PROD Digest');
});

test('facts are added, left out and put in order', () => {
  const words: OwnWords = {
    facts: {
      add: [
        { name: 'Team', label: 'team' },
        { name: 'Region', value: 'eu' },
        { name: 'Tier', label: 'tier' },
      ],
      leaveOut: ['Image', 'Nothing'],
      order: ['Region', 'Restarts'],
    },
  };
  assert.deepEqual(
    worded(words).facts.map(({ name }) => name),
    [
      'Region',
      'Restarts',
      ...open.facts.map(({ name }) => name).filter((name) => name !== 'Image' && name !== 'Restarts'),
      'Team',
    ],
  );
  assert.deepEqual(worded(words).facts.find(({ name }) => name === 'Team')?.value, 'checkout');
  assert.deepEqual(worded(words, digest).facts, []);
});

const at = Date.parse('2026-11-20T12:30:00Z');
const times: readonly (readonly [zone: string, text: string, expected: string])[] = [
  ['Europe/Berlin', 'since 12:11 UTC, because', 'since 13:11 CET, because'],
  ['Europe/Berlin', 'since 19 Nov 23:30 UTC', 'since 00:30 CET'],
  ['Europe/Berlin', 'since 19 Nov 12:11 UTC', 'since 19 Nov 13:11 CET'],
  ['Asia/Tokyo', 'since 16:00 UTC', 'since 21 Nov 01:00 GMT+9'],
  ['America/New_York', 'since 31 Dec 2025 23:00 UTC', 'since 31 Dec 2025 18:00 GMT-5'],
  ['Europe/London', 'in summer 1 Jul 12:00 UTC', 'in summer 1 Jul 13:00 BST'],
  ['Europe/Berlin', '25:11 UTC, 12:61 UTC, 112:11 UTC', '25:11 UTC, 12:61 UTC, 112:11 UTC'],
  ['UTC', 'since 12:11 UTC', 'since 12:11 UTC'],
];
for (const [timeZone, lead, expected] of times)
  test(`${timeZone}: "${lead}" is "${expected}"`, () => {
    assert.equal(worded({ timeZone }, { ...open, lead, at }).lead, expected);
  });

/** In Berlin 25 October 2026 has 25 hours: at 03:00 CEST clocks go back to 02:00 CET. On 29 March 02:00 to 03:00 is left out. */
const days: readonly (readonly [at: string, text: string, expected: string])[] = [
  ['2026-10-25T01:40:00Z', 'It began at 00:30 UTC.', 'It began at 02:30 CEST.'],
  ['2026-10-25T01:40:00Z', 'It began at 01:30 UTC.', 'It began at 02:30 CET.'],
  ['2026-10-25T01:40:00Z', 'It began at 24 Oct 21:59 UTC.', 'It began at 24 Oct 23:59 CEST.'],
  ['2026-10-25T01:40:00Z', 'It began at 24 Oct 22:00 UTC.', 'It began at 00:00 CEST.'],
  ['2026-10-25T23:30:00Z', 'It began at 22:59 UTC.', 'It began at 25 Oct 23:59 CET.'],
  [
    '2026-03-29T01:10:00Z',
    'It began at 00:59 UTC and ended at 01:00 UTC.',
    'It began at 01:59 CET and ended at 03:00 CEST.',
  ],
];
for (const [day, lead, expected] of days)
  test(`Europe/Berlin, when clocks change, at ${day}: "${lead}" is "${expected}"`, () => {
    assert.equal(worded({ timeZone: 'Europe/Berlin' }, { ...open, lead, at: Date.parse(day) }).lead, expected);
  });

test('log lines, commands and fields for programs keep their times', () => {
  const told = { ...open, excerpt: { source: 'log', lines: ['12:11 UTC panic'] }, at };
  const zoned = worded({ timeZone: 'Europe/Berlin' }, told);
  assert.deepEqual(zoned.excerpt, told.excerpt);
  assert.equal(zoned.incident?.startedAt, told.incident?.startedAt);
  assert.deepEqual(zoned.nextStep, told.nextStep);
});

test('a zone that does not exist leaves times in UTC and says so', () => {
  for (const timeZone of ['Mars/Olympus', '+02:00', '', 'x'.repeat(1000)]) {
    const { notification, problem } = inOwnWords(open, { timeZone });
    assert.equal(notification.lead, open.lead);
    assert.match(problem ?? '', /^there is no time zone/);
  }
});
