/** What differs for products that are no chats: pagers make alerts, trackers make issues, and neither must miss an incident. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actOf } from '../../src/model/announcement.ts';
import type { Traits } from '../../src/model/traits.ts';
import {
  endedAs,
  explanation,
  finding,
  isAbout,
  isSummary,
  provider,
  settingsWith,
  silence,
  simulation,
} from './helpers.ts';

const traits: Traits = new Map([
  ['pagerduty', { plain: 'alert', family: 'pager', closesByKey: true }],
  ['jira', { plain: 'none', family: 'tracker', closesByKey: true }],
]);
const chat = provider('chat');
const pager = provider('pager', { type: 'pagerduty' });
const tracker = provider('tracker', { type: 'jira' });
const api = 'Deployment/shop/api';
const crash = explanation(api);
const mild = explanation('Deployment/shop/mild', { severity: 'medium' });
const low = explanation('Deployment/shop/low', { severity: 'low' });
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => explanation(`Deployment/shop/many-${index}`));
const withProviders = (...providers: readonly ReturnType<typeof provider>[]) =>
  simulation(settingsWith({ providers: [...providers] }), traits);

test('trackers get every incident of a storm, a pager one alert of the flood of a namespace, and that of each other team', () => {
  const sim = withProviders(chat, pager, tracker);
  const other = explanation('Deployment/pay/checkout');
  sim.start();
  const told = sim.step(100, [...many(25), other]);
  assert.equal(told.filter((line) => line.endsWith('→ tracker')).length, 25);
  assert.deepEqual(
    told.filter((line) => !line.endsWith('→ tracker')),
    [
      'open Deployment/pay/checkout Settled → chat,pager,tracker',
      'overview/opening 25 → chat',
      'overview/opening 25 → pager',
    ],
  );
});

test('the alert of a flood is changed by what comes in its course, and closed once all of that is over', () => {
  const sim = withProviders(pager);
  sim.start();
  sim.step(100, many(25));
  const late = explanation('Deployment/shop/late', { members: [finding('Pod/shop/late-1', { since: 70 })] });
  assert.deepEqual(sim.step(150, [...many(25), late]), []);
  assert.deepEqual(sim.step(161, [...many(25), late]), ['overview/opening 26 → pager']);
  sim.step(1_000, [late]);
  sim.step(1_200, [late]);
  assert.deepEqual(sim.step(1_300, []), [], 'recovers');
  assert.deepEqual(sim.step(1_500, []), ['overview/closing 26 → pager']);
  const lists = sim.told.filter(isSummary);
  assert.deepEqual([...new Set(lists.map(({ id }) => id))].length, 1, 'one alert');
  assert.deepEqual(lists.map(actOf), ['startup', 'startup', 'resolve']);
  const order = lists.map(({ sequence = 0 }) => sequence);
  assert.deepEqual(
    order,
    [...new Set(order)].toSorted((a, b) => a - b),
  );
  sim.step(3_000, []);
  sim.step(3_100, many(25));
  assert.notEqual(sim.told.filter(isSummary).at(-1)?.id, lists[0]?.id, 'another flood is another alert');
});

test('what a flood has swallowed is told by its next overview, though the alert of those before has just arrived', () => {
  const sim = withProviders(pager);
  sim.start();
  sim.step(100, many(25));
  const [alert] = sim.told.filter(isSummary);
  sim.step(110, many(30));
  const sequence = alert?.sequence ?? 1;
  const reports = [endedAs(pager, alert?.id ?? '', 'startup', { ended: 'delivered', sequence })];
  assert.deepEqual(sim.step(111, many(30), { reports }), []);
  assert.deepEqual([...sim.step(161, many(30)), ...sim.step(221, many(30))], ['overview/opening 30 → pager']);
});

test('a pager that could not be told of a flood, or comes to it, gets one alert of it, and what else is open one by one', () => {
  const sim = withProviders({ ...pager, suspended: true, active: { is: false, reason: 'Suspended' } }, chat);
  sim.start();
  const others = ['a', 'b'].map((name) => explanation(`Deployment/pay/${name}`));
  const all = [...many(25), ...others];
  sim.step(100, all);
  sim.set({ providers: [{ ...pager, generation: 2 }, chat] });
  const told = [...sim.step(200, all), ...sim.step(201, all)].filter((line) => line.endsWith('→ pager'));
  assert.deepEqual(told.toSorted(), [
    'open Deployment/pay/a CurrentlyOpen → pager',
    'open Deployment/pay/b CurrentlyOpen → pager',
    'overview/opening 25 → pager',
  ]);
});

test('a later overview of a flood does not name what has been silenced since', () => {
  const sim = withProviders(pager);
  sim.start();
  sim.step(100, many(25));
  const late = explanation('Deployment/shop/late', { members: [finding('Pod/shop/late-1', { since: 70 })] });
  sim.step(150, [...many(25), late]);
  sim.set({ silences: [silence('quiet', { names: ['many-7'] }, 155, 900)] });
  assert.deepEqual(sim.step(161, [...many(25), late]), ['overview/opening 25 → pager']);
});

test('one fault that hits many namespaces a little is told to a pager one by one', () => {
  const sim = withProviders(pager);
  sim.start();
  const all = Array.from({ length: 60 }, (_, index) => explanation(`Deployment/team-${index % 12}/app-${index}`));
  assert.equal(sim.step(100, all).filter((line) => line.startsWith('open')).length, 60);
});

test('a pager makes one alert of what is urgent at the start, and none of what is not', () => {
  const sim = withProviders(chat, pager);
  assert.deepEqual(sim.start([crash, mild], 600), ['startup/opening 2 → chat', 'startup/opening 1 → pager']);
  assert.deepEqual(withProviders(pager).start([mild], 600), []);
});

test('the alert of the start is closed when all it stood for is over, under the key it was opened with', () => {
  const other = explanation('Deployment/shop/other');
  const sim = withProviders(pager);
  sim.start([crash, other], 600);
  sim.step(700, [other]);
  assert.equal(sim.step(1_000, [other]).filter((line) => line.startsWith('startup')).length, 0, 'one is still open');
  sim.step(1_100, []);
  assert.ok(sim.step(1_400, []).includes('startup/closing 2 → pager'));
  const [opened, closed] = sim.told.filter(isSummary);
  assert.equal(closed?.id, opened?.id, 'one stream, so that the order holds');
  assert.equal(closed?.alertKey, opened?.alertKey);
  assert.ok(opened?.alertKey);
});

test('after a restart the alert of the start has the same key', () => {
  const keys = [600, 9_000].map((seconds) => {
    const sim = withProviders(pager);
    sim.start([crash], seconds);
    return sim.told.find(isSummary)?.alertKey;
  });
  assert.equal(keys[0], keys[1]);
});

test('the end of what was there at the start is told to pagers and trackers, who close it by its key, and to no chat', () => {
  const sim = withProviders(chat, pager, tracker);
  sim.start([crash], 600);
  sim.step(700, []);
  const told = sim.step(1_000, []).filter((line) => line.startsWith('resolve'));
  assert.deepEqual(told, [`resolve ${api} HeldGood → pager,tracker`]);
  assert.equal(sim.decisions.at(-1)?.reasonCode, 'ClosedByKey');
});

test('what was there at the start and gets worse is told: an opening for chats and pagers, an update for trackers, who look', () => {
  const sim = withProviders(chat, pager, tracker);
  const worse = explanation('Deployment/shop/mild', { severity: 'critical' });
  sim.start([mild], 600);
  assert.deepEqual(sim.step(610, [mild]), []);
  assert.deepEqual(sim.step(700, [worse]), [
    'open Deployment/shop/mild SeverityRaised → chat,pager',
    'update Deployment/shop/mild SeverityRaised → tracker',
  ]);
  const update = sim.told.filter(isAbout).find(({ act }) => act === 'update');
  assert.equal(update?.before?.severity, 'medium');
  assert.deepEqual(sim.step(710, [worse]), [], 'once');
  sim.step(720, []);
  assert.deepEqual(sim.step(1_000, []), ['resolve Deployment/shop/mild HeldGood → chat,pager,tracker']);
});

test('what was there at the start and gets milder, or is muted, is not told', () => {
  const sim = withProviders(chat, pager);
  sim.start([crash, mild], 600);
  const milder = explanation(api, { severity: 'medium' });
  assert.deepEqual(sim.step(700, [milder, mild]), []);
  sim.set({ silences: [silence('quiet', { reasons: ['CrashLoopBackOff'] }, 700, 900)] });
  const worse = explanation('Deployment/shop/mild', { severity: 'critical' });
  assert.deepEqual(sim.step(710, [milder, worse]), []);
  assert.deepEqual(sim.step(901, [milder, worse]), ['open Deployment/shop/mild SilenceEnded → chat,pager']);
});

test('what was there at the start and fails again after its end is ordinary: an opening for the chat', () => {
  const sim = withProviders(chat, pager);
  sim.start([crash], 600);
  sim.step(700, []);
  sim.step(1_000, []);
  const told = [...sim.step(1_100, [crash]), ...sim.step(1_200, [crash])];
  assert.ok(
    told.some((line) => line.startsWith(`open ${api}`) && line.endsWith('→ chat')),
    told.join('; '),
  );
  assert.ok(
    told.some((line) => line.startsWith(`reopen ${api}`) && line.endsWith('→ pager')),
    told.join('; '),
  );
});

test('a pager that is configured later gets what is open one by one, a chat one summary', () => {
  const sim = simulation(settingsWith({ providers: [] }), traits);
  sim.start();
  sim.step(15, [crash, explanation('Deployment/shop/other')]);
  sim.set({ providers: [chat, pager] });
  const told = sim.step(100, [crash, explanation('Deployment/shop/other')]);
  assert.deepEqual(told, [
    'startup/opening 2 → chat',
    `open ${api} CurrentlyOpen → pager`,
    'open Deployment/shop/other CurrentlyOpen → pager',
  ]);
  assert.deepEqual(sim.step(110, [crash, explanation('Deployment/shop/other')]), [], 'once');
});

test('summaries that a product cannot show go to the first fallback that can, once', () => {
  const viaChat = provider('tracker', { type: 'jira', fallback: pager.ref });
  const chain = { ...pager, fallback: chat.ref, active: { is: false, reason: 'FallbackOnly' } } as const;
  const spare = { ...chat, active: { is: false, reason: 'FallbackOnly' } } as const;
  const sim = withProviders(viaChat, chain, spare);
  assert.deepEqual(sim.start([crash], 600), ['startup/opening 1 → pager']);
  sim.step(610, [crash, low]);
  assert.deepEqual(sim.step(3_000, [crash, low]), ['digest/opening 1 → chat']);
  assert.deepEqual(sim.step(6_000, [crash, low]), [], 'listed once');
});

test('a fallback that is active itself reads its own summaries only', () => {
  const sim = withProviders(provider('tracker', { type: 'jira', fallback: chat.ref }), chat);
  assert.deepEqual(sim.start([crash], 600), ['startup/opening 1 → chat']);
});

test('without anybody who can show them, summaries go nowhere and nothing fails', () => {
  const sim = withProviders(tracker);
  assert.deepEqual(sim.start([crash], 600), []);
  sim.step(610, [crash, low]);
  assert.deepEqual(sim.step(3_000, [crash, low]), []);
});
