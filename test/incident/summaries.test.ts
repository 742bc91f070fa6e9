import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DeliveryReport } from '../../src/model/delivery.ts';
import type { Explanation } from '../../src/model/explanation.ts';
import { nameOf } from '../../src/model/ref.ts';
import {
  at,
  endedAs,
  explanation,
  finding,
  isSummary,
  provider,
  settingsWith,
  silence,
  simulation,
} from './helpers.ts';

const api = 'Deployment/shop/api';
const crash = explanation(api);
const oncall = provider('oncall');

function failed(
  stream: string,
  ref: DeliveryReport['provider'],
  act: DeliveryReport['act'],
  mayHaveArrived = false,
): DeliveryReport {
  return {
    delivery: 'd',
    stream,
    provider: ref,
    providerUid: nameOf(ref),
    act,
    ended: 'failed',
    attempts: 1,
    mayHaveArrived,
    sequence: act === 'resolve' ? 2 : 1,
    durationMs: 1,
    at: at(0),
  };
}

const many = (count: number, options: Parameters<typeof explanation>[1] = {}): Explanation[] =>
  Array.from({ length: count }, (_, index) =>
    explanation(`Deployment/shop/app-${String(index).padStart(2, '0')}`, options),
  );

test('what was broken at the start is one startup summary and nothing else', () => {
  const broken = [...many(4), explanation('Deployment/shop/bad', { severity: 'critical' })];
  const sim = simulation();
  assert.deepEqual(sim.start(broken, 600), ['startup/opening 5 → oncall']);
  const [summary] = sim.told.filter(isSummary);
  assert.deepEqual(summary?.bySeverity, { critical: 1, high: 4, medium: 0, low: 0 });
  assert.equal(summary?.entries[0]?.root, 'Deployment/shop/bad');
  assert.ok(sim.decisions.every(({ disposition }) => disposition === 'Baseline'));
  assert.deepEqual(sim.step(700, broken), []);
  sim.step(800, []);
  assert.deepEqual(sim.step(1000, []), []);
  assert.ok(sim.all().every(({ state }) => state === 'Resolved'));
});

test('the startup summary names the worst ten', () => {
  const sim = simulation();
  sim.start(many(15), 600);
  const [summary] = sim.told.filter(isSummary);
  assert.equal(summary?.entries.length, 10);
  assert.equal(summary?.total, 15);
});

test('what is not yet mature at the baseline is ordinary', () => {
  const sim = simulation();
  assert.deepEqual(sim.start([crash], 10), []);
  assert.deepEqual(sim.step(15, [crash]), [`open ${api} Settled → oncall`]);
});

test('a baseline problem that cleared and fails again is ordinary', () => {
  const sim = simulation();
  sim.start([crash], 600);
  sim.step(700, []);
  sim.step(900, []);
  const again = explanation(api, { members: [finding('Pod/shop/api-c', { since: 1000 })] });
  sim.step(1000, [again]);
  assert.deepEqual(sim.step(1015, [again]), [`open ${api} FailedAgainInCooldown → oncall`]);
});

test('with nothing broken there is a startup message only if always asked for', () => {
  const always = { ...settingsWith().app, startupMessage: 'Always' } as const;
  assert.deepEqual(simulation().start([], 600), []);
  assert.deepEqual(simulation(settingsWith({ app: always })).start([], 600), ['startup/opening 0 → oncall']);
});

test('with startupMessage Never the baseline is not told', () => {
  const sim = simulation(settingsWith({ app: { ...settingsWith().app, startupMessage: 'Never' } }));
  assert.deepEqual(sim.start([crash], 600), []);
});

test('the startup summary leaves out what is filtered or silenced', () => {
  const sim = simulation(settingsWith({ silences: [silence('quiet', { names: ['api'] }, 0, 5000)] }));
  assert.deepEqual(sim.start([crash, explanation('Deployment/shop/web')], 600), ['startup/opening 1 → oncall']);
});

test('the startup summary waits for the first usable provider', () => {
  const sim = simulation();
  sim.setUsable(false);
  assert.deepEqual(sim.start([crash], 600), []);
  assert.deepEqual(sim.step(700, [crash]), []);
  sim.setUsable(true);
  assert.deepEqual(sim.step(800, [crash]), ['startup/opening 1 → oncall']);
  assert.deepEqual(sim.step(801, [crash]), []);
});

