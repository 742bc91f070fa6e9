/** A restart that takes no time changes nothing of what people are told. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterRestart } from '../../src/incident/hearing.ts';
import { deliveryKeys } from '../../src/model/delivery.ts';
import type { Explanation } from '../../src/model/explanation.ts';
import { hearingOf } from '../../src/model/hearing.ts';
import type { Hearing, Incident, Sending, Told } from '../../src/model/incident.ts';
import type { Memo } from '../../src/model/memo.ts';
import { memoryOf } from '../../src/model/memory.ts';
import type { Settings } from '../../src/model/settings.ts';
import { fc } from '../fast-check.ts';
import { runs } from '../runs.ts';
import { at, explanation, finding, inShort, provider, settingsWith, silence, simulation } from './helpers.ts';
import { single, state } from './states.ts';

type Simulation = ReturnType<typeof simulation>;

/** What a process leaves, as it is read from a file. */
function left({ incidents }: Simulation): { incidents: Incident[]; memos: Memo[] } {
  const memos = Object.entries(incidents.memory()).flatMap(([topic, entries]) =>
    [...entries].map(([key, value]) => ({ topic, key, value })),
  );
  const saved = [...incidents.all()].filter(({ state }) => state !== 'Settling');
  return JSON.parse(JSON.stringify({ incidents: saved, memos })) as { incidents: Incident[]; memos: Memo[] };
}

/** The next process, which looks again at the same instant. */
function restarted(before: Simulation, settings: Settings, seconds: number): Simulation {
  const next = simulation(settings);
  const { incidents, memos } = left(before);
  next.incidents.restore(incidents, at(seconds), memoryOf(memos));
  return next;
}

const story = fc.array(fc.tuple(fc.integer({ min: 1, max: 400 }), state, fc.boolean()), {
  minLength: 1,
  maxLength: 25,
});

const variants = fc.constantFrom<Partial<Settings>>(
  {},
  { filters: { namespaces: ['!pay'], reasons: [] } },
  { silences: [silence('quiet', { namespaces: ['shop'] }, 500, 2000)] },
  { providers: [provider('oncall'), provider('team', { namespace: 'shop' })] },
  { providers: [provider('oncall', { usable: false }), provider('other')] },
);

function play(
  timeline: readonly (readonly [number, readonly Explanation[], boolean])[],
  options: Partial<Settings>,
  restarts: boolean,
): string[] {
  // Settling begins anew after a restart; here it is over at once.
  const detection = { ...settingsWith().detection, overrides: [{ selector: {}, settleSeconds: 0 }] };
  const settings = settingsWith({ ...options, detection });
  let sim = simulation(settings);
  sim.start();
  const told: string[] = [];
  let now = 0;
  for (const [seconds, explanations, dies] of timeline) {
    now += seconds;
    const isFirst = restarts && dies;
    if (isFirst) sim = restarted(sim, settings, now);
    sim.step(now, explanations, isFirst ? { baseline: true } : {});
    for (const announcement of sim.last().announcements) told.push(`${now}: ${inShort(announcement)}`);
  }
  return told;
}

test('whatever happens, restarts at any steps of it change nothing of what anybody is told', () => {
  fc.assert(
    fc.property(story, variants, (timeline, options) => {
      assert.deepEqual(play(timeline, options, true), play(timeline, options, false));
    }),
    { numRuns: runs(100), seed: 2026 },
  );
});

test('a storm goes on after a restart: what nobody has listed is listed, and single messages do not begin again', () => {
  const many = (count: number): Explanation[] =>
    Array.from({ length: count }, (_, index) =>
      explanation(`Deployment/shop/app-${index}`, { members: [finding(`Pod/shop/app-${index}-1`)] }),
    );
  const sim = simulation();
  sim.start();
  assert.deepEqual(sim.step(100, many(25)), ['overview/opening 25 → oncall']);
  assert.deepEqual(sim.step(110, many(30)), [], 'kept for the next overview');
  const next = restarted(sim, settingsWith(), 115);
  assert.deepEqual(next.step(115, many(31), { baseline: true }), []);
  const told = next.step(240, many(31));
  assert.deepEqual(told, ['overview/opening 6 → oncall']);
});

