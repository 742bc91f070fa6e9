import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interruptedIn, judge, lagsOf, type Taken, type Trial, type Verdict } from './judge.ts';

const message = (at: number, what: string, root: string, more: Partial<Taken> = {}): Taken => ({
  ...{ receiver: 'plain', at, key: `${what}-${root}`, type: `incident.${what}`, title: `Broken · ${root}`, listed: [] },
  incident: { id: `i-${root}`, revision: what === 'opened' ? 1 : 2, root },
  ...more,
});
const opened = message(2_000, 'opened', 'a');
const ended = message(60_000, 'resolved', 'a');
const story = { name: 'a', brokenAt: 1_000, mendedAt: 50_000, lasts: true };

/** Which findings a verdict has. */
function found(trial: Partial<Trial>): readonly string[] {
  const verdict: Verdict = judge({
    receivers: ['plain'],
    breaks: [story],
    kills: [],
    taken: [opened, ended],
    ...trial,
  });
  return Object.entries(verdict).flatMap(([kind, findings]) => (findings.length > 0 ? [kind] : []));
}

test('what was told once, in order, to its end, is found faultless', () => {
  assert.deepEqual(found({}), []);
  assert.deepEqual(lagsOf({ receivers: ['plain'], breaks: [story], taken: [opened, ended] }), {
    openings: [1],
    ends: [10],
  });
});

test('a break that lasted and was not told is lost, a brief one need not be told', () => {
  const other = { ...story, name: 'b' };
  assert.deepEqual(found({ breaks: [story, other] }), ['lostOpenings']);
  assert.deepEqual(found({ breaks: [story, { ...other, lasts: false }] }), []);
});

test('what a summary lists is told', () => {
  const { incident: _, ...summary } = message(5_000, 'opened', 'none', { type: 'message.plain', listed: ['b'] });
  assert.deepEqual(found({ breaks: [story, { ...story, name: 'b' }], taken: [opened, summary, ended] }), []);
});

test('a break that only one of two receivers was told of is lost for the other, even if that heard of nothing', () => {
  const receivers = ['plain', 'keyed'];
  assert.deepEqual(found({ receivers }), ['lostOpenings']);
  const others = [opened, ended].map((each) => ({ ...each, receiver: 'keyed' }));
  assert.deepEqual(found({ receivers, taken: [opened, ended, ...others] }), []);
});

test('a fallback need not be told, may hear an end alone, and of what it was told it must hear the end', () => {
  const spares = ['spare'];
  const [first, last] = [opened, ended].map((each) => ({ ...each, receiver: 'spare' })) as [Taken, Taken];
  assert.deepEqual(found({ spares }), []);
  assert.deepEqual(found({ spares, taken: [opened, ended, last] }), []);
  assert.deepEqual(found({ spares, taken: [opened, ended, first, last] }), []);
  assert.deepEqual(found({ spares, taken: [opened, ended, first] }), ['lostEnds']);
});

test('an end that is not told is lost, and so is one of something that was opened again', () => {
  assert.deepEqual(found({ taken: [opened] }), ['lostEnds']);
  const again = message(70_000, 'reopened', 'a', { incident: { id: 'i-a', revision: 3, root: 'a' } });
  assert.deepEqual(found({ taken: [opened, ended, again] }), ['lostEnds', 'toldTwice']);
});

test('a repeat is explained by one kill shortly after the message, and by nothing else', () => {
  const again = { ...opened, at: 20_000 };
  const repeated = [opened, again, ended];
  assert.deepEqual(found({ taken: repeated }), ['unexplained']);
  assert.deepEqual(found({ taken: repeated, kills: [2_300] }), ['repeats']);
  assert.deepEqual(found({ taken: repeated, kills: [9_000] }), ['unexplained'], 'long after it was taken');
  assert.deepEqual(found({ taken: [...repeated, { ...opened, at: 21_000 }], kills: [2_300] }), [
    'repeats',
    'unexplained',
  ]);
  assert.equal(interruptedIn({ taken: repeated, kills: [2_300] }), 1);
});

test('one break opened twice in two messages is told twice', () => {
  const second = message(8_000, 'opened', 'a', { key: 'other', incident: { id: 'i-2', revision: 1, root: 'a' } });
  const itsEnd = message(61_000, 'resolved', 'a', { key: 'its-end', incident: { id: 'i-2', revision: 2, root: 'a' } });
  assert.deepEqual(found({ taken: [opened, second, ended, itsEnd] }), ['toldTwice']);
});

test('an end of what is still broken is false, and the reopening after it tells the same twice', () => {
  const early = { ...ended, at: 20_000 };
  assert.deepEqual(found({ taken: [opened, early] }), ['falseEnds']);
  const incident = { id: 'i-a', revision: 3, root: 'a' };
  const again = message(30_000, 'reopened', 'a', { incident });
  const over = { ...ended, key: 'over', incident: { ...incident, revision: 4 } };
  assert.deepEqual(found({ taken: [opened, early, again, over] }), ['toldTwice', 'falseEnds']);
});

test('an end before its opening, without one, or an older message after a newer one is disorder', () => {
  assert.deepEqual(found({ taken: [{ ...opened, at: 70_000 }, ended] }), ['lostEnds', 'disorder']);
  assert.deepEqual(found({ breaks: [], taken: [ended] }), ['disorder']);
  const late = { ...opened, at: 70_000 };
  assert.deepEqual(found({ taken: [opened, ended, late], kills: [2_100] }), ['lostEnds', 'repeats', 'disorder']);
});

test('an opening about nothing that was broken, or with a second reason, is a false alarm', () => {
  const other = [message(3_000, 'opened', 'node'), message(4_000, 'resolved', 'node')];
  assert.deepEqual(found({ taken: [opened, ended, ...other] }), ['falseAlarms']);
  const incident = { id: 'i-2', revision: 1, root: 'a' };
  const besides = [
    message(8_000, 'opened', 'a', { key: 'x', title: 'Also', incident }),
    message(61_000, 'resolved', 'a', { key: 'y', title: 'Also', incident: { ...incident, revision: 2 } }),
  ];
  assert.deepEqual(found({ taken: [opened, ended, ...besides] }), ['falseAlarms']);
});

test('where the clock is off, the end of an alarm about how long something has lasted is no false end; that of the fault is', () => {
  const name = 'clock-1-crash';
  const break1 = { ...story, name };
  const openedAs = (title: string): Taken[] => [
    message(2_000, 'opened', name, { title: `shop/${name} ${title}` }),
    message(20_000, 'resolved', name),
  ];
  const falseEnds = (title: string, isClockOff: boolean): number =>
    judge({ receivers: ['plain'], breaks: [break1], kills: [], taken: openedAs(title) }, isClockOff).falseEnds.length;
  assert.equal(falseEnds('has never been ready', true), 0);
  assert.equal(falseEnds('has never been ready', false), 1);
  assert.equal(falseEnds('crashes: exit code 1', true), 1);
});
