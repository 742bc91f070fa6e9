/** What keeps coming back is told once, and from then on in one summary a day. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Severity } from '../../src/model/severity.ts';
import { fc } from '../fast-check.ts';
import { runs } from '../runs.ts';
import { at, explanation, finding, inShort, isAbout, settingsWith, simulation } from './helpers.ts';

const api = 'Deployment/shop/api';
const day = 86_400;

type Rhythm = { readonly period: number; readonly fails: number; readonly jitter?: readonly number[] };

/** Plays failures of a rhythm, with a step whenever one is asked for; seconds. Returns the instants at which it began to fail. */
function play({ period, fails, jitter = [] }: Rhythm, seconds: number, severityAt = (_: number): Severity => 'high') {
  const sim = simulation(settingsWith({ incidents: { ...settingsWith().incidents, renotifySeconds: {} } }));
  sim.start();
  const stepUntil = (from: number, until: number, problem: readonly ReturnType<typeof explanation>[]): void => {
    let now = from;
    for (let turns = 0; turns < 200 && now < until; turns += 1) {
      sim.step(now, problem);
      const { wakeAt } = sim.last();
      now = wakeAt === undefined ? until : Math.max(now + 1, Math.ceil((wakeAt - at(0)) / 1000));
    }
  };
  for (let round = 0; round * period < seconds; round += 1) {
    const begin = round * period + (jitter[round % Math.max(1, jitter.length)] ?? 0);
    const next = (round + 1) * period + (jitter[(round + 1) % Math.max(1, jitter.length)] ?? 0);
    const members = [finding(`Pod/shop/api-${round}`, { since: begin })];
    stepUntil(begin, begin + fails, [explanation(api, { members, severity: severityAt(begin) })]);
    stepUntil(begin + fails, next, []);
  }
  return sim;
}

for (const minutes of [5, 8, 10, 15, 18, 20, 30, 45, 60, 90, 120])
  test(`what fails every ${minutes} min for two days is told at most five times, then once a day`, () => {
    const { told } = play({ period: minutes * 60, fails: Math.min(420, minutes * 30) }, 2 * day);
    const lines = told.map(inShort);
    const daily = lines.filter((line) => line.includes('StillFlapping'));
    assert.ok(lines.length - daily.length <= 5, lines.join('\n'));
    assert.equal(daily.length, 1, lines.join('\n'));
    const last = told.filter(isAbout).at(-1);
    const note = last?.notes?.find(({ is }) => is === 'cameBack');
    assert.ok(note?.is === 'cameBack' && note.times >= day / (minutes * 60) - 2, JSON.stringify(note));
  });

test('at any period up to two hours, with play, nothing is told of single failures once it was told that it keeps coming back', () => {
  const rhythm = fc.integer({ min: 300, max: 7_200 }).chain((period) =>
    fc.record({
      period: fc.constant(period),
      fails: fc.integer({ min: 80, max: Math.min(1_800, Math.floor(period / 2)) }),
      jitter: fc.array(fc.integer({ min: 0, max: Math.floor(period / 10) }), { minLength: 1, maxLength: 7 }),
    }),
  );
  fc.assert(
    fc.property(rhythm, (one) => {
      const lines = play(one, day).told.map(inShort);
      assert.ok(lines.length <= 6, lines.join('\n'));
    }),
    { numRuns: runs(30), seed: 2026 },
  );
});

test('what keeps coming back and gets critical rings', () => {
  const { told } = play({ period: 3_600, fails: 420 }, day / 2, (begin) => (begin > 20_000 ? 'critical' : 'high'));
  const rises = told.map(inShort).filter((line) => line.includes('SeverityRaised'));
  assert.deepEqual(rises, [`update ${api} SeverityRaised → oncall`]);
});

test('what kept coming back is told as over once it has stayed healthy for longer than it used to', () => {
  const sim = play({ period: 3_600, fails: 420 }, 6 * 3_600);
  const end = 6 * 3_600;
  sim.told.length = 0;
  for (let seconds = end; seconds < end + 2 * 3_600; seconds += 60) sim.step(seconds, []);
  assert.deepEqual(sim.told.map(inShort), [`resolve ${api} HeldGood → oncall`]);
});

test('two failures hours apart are two incidents, and the end of each is told after the usual hold', () => {
  const lines = play({ period: 3 * 3_600, fails: 420 }, day).told.map(inShort);
  assert.equal(lines.filter((line) => line.startsWith('open')).length, 8);
  assert.equal(lines.filter((line) => line.startsWith('resolve')).length, 8);
});

test('clear for a second while one failure passes into the next is no recovery: the end comes after the usual hold', () => {
  const problem = explanation(api);
  const endsAfter = (pause: number): number | undefined => {
    const sim = simulation();
    sim.start();
    sim.step(15, [problem]);
    sim.step(60, []);
    sim.step(60 + pause, [problem]);
    sim.step(62 + pause, []);
    const { wakeAt } = sim.last();
    return wakeAt === undefined ? undefined : (wakeAt - at(62 + pause)) / 1000;
  };
  assert.equal(endsAfter(1), 180);
  assert.equal(endsAfter(20), 360);
});