test('what broke in the second in which the process ended is news, though the API cuts off when in it', () => {
  const detection = { ...settingsWith().detection, overrides: [{ selector: {}, settleSeconds: 0 }] };
  const sim = simulation(settingsWith({ detection }));
  sim.start();
  const next = simulation(settingsWith({ detection }));
  const { incidents, memos } = left(sim);
  next.incidents.restore(incidents, at(100.6), memoryOf(memos));
  const broken = explanation('Deployment/shop/api', { members: [finding('Deployment/shop/api', { since: 100 })] });
  assert.deepEqual(next.step(103, [broken], { baseline: true, newlySeen: ['Deployment'] }), [
    'open Deployment/shop/api Settled → oncall',
  ]);
});

test('what is muted is counted on', () => {
  const settings = settingsWith({ silences: [silence('quiet', { namespaces: ['shop'] }, 0, 9_000)] });
  const sim = simulation(settings);
  sim.start();
  sim.step(20, [single('shop/a', 'high')]);
  sim.step(200, [single('shop/a', 'high')]);
  const next = restarted(sim, settings, 300);
  next.step(300, [single('shop/a', 'high'), single('shop/b', 'high')], { baseline: true });
  assert.equal(next.last().mutes.get('Silence/tocsin/quiet')?.suppressed, 2);
});

test('an end that is owed to a suspended provider is told once it is back, in another life', () => {
  const suspended = provider('oncall', { suspended: true, active: { is: false, reason: 'Suspended' } });
  const sim = simulation();
  sim.start();
  sim.step(100, [single('shop/a', 'high')]);
  sim.set({ providers: [suspended] });
  sim.step(200, []);
  sim.step(600, []);
  const next = restarted(sim, settingsWith({ providers: [suspended] }), 700);
  assert.deepEqual(next.step(700, [], { baseline: true }), []);
  next.set({ providers: [provider('oncall')] });
  assert.deepEqual(next.step(800, []), ['resolve Deployment/shop/a ProviderUsableAgain → oncall']);
});

test('a digest that was due in some minutes comes then, with what came before the restart and after it', () => {
  const sim = simulation();
  sim.start();
  sim.step(100, [single('shop/a', 'low')]);
  const next = restarted(sim, settingsWith(), 600);
  next.step(600, [single('shop/a', 'low')], { baseline: true });
  next.step(700, [single('shop/a', 'low'), single('shop/b', 'low')]);
  assert.deepEqual(next.step(1_899, [single('shop/a', 'low'), single('shop/b', 'low')]), []);
  assert.deepEqual(next.step(1_900, [single('shop/a', 'low'), single('shop/b', 'low')]), ['digest/opening 2 → oncall']);
});

test('after a restart what has ended was told, what waits is on its way, and what was dropped was told to nobody', () => {
  const sim = simulation(settingsWith({ providers: [provider('oncall')] }));
  sim.start();
  sim.step(1, [single('shop/a', 'high')]);
  sim.step(200, [single('shop/a', 'high')]);
  const [incident = assert.fail()] = sim.all();
  const { root, reason, severity } = incident.explanation;
  const told = (sequence: number): Told => ({ severity, reason, root: root.ref, affected: 1, at: sequence });
  const message = (act: Sending['act'], sequence: number): Sending => ({ act, sequence, told: told(sequence) });
  const idOf = ({ act, sequence }: Sending): string => deliveryKeys(incident.id, 'u', act, sequence).id;
  const [opening, update, later] = [message('open', 1), message('update', 2), message('update', 3)];
  const sending = [opening, update, later];
  const hearingAfter = (undelivered: readonly Sending[], ended: readonly Sending[]): Hearing => {
    const before: Incident = { ...incident, hearings: { u: { knows: 'nothing', sending } } };
    const left = { undelivered: new Set(undelivered.map(idOf)), ended: new Set(ended.map(idOf)) };
    return hearingOf(afterRestart(before, left), 'u');
  };
  assert.deepEqual(hearingAfter([later], [opening]), { knows: 'open', told: opening.told, sending: [later] });
  assert.deepEqual(hearingAfter([opening], [opening]), { knows: 'nothing', sending: [opening] });
  assert.deepEqual(hearingAfter([], []), { knows: 'nothing' });
});