test('what opened while nobody was configured is one summary to the first provider, and its end is told', () => {
  const sim = simulation(settingsWith({ providers: [] }));
  sim.start();
  const two = [crash, explanation('Deployment/shop/web')];
  assert.deepEqual(sim.step(15, two), []);
  assert.ok(sim.decisions.every(({ reasonCode }) => reasonCode === 'NoProvider'));
  sim.set({ providers: [oncall] });
  assert.deepEqual(sim.step(100, two), ['startup/opening 2 → oncall']);
  const [summary] = sim.told.filter(isSummary);
  sim.step(101, two, { reports: [endedAs(oncall, summary?.id ?? '', 'startup', { ended: 'delivered' })] });
  sim.step(200, []);
  assert.equal(sim.step(400, []).length, 2);
});

test('what ends while the list that names it is on its way is told as over once that has arrived, not before', () => {
  const sim = simulation(settingsWith({ providers: [] }));
  sim.start();
  sim.step(15, [crash]);
  sim.set({ providers: [oncall] });
  assert.deepEqual(sim.step(100, [crash]), ['startup/opening 1 → oncall']);
  sim.step(200, []);
  assert.deepEqual(sim.step(400, []), []);
  const [summary] = sim.told.filter(isSummary);
  const arrived = endedAs(oncall, summary?.id ?? '', 'startup', { ended: 'delivered' });
  assert.deepEqual(sim.step(500, [], { reports: [arrived] }), [`resolve ${api} ProviderUsableAgain → oncall`]);
});

test('what ended before anybody was configured is never told', () => {
  const sim = simulation(settingsWith({ providers: [] }));
  sim.start();
  sim.step(15, [crash]);
  sim.step(100, []);
  sim.step(280, []);
  sim.set({ providers: [oncall] });
  assert.deepEqual(sim.step(300, []), []);
});

test('an opening that was refused for good is told again when the provider works again, and not before', () => {
  const sim = simulation();
  sim.start();
  sim.step(15, [crash]);
  sim.step(20, [crash], { reports: [failed(sim.only().id, oncall.ref, 'open')] });
  assert.deepEqual(sim.step(25, [crash]), []);
  sim.set({ providers: [{ ...oncall, generation: 2 }] });
  assert.deepEqual(sim.step(30, [crash]), ['startup/opening 1 → oncall']);
});

test('an opening that may have arrived is not told again, and is closed', () => {
  const sim = simulation();
  sim.start();
  sim.step(15, [crash]);
  sim.step(20, [crash], { reports: [failed(sim.only().id, oncall.ref, 'open', true)] });
  sim.set({ providers: [{ ...oncall, generation: 2 }] });
  assert.deepEqual(sim.step(30, [crash]), []);
  sim.step(100, []);
  assert.deepEqual(sim.step(280, []), [`resolve ${api} HeldGood → oncall`]);
});

test('a startup summary that was refused is sent again when the provider is repaired', () => {
  const sim = simulation();
  sim.start([crash], 600);
  const [summary] = sim.told.filter(isSummary);
  sim.step(610, [crash], { reports: [failed(summary?.id ?? '', oncall.ref, 'startup')] });
  sim.setUsable(false);
  sim.step(620, [crash]);
  sim.setUsable(true);
  assert.deepEqual(sim.step(630, [crash]), ['startup/opening 1 → oncall']);
});

test('a deleted provider gets nothing more', () => {
  const sim = simulation(settingsWith({ providers: [oncall, provider('other')] }));
  sim.start();
  sim.step(15, [crash]);
  sim.set({ providers: [oncall] });
  sim.step(100, []);
  assert.deepEqual(sim.step(280, []), [`resolve ${api} HeldGood → oncall`]);
});

test('more than 20 announcements in a minute become one overview, closed by one when all of it is over', () => {
  const storm = many(25, { members: [] }).map((one, index) => ({
    ...one,
    members: [finding(`Pod/shop/p-${index}`, { reason: 'CrashLoopBackOff' })],
  }));
  const sim = simulation();
  sim.start();
  assert.deepEqual(sim.step(100, storm), ['overview/opening 25 → oncall']);
  sim.step(200, storm.slice(0, 3));
  assert.deepEqual(sim.step(400, storm.slice(0, 3)), []);
  sim.step(500, []);
  assert.deepEqual(sim.step(700, []), ['overview/closing 25 → oncall']);
});

