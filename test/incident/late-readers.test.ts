/** Providers that become able to deliver, and sources that come into sight later: who reads what, once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DeliveryReport } from '../../src/model/delivery.ts';
import type { ProviderSettings } from '../../src/model/settings.ts';
import type { Traits } from '../../src/model/traits.ts';
import { at, endedAs, explanation, finding, isSummary, provider, settingsWith, simulation, toldTo } from './helpers.ts';

const traits: Traits = new Map([
  ['pagerduty', { plain: 'alert', family: 'pager', closesByKey: true }],
  ['jira', { plain: 'none', family: 'tracker', closesByKey: true }],
]);
const oncall = provider('oncall', { credentialVersion: 'v1' });
const pager = provider('pager', { type: 'pagerduty' });
const api = 'Deployment/shop/api';
const crash = explanation(api);

const refused = (stream: string, provider: ProviderSettings, more: Partial<DeliveryReport> = {}): DeliveryReport =>
  endedAs(provider, stream, 'open', more);

test('what a wrong credential kept from a provider is told as soon as its Secret has changed', () => {
  const sim = simulation(settingsWith({ providers: [oncall] }));
  sim.start();
  sim.step(15, [crash]);
  sim.step(20, [crash], { reports: [refused(sim.only().id, oncall)] });
  assert.deepEqual(sim.step(60, [crash]), []);
  sim.set({ providers: [{ ...oncall, credentialVersion: 'v2' }] });
  assert.deepEqual(sim.step(61, [crash]), ['startup/opening 1 → oncall']);
  assert.deepEqual(sim.step(62, [crash]), []);
});

test('a provider that was made anew under its name is told what is open, and nothing waits for the old one', () => {
  const slack = provider('oncall', { type: 'slack', uid: 'old' });
  const anew = provider('oncall', { type: 'pagerduty', uid: 'new' });
  const sim = simulation(settingsWith({ providers: [slack] }), traits);
  sim.start();
  sim.step(15, [crash]);
  sim.set({ providers: [anew] });
  assert.deepEqual(sim.step(70, [crash]), [`open ${api} CurrentlyOpen → oncall`]);
  sim.step(100, []);
  assert.deepEqual(sim.step(280, []), [`resolve ${api} HeldGood → oncall`]);
  assert.deepEqual(toldTo(sim.only()), ['old', 'new']);
});

test('a baseline that a provider read is read again by the one made anew under its name', () => {
  const sim = simulation(settingsWith({ providers: [provider('oncall', { uid: 'old' })] }));
  sim.start([crash], 600);
  sim.set({ providers: [provider('oncall', { uid: 'new' })] });
  assert.deepEqual(sim.step(700, [crash]), ['startup/opening 1 → oncall']);
});

test('what provider and fallback both refused is told when either of them is repaired', () => {
  const mail = provider('mail', { active: { is: false, reason: 'FallbackOnly' } });
  const first = { ...oncall, fallback: mail.ref };
  for (const [repaired, told] of [
    [[{ ...first, credentialVersion: 'v2' }, mail], 'startup/opening 1 → oncall'],
    [[first, { ...mail, generation: 2 }], 'startup/opening 1 → oncall'],
  ] as const) {
    const sim = simulation(settingsWith({ providers: [first, mail] }));
    sim.start();
    sim.step(15, [crash]);
    const { id } = sim.only();
    assert.deepEqual(sim.step(20, [crash], { reports: [refused(id, first)] }), [`open ${api} StandsIn → mail`]);
    assert.deepEqual(toldTo(sim.only()), [mail.uid], 'the fallback is told, the provider is not');
    sim.step(30, [crash], { reports: [refused(id, mail, { sequence: 2 })] });
    assert.deepEqual(toldTo(sim.only()), [], 'nobody was told');
    sim.set({ providers: repaired });
    assert.ok(sim.step(40, [crash]).includes(told));
  }
});

test('what was given up in a long outage of the product is told once it takes messages again', () => {
  const sim = simulation(settingsWith({ providers: [oncall] }));
  const web = explanation('Deployment/shop/web', { members: [finding('Pod/shop/web-1', { since: 86_510 })] });
  sim.start();
  sim.step(15, [crash]);
  const expired = { class: 'retryable', code: 'Expired', message: 'not delivered within 24 h' } as const;
  sim.step(86_500, [crash], { reports: [refused(sim.only().id, oncall, { failure: expired })] });
  sim.step(86_510, [crash, web]);
  assert.deepEqual(sim.step(86_525, [crash, web]), ['open Deployment/shop/web Settled → oncall']);
  const stream = sim.all().at(-1)?.id ?? '';
  const taken = refused(stream, oncall, { ended: 'delivered' });
  assert.deepEqual(sim.step(86_530, [crash, web], { reports: [taken] }), ['startup/opening 1 → oncall']);
  assert.deepEqual(sim.step(86_540, [crash, web], { reports: [taken] }), [], 'once');
});

test('where nothing else is told, the product is asked by one message whether it takes them again', () => {
  const sim = simulation(settingsWith({ providers: [oncall] }));
  sim.start();
  sim.step(15, [crash]);
  const expired = { class: 'retryable', code: 'Expired', message: 'not delivered within 24 h' } as const;
  sim.step(86_500, [crash], { reports: [refused(sim.only().id, oncall, { failure: expired })] });
  assert.equal(sim.last().wakeAt, at(86_800));
  assert.deepEqual(sim.step(86_800, [crash]), ['startup/opening 1 → oncall']);
});

test('what a product refused is not told again because it takes other messages', () => {
  const sim = simulation(settingsWith({ providers: [oncall] }));
  sim.start();
  sim.step(15, [crash]);
  const { id } = sim.only();
  const failure = { class: 'permanent', code: 'Rejected', message: '400' } as const;
  sim.step(20, [crash], { reports: [refused(id, oncall, { failure })] });
  assert.deepEqual(sim.step(30, [crash], { reports: [refused('x', oncall, { ended: 'delivered' })] }), []);
});

const old = (name: string, since = 0) =>
  explanation(`Deployment/shop/${name}`, {
    reason: 'DeploymentUnavailable',
    members: [finding(`Deployment/shop/${name}`, { reason: 'DeploymentUnavailable', since })],
  });

test('what was broken before Tocsin was allowed to see it is one summary when it is, and its end is not told', () => {
  const sim = simulation(settingsWith({ providers: [oncall] }));
  sim.start();
  const found = Array.from({ length: 15 }, (_, index) => old(`app-${index}`));
  assert.deepEqual(sim.step(3_600, found, { newlySeen: ['Deployment'] }), ['startup/opening 15 → oncall']);
  const [summary] = sim.told.filter(isSummary);
  assert.deepEqual([summary?.atStart, summary?.newlySeen], [true, ['Deployment']]);
  sim.step(3_700, []);
  assert.deepEqual(sim.step(4_000, []), []);
});

test('what began only just before it could be seen is ordinary', () => {
  const sim = simulation(settingsWith({ providers: [oncall] }));
  sim.start();
  const both = [old('old'), old('new', 3_595)];
  assert.deepEqual(sim.step(3_600, both, { newlySeen: ['Deployment'] }), ['startup/opening 1 → oncall']);
  assert.deepEqual(sim.step(3_610, both), ['open Deployment/shop/new Settled → oncall']);
});

test('what begins in the moment at which objects of another kind come into sight is news, however soon it settles', () => {
  const detection = { ...settingsWith().detection, overrides: [{ selector: {}, settleSeconds: 0 }] };
  const sim = simulation(settingsWith({ providers: [oncall], detection }));
  sim.start();
  assert.deepEqual(sim.step(3_600, [old('new', 3_599)], { newlySeen: ['Ingress'] }), [
    'open Deployment/shop/new Settled → oncall',
  ]);
});

test('what was followed already is no part of the summary of what came into sight', () => {
  const sim = simulation(settingsWith({ providers: [oncall] }));
  sim.start();
  sim.step(15, [crash]);
  assert.deepEqual(sim.step(3_600, [crash], { newlySeen: ['Deployment'] }), []);
});

test('a pager makes one alert of what came into sight, and closes it when all of that is over', () => {
  const sim = simulation(settingsWith({ providers: [pager] }), traits);
  sim.start();
  const found = [old('a'), old('b')];
  assert.deepEqual(sim.step(3_600, found, { newlySeen: ['Deployment'] }), ['startup/opening 2 → pager']);
  sim.step(3_700, []);
  assert.ok(sim.step(4_000, []).includes('startup/closing 2 → pager'));
});

test('another failure of what was broken at the start is told, and what follows from the first is not', () => {
  const sim = simulation(settingsWith({ providers: [oncall] }));
  sim.start([crash], 600);
  const unavailable = explanation(api, {
    reason: 'DeploymentUnavailable',
    members: [...crash.members, finding(api, { reason: 'DeploymentUnavailable', since: 700 })],
  });
  assert.deepEqual(sim.step(1_000, [unavailable]), [], 'the same failure, seen at the workload');
  const other = explanation(api, {
    reason: 'ImageNotFound',
    members: [finding('Pod/shop/api-new', { reason: 'ImageNotFound', since: 3_600 })],
  });
  assert.deepEqual(sim.step(3_605, [other]), []);
  assert.deepEqual(sim.step(3_615, [other]), [`open ${api} AnotherFailure → oncall`]);
  assert.deepEqual(sim.step(3_700, [other]), [], 'once');
  sim.step(3_800, []);
  assert.deepEqual(sim.step(3_980, []), [`resolve ${api} HeldGood → oncall`]);
});

test('a problem whose cause gets a more precise name after the start is no other failure', () => {
  const sim = simulation(settingsWith({ providers: [oncall] }));
  const named = (reason: 'PodNotReady' | 'CrashLoopBackOff' | 'OOMKilled') => explanation(api, { reason });
  sim.start([named('PodNotReady')], 600);
  assert.deepEqual(sim.step(700, [named('CrashLoopBackOff')]), []);
  const crashing = simulation(settingsWith({ providers: [oncall] }));
  crashing.start([named('CrashLoopBackOff')], 600);
  assert.deepEqual(crashing.step(700, [named('OOMKilled')]), []);
});
