/** What was announced is always closed, whatever becomes of its provider in between. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DeliveryReport } from '../../src/model/delivery.ts';
import { nameOf } from '../../src/model/ref.ts';
import type { ProviderSettings } from '../../src/model/settings.ts';
import type { Traits } from '../../src/model/traits.ts';
import { at, endedAs, explanation, finding, isAbout, provider, settingsWith, simulation } from './helpers.ts';

const traits: Traits = new Map([['pagerduty', { plain: 'alert', family: 'pager', closesByKey: true }]]);
const pager = provider('pager', { type: 'pagerduty' });
const chat = provider('chat');
const api = 'Deployment/shop/api';
const crash = explanation(api);
const inactive = (reason: ProviderSettings['active']['reason']): ProviderSettings => ({
  ...pager,
  active: { is: false, reason },
  suspended: reason === 'Suspended',
  generation: 2,
});
const active = { ...pager, generation: 3 };

/** Told to the pager, which cannot be told when it ends. */
function endedWhile(reason: ProviderSettings['active']['reason']) {
  const sim = simulation(settingsWith({ providers: [pager, chat] }), traits);
  sim.start();
  sim.step(15, [crash]);
  sim.set({ providers: [inactive(reason), chat] });
  sim.step(60, [crash]);
  sim.step(100, []);
  assert.deepEqual(sim.step(280, []), [`resolve ${api} HeldGood → chat`]);
  return sim;
}

for (const reason of ['CommunityLimit', 'FallbackOnly'] as const)
  test(`what was announced is closed although its provider is not active any more (${reason}): an end is no new notification`, () => {
    const sim = simulation(settingsWith({ providers: [pager, chat] }), traits);
    sim.start();
    sim.step(15, [crash]);
    sim.set({ providers: [inactive(reason), chat] });
    sim.step(60, [crash]);
    sim.step(100, []);
    assert.deepEqual(sim.step(280, []), [`resolve ${api} HeldGood → pager,chat`]);
  });

for (const reason of ['Suspended', 'Invalid'] as const)
  test(`what ends while its provider is inactive (${reason}) is told as over when the provider is back, once`, () => {
    const sim = endedWhile(reason);
    assert.ok(sim.decisions.some(({ reasonCode, by }) => reasonCode === 'ProviderInactive' && by === pager.ref));
    assert.deepEqual(sim.step(1_000, []), []);
    sim.set({ providers: [active, chat] });
    assert.deepEqual(sim.step(90_000, []), [`resolve ${api} ProviderUsableAgain → pager`]);
    assert.deepEqual(sim.step(90_010, []), []);
  });

test('the end is owed for a week, then the incident is forgotten', () => {
  const sim = endedWhile('Suspended');
  const week = 7 * 86_400;
  sim.step(280 + week, []);
  sim.set({ providers: [active, chat] });
  assert.deepEqual(sim.step(290 + week, []), []);
});

test('a provider that was deleted is owed nothing, nor is the one made anew under its name', () => {
  const sim = endedWhile('Suspended');
  sim.set({ providers: [chat] });
  sim.step(300, []);
  sim.set({ providers: [{ ...pager, uid: 'another' }, chat] });
  assert.deepEqual(sim.step(310, []), []);
});

test('the end of what only a deleted provider was told is recorded as such', () => {
  const sim = simulation(settingsWith({ providers: [pager] }), traits);
  sim.start();
  sim.step(15, [crash]);
  sim.set({ providers: [] });
  sim.step(100, []);
  sim.step(280, []);
  assert.equal(sim.decisions.at(-1)?.reasonCode, 'ProviderDeleted');
});

test('an end that was refused is told at once when the credentials have changed', () => {
  const sim = simulation(settingsWith({ providers: [pager] }), traits);
  sim.start();
  sim.step(15, [crash]);
  sim.step(100, []);
  sim.step(280, []);
  sim.step(290, [], { reports: [endedAs(pager, sim.only().id, 'resolve', { at: at(290) })] });
  assert.deepEqual(sim.step(500, []), [], 'not before: it would be refused again');
  sim.set({ providers: [{ ...pager, credentialVersion: 'rotated' }] });
  assert.deepEqual(sim.step(510, []), [`resolve ${api} ProviderUsableAgain → pager`]);
});

