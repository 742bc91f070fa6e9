/** What was announced is always closed, whatever becomes of its provider in between. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DeliveryReport } from '../../src/model/delivery.ts';
import type { ProviderSettings } from '../../src/model/settings.ts';
import type { Traits } from '../../src/model/traits.ts';
import { at, explanation, finding, provider, settingsWith, simulation } from './helpers.ts';

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

function refused({ ref, uid }: ProviderSettings, stream: string, act: DeliveryReport['act']): DeliveryReport {
  return {
    ...{ delivery: 'd', stream, provider: ref, providerUid: uid, act, ended: 'failed', attempts: 1, at: at(0) },
    ...{ mayHaveArrived: false, untold: [{ provider: ref, providerUid: uid }], durationMs: 1 },
  };
}

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

for (const reason of ['Suspended', 'Invalid', 'CommunityLimit', 'FallbackOnly'] as const)
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
  assert.equal(sim.only().endOwedTo, undefined);
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

test('an end that was refused is told when the credentials have changed', () => {
  const sim = simulation(settingsWith({ providers: [pager] }), traits);
  sim.start();
  sim.step(15, [crash]);
  sim.step(100, []);
  sim.step(280, []);
  sim.step(290, [], { reports: [refused(pager, sim.only().id, 'resolve')] });
  assert.deepEqual(sim.step(600, []), [], 'not before: it would be refused again');
  sim.set({ providers: [{ ...pager, credentialVersion: 'rotated' }] });
  assert.deepEqual(sim.step(700, []), [`resolve ${api} ProviderUsableAgain → pager`]);
});

test('an opening and its end that were both dropped unsent owe nobody anything', () => {
  const sim = simulation(settingsWith({ providers: [pager] }), traits);
  sim.start();
  sim.step(15, [crash]);
  sim.step(100, []);
  sim.step(280, []);
  const { id } = sim.only();
  for (const acts of [['resolve', 'open'] as const, ['open', 'resolve'] as const])
    sim.step(290, [], { reports: acts.map((act) => ({ ...refused(pager, id, act), ended: 'dropped' })) });
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
  assert.deepEqual(sim.step(2_000, []), [`resolve ${api} HeldGood → pager,chat`]);
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