test('what comes in the course of a storm is listed once it is calm', () => {
  const storm = many(30);
  const sim = simulation();
  sim.start();
  sim.step(100, storm.slice(0, 21));
  assert.deepEqual(sim.step(110, storm), []);
  assert.equal(sim.last().wakeAt, at(160));
  assert.deepEqual(sim.step(160, storm), ['overview/opening 9 → oncall']);
  assert.deepEqual(sim.step(300, [...storm, crash]), [`open ${api} Settled → oncall`]);
});

test('announcements of the minute count together', () => {
  const storm = many(25);
  const sim = simulation();
  sim.start();
  assert.equal(sim.step(100, storm.slice(0, 15)).length, 15);
  assert.deepEqual(sim.step(130, storm), ['overview/opening 10 → oncall']);
});

const mail = provider('mail', { active: { is: false, reason: 'FallbackOnly' } });
const held = provider('oncall', { fallback: mail.ref });

test('a fallback hears what the provider could not be told, and the provider stays owed', () => {
  const sim = simulation(settingsWith({ providers: [held, mail] }));
  sim.start();
  sim.step(15, [crash]);
  const { id } = sim.only();
  const silent = { ended: 'pending', overdue: true, at: at(60) } as const;
  assert.deepEqual(sim.step(60, [crash], { reports: [endedAs(held, id, 'open', silent)] }), [
    `open ${api} StandsIn → mail`,
  ]);
  assert.deepEqual(sim.step(70, [crash], { reports: [endedAs(held, id, 'open', silent)] }), [], 'once');
  sim.step(100, []);
  assert.deepEqual(sim.step(280, []), [`resolve ${api} HeldGood → oncall,mail`]);
});

test('a fallback that knows already gets a remark, and no second opening', () => {
  const chat = provider('mail');
  const sim = simulation(settingsWith({ providers: [held, chat] }));
  sim.start();
  assert.deepEqual(sim.step(15, [crash]), [`open ${api} Settled → oncall,mail`]);
  const silent = { ended: 'pending', overdue: true, at: at(60) } as const;
  assert.deepEqual(sim.step(60, [crash], { reports: [endedAs(held, sim.only().id, 'open', silent)] }), [
    `update ${api} StandsIn → mail`,
  ]);
});

test('an opening that the fallback could not deliver either was told to nobody', () => {
  const sim = simulation(settingsWith({ providers: [held, mail] }));
  sim.start();
  sim.step(15, [crash]);
  const { id } = sim.only();
  sim.step(20, [crash], { reports: [failed(id, held.ref, 'open')] });
  sim.step(30, [crash], { reports: [{ ...failed(id, mail.ref, 'open'), sequence: 2 }] });
  sim.set({ providers: [{ ...held, generation: 2 }, mail] });
  assert.deepEqual(sim.step(40, [crash]), ['startup/opening 1 → oncall']);
});

test('an opening that no fallback took, though one is configured, is told when the provider works again', () => {
  const sim = simulation(settingsWith({ providers: [held] }));
  sim.start();
  sim.step(15, [crash]);
  sim.step(20, [crash], { reports: [failed(sim.only().id, oncall.ref, 'open')] });
  sim.set({ providers: [{ ...held, generation: 2 }] });
  assert.deepEqual(sim.step(30, [crash]), ['startup/opening 1 → oncall']);
});

test('a summary that was refused announced nothing: the end of what it listed is not told', () => {
  const sim = simulation(settingsWith({ providers: [] }));
  sim.start();
  sim.step(15, [crash]);
  sim.set({ providers: [oncall] });
  sim.step(100, [crash]);
  const [summary] = sim.told.filter(isSummary);
  sim.step(110, [crash], { reports: [failed(summary?.id ?? '', oncall.ref, 'startup')] });
  sim.step(200, []);
  assert.deepEqual(sim.step(400, []), []);
});

test('a provider that was repaired twice reads of each open incident once', () => {
  const sim = simulation();
  sim.start([crash], 600);
  sim.set({ providers: [{ ...oncall, generation: 2 }] });
  assert.deepEqual(sim.step(700, [crash]), []);
});

test('the greeting of a start with nothing broken is said once', () => {
  const sim = simulation(settingsWith({ app: { ...settingsWith().app, startupMessage: 'Always' } }));
  assert.equal(sim.start().length, 1);
  sim.set({ providers: [oncall, provider('second')] });
  assert.deepEqual(sim.step(10, []), []);
});