test('an end that was refused is tried again with growing pauses, until the product takes it', () => {
  const sim = simulation(settingsWith({ providers: [pager] }), traits);
  sim.start();
  sim.step(15, [crash]);
  sim.step(100, []);
  sim.step(280, []);
  const tried: number[] = [];
  let sequence = 2;
  let reports: DeliveryReport[] = [endedAs(pager, sim.only().id, 'resolve', { at: at(290) })];
  for (let seconds = 290; seconds < 4 * 3_600; seconds += 10) {
    const told = sim.step(seconds, [], { reports });
    reports = [];
    if (told.length === 0) continue;
    tried.push(seconds);
    sequence += 1;
    reports = [endedAs(pager, sim.only().id, 'resolve', { at: at(seconds + 1), sequence })];
  }
  const pauses = tried.map((seconds, index) => Math.round((seconds - (tried[index - 1] ?? 290)) / 60));
  assert.deepEqual(pauses, [5, 10, 20, 40, 60, 60]);
});

test('an opening and its end that were both dropped unsent owe nobody anything', () => {
  const sim = simulation(settingsWith({ providers: [pager] }), traits);
  sim.start();
  sim.step(15, [crash]);
  sim.step(100, []);
  sim.step(280, []);
  const { id } = sim.only();
  for (const acts of [['resolve', 'open'] as const, ['open', 'resolve'] as const])
    sim.step(290, [], { reports: acts.map((act) => endedAs(pager, id, act, { ended: 'dropped' })) });
  sim.set({ providers: [active] });
  assert.deepEqual(sim.step(700, []), []);
});

test('who missed the end and the return hears nothing of either: it was open for them all the time', () => {
  const sim = endedWhile('Suspended');
  const again = explanation(api, { members: [finding('Pod/shop/api-new', { since: 300 })] });
  sim.step(300, [again]);
  assert.deepEqual(sim.step(315, [again]), [`reopen ${api} FailedAgainInCooldown → chat`]);
  sim.set({ providers: [active, chat] });
  assert.deepEqual(sim.step(400, [again]), []);
  sim.step(500, []);
  assert.deepEqual(sim.step(2_000, []), [`resolve ${api} HeldGood → pager`, `resolve ${api} HeldGood → chat`]);
});

test('who was told the end and missed the return hears that it is open again', () => {
  const sim = simulation(settingsWith({ providers: [pager] }), traits);
  sim.start();
  sim.step(15, [crash]);
  sim.step(100, []);
  sim.step(280, []);
  sim.set({ providers: [inactive('Suspended')] });
  const again = explanation(api, { members: [finding('Pod/shop/api-new', { since: 300 })] });
  sim.step(300, [again]);
  sim.step(315, [again]);
  sim.set({ providers: [active] });
  assert.deepEqual(sim.step(400, [again]), [`reopen ${api} CurrentlyOpen → pager`]);
});

test('an end is as severe as the worst that its reader was told, whatever others were told and it has become since', () => {
  const late = provider('late', { routes: [{ reasons: ['ReadinessProbeFailed'] }] });
  const sim = simulation(settingsWith({ edition: 'Pro', providers: [chat, late] }));
  sim.start();
  sim.step(15, [crash]);
  sim.step(30, [explanation(api, { severity: 'critical' })]);
  const milder = [explanation(api, { reason: 'ReadinessProbeFailed' })];
  for (const seconds of [700, 800, 1_000]) sim.step(seconds, seconds === 1_000 ? [] : milder);
  sim.step(1_400, []);
  const told = sim.told.filter(isAbout).map(({ act, incident, providers }) => {
    return `${act} ${incident.explanation.severity} ${providers.map((ref) => nameOf(ref)).join()}`;
  });
  assert.deepEqual(told, [
    'open high chat',
    'update critical chat',
    'open high late',
    'update high chat',
    'resolve critical chat',
    'resolve high late',
  ]);
});
