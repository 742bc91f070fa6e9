/** Routes: who is told of an incident, of what it becomes, and of its end. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Explanation } from '../../src/model/explanation.ts';
import { nameOf } from '../../src/model/ref.ts';
import type { ProviderSettings } from '../../src/model/settings.ts';
import type { Traits } from '../../src/model/traits.ts';
import {
  at,
  endedAs,
  explanation,
  finding,
  isSummary,
  lostNode,
  marks,
  provider,
  settingsWith,
  silence,
  simulation,
  toldTo,
} from './helpers.ts';

const api = 'Deployment/shop/api';
const crash = explanation(api);
const critical = explanation(api, { severity: 'critical' });
const chat = provider('chat');
const pager = provider('pager', { routes: [{ severities: ['critical'] }] });
const onPro = (...providers: readonly ProviderSettings[]) => simulation(settingsWith({ edition: 'Pro', providers }));

/** `api` with one Pod more, which has labels of its own. */
function withPod(labels: Record<string, string>, severity: Explanation['severity'] = 'high'): Explanation {
  return explanation(api, { severity, members: [...crash.members, finding('Pod/shop/api-c', { labels })] });
}

describe('each field of a selector chooses', () => {
  const rows = [
    { route: { namespaces: ['shop'] }, picks: true },
    { route: { namespaces: ['pay'] }, picks: false },
    { route: { namespaces: ['!shop'] }, picks: false },
    { route: { kinds: ['Deployment'] }, picks: true },
    { route: { kinds: ['Node'] }, picks: false },
    { route: { names: ['a?i'] }, picks: true },
    { route: { names: ['web'] }, picks: false },
    { route: { nodes: ['gpu-*'] }, picks: true },
    { route: { nodes: ['cpu-*'] }, picks: false },
    { route: { labels: { team: 'payments' } }, picks: true },
    { route: { labels: { team: 'search' } }, picks: false },
    { route: { severities: ['high', 'critical'] as const }, picks: true },
    { route: { severities: ['medium'] as const }, picks: false },
    { route: { reasons: ['Crash*'] }, picks: true },
    { route: { reasons: ['OOMKilled'] }, picks: false },
    { route: { namespaces: ['shop'], reasons: ['OOMKilled'] }, picks: false },
    { route: {}, picks: true },
  ] as const;
  for (const { route, picks } of rows)
    test(`${JSON.stringify(route)} ${picks ? 'takes' : 'leaves'} a crash in shop on a GPU node of the payments team`, () => {
      const found = finding('Pod/shop/api-a', { node: 'gpu-1', labels: { team: 'payments' } });
      const sim = onPro(provider('one', { routes: [route] }));
      sim.start();
      sim.step(15, [explanation(api, { members: [found] })]);
      assert.deepEqual(sim.only().takenBy, picks ? ['one'] : undefined);
      assert.deepEqual(toldTo(sim.only()), picks ? ['one'] : []);
    });
});

test('any route of a list may pick, and the first that does has the incident', () => {
  const one = provider('one', { routes: [{ kinds: ['Node'] }, { namespaces: ['shop'] }, {}] });
  const sim = onPro(one);
  sim.start();
  assert.deepEqual(sim.step(15, [crash]), [`open ${api} Settled → one`]);
  assert.deepEqual(sim.last().routes?.get(one.ref), [undefined, { incidents: 1, lastMatchAt: at(15) }, undefined]);
});

test('an incident that rises to critical reaches the pager, and is closed there although it is milder by then', () => {
  const sim = onPro(chat, pager);
  sim.start();
  assert.deepEqual(sim.step(15, [crash]), [`open ${api} Settled → chat`]);
  assert.deepEqual(
    sim.step(20, [critical]),
    [`open ${api} RouteMatched → pager`],
    'who has not heard waits for nothing',
  );
  assert.deepEqual(sim.step(30, [critical]), [`update ${api} SeverityRaised → chat`]);
  sim.step(60, [crash]);
  sim.step(100, []);
  assert.deepEqual(sim.step(280, []), [`resolve ${api} HeldGood → chat,pager`]);
});

test('what spreads to an object of another team is told to that team at once, and to nobody else', () => {
  const team = provider('team', { routes: [{ labels: { team: 'search' } }] });
  const sim = onPro(chat, team);
  sim.start();
  sim.step(15, [crash]);
  assert.deepEqual(sim.step(20, [withPod({ team: 'search' })]), [`open ${api} RouteMatched → team`]);
  assert.equal(sim.decisions.at(-1)?.reasonCode, 'RouteMatched');
  // It shrinks and spreads again: the team knows of it.
  sim.step(30, [crash]);
  assert.deepEqual(sim.step(40, [withPod({ team: 'search' })]), []);
  sim.step(100, []);
  assert.deepEqual(sim.step(280, []), [`resolve ${api} HeldGood → chat`, `resolve ${api} HeldGood → team`]);
});

test('what spreads to another Node while it is failing again after a recovery is told there', () => {
  const on = (...nodes: readonly string[]) =>
    explanation(api, { members: nodes.map((node) => finding(`Pod/shop/api-${node}`, { node })) });
  const gpu = provider('gpu', { routes: [{ nodes: ['gpu-*'] }] });
  const sim = onPro(chat, gpu);
  sim.start();
  sim.step(15, [on('cpu-1')]);
  sim.step(20, []);
  assert.deepEqual(sim.step(30, [on('gpu-1')]), [`open ${api} RouteMatched → gpu`]);
});

test('who has the opening gets every later act, whatever becomes of labels, routes and the edition', () => {
  const team = provider('team', { routes: [{ labels: { team: 'search' } }] });
  const changes: readonly (readonly [string, ProviderSettings])[] = [
    ['labels are taken away', team],
    ['the route is edited', { ...team, routes: [{ kinds: ['Node'] }], generation: 2 }],
    ['the route is removed', { ...team, routes: [], generation: 2 }],
  ];
  for (const [change, after] of changes) {
    const sim = onPro(team);
    sim.start();
    sim.step(15, [withPod({ team: 'search' })]);
    sim.set({ providers: [after] });
    assert.deepEqual(sim.step(20, [crash]), [], change);
    assert.deepEqual(sim.step(30, [critical]), [`update ${api} SeverityRaised → team`], change);
    sim.step(100, []);
    assert.deepEqual(sim.step(280, []), [`resolve ${api} HeldGood → team`], change);
    assert.deepEqual(sim.step(300, [crash]), [`reopen ${api} FailedAgainInCooldown → team`], change);
  }
});

test('whom the first message was for and did not reach still gets it, though its routes pick the incident no longer', () => {
  const team = provider('team', { routes: [{ labels: { team: 'search' } }] });
  const sim = onPro(team);
  sim.start();
  sim.step(15, [withPod({ team: 'search' })]);
  const refused = endedAs(team, sim.only().id, 'open', { at: at(16) });
  assert.deepEqual(sim.step(20, [crash], { reports: [refused] }), []);
  sim.set({ providers: [{ ...team, credentialVersion: 'mended' }] });
  assert.deepEqual(sim.step(30, [crash]), ['startup/opening 1 → team']);
});

test('a route that comes to pick what is open brings one summary, not a message each', () => {
  const web = explanation('Deployment/shop/web');
  const sim = onPro(chat, pager);
  sim.start();
  sim.step(15, [crash, web]);
  sim.set({ providers: [chat, { ...pager, routes: [{ namespaces: ['shop'] }], generation: 2 }] });
  assert.deepEqual(sim.step(60, [crash, web]), ['startup/opening 2 → pager']);
  assert.deepEqual(sim.step(70, [crash, web]), []);
});

test('each list holds only what the routes of its reader pick', () => {
  const shop = provider('shop', { routes: [{ namespaces: ['shop'] }] });
  const pay = provider('pay', { routes: [{ namespaces: ['pay'] }] });
  const storm = (from: number) =>
    Array.from({ length: 30 }, (_, index) => explanation(`Deployment/shop/app-${from + index}`));
  const sim = onPro(shop, pay);
  const before = [crash, explanation('Deployment/pay/ledger'), explanation('Deployment/pay/card')];
  assert.deepEqual(sim.start(before, 600), ['startup/opening 1 → shop', 'startup/opening 2 → pay']);
  const low = explanation('Deployment/pay/slow', { severity: 'low' });
  sim.step(700, [...before, low]);
  assert.deepEqual(sim.step(2500, [...before, low]), ['digest/opening 1 → pay']);
  assert.deepEqual(sim.step(2600, [...before, ...storm(0)]), ['overview/opening 30 → shop']);
});

test('a storm of one route leaves what other routes take alone', () => {
  const shop = provider('shop', { routes: [{ names: ['app-*'] }] });
  const rest = provider('rest', { routes: [{ names: ['!app-*'] }] });
  const sim = onPro(shop, rest);
  sim.start();
  const storm = Array.from({ length: 30 }, (_, index) => explanation(`Deployment/shop/app-${index}`));
  assert.deepEqual(sim.step(15, [...storm, crash]).toSorted(), [
    `open ${api} Settled → rest`,
    'overview/opening 30 → shop',
  ]);
});

test('what no route picks is decided as NoRoute, and told as soon as a route does', () => {
  const sim = onPro(pager);
  sim.start();
  assert.deepEqual(sim.step(15, [crash]), []);
  assert.deepEqual(
    sim.decisions.map(({ action, disposition, reasonCode }) => [action, disposition, reasonCode]),
    [['open', 'Delivered', 'NoRoute']],
  );
  sim.set({ providers: [pager, chat] });
  assert.deepEqual(sim.step(30, [crash]), ['startup/opening 1 → chat']);
});

test('that a silence ends of what everybody knows is no want of a route', () => {
  const quiet = [silence('quiet', { names: ['api'] }, 60, 300)];
  const sim = simulation(settingsWith({ edition: 'Pro', providers: [chat], silences: quiet }));
  sim.start();
  sim.step(15, [crash]);
  sim.step(70, [critical]);
  sim.step(80, [crash]);
  sim.step(301, [crash]);
  sim.step(310, [crash]);
  assert.ok(sim.decisions.length > 1);
  assert.ok(sim.decisions.every(({ reasonCode }) => reasonCode !== 'NoRoute'));
});

test('without a licence routes are ignored; with one they count from then on', () => {
  const sim = simulation(settingsWith({ providers: [pager] }));
  sim.start();
  assert.deepEqual(sim.step(15, [crash]), [`open ${api} Settled → pager`]);
  assert.deepEqual(sim.last().routes?.size, 0);
  sim.set({ edition: 'Pro' });
  const web = explanation('Deployment/shop/web');
  assert.deepEqual(sim.step(30, [crash, web]), [], 'what is new is not for the pager');
  sim.set({ edition: 'Community' });
  assert.deepEqual(
    sim.step(60, [crash, web]),
    ['startup/opening 1 → pager'],
    'what fell through is told in one message',
  );
  const [summary] = sim.told.filter(isSummary);
  const arrived = endedAs(pager, summary?.id ?? '', 'startup', { ended: 'delivered' });
  sim.step(61, [crash, web], { reports: [arrived] });
  sim.step(100, []);
  assert.deepEqual(sim.step(400, []).length, 2, 'both ends are told');
});

test('a tenant routes what it may read: its own objects and the identity of the cause', () => {
  const node = lostNode('n1', ['shop/api', 'pay/ledger']);
  const tenant = (name: string, options: Partial<ProviderSettings>) =>
    provider(name, { namespace: 'shop', ...options });
  const sim = onPro(
    tenant('own', { routes: [{ namespaces: ['shop'] }] }),
    tenant('cause', { routes: [{ kinds: ['Node'] }] }),
    tenant('others', { routes: [{ namespaces: ['pay'] }] }),
  );
  sim.start();
  sim.step(100, [node]);
  assert.deepEqual(toldTo(sim.only()), ['own', 'cause']);
});

test('what a silence covers of an incident routes it nowhere; when the silence ends, it does', () => {
  const node = lostNode('n1', ['shop/api', 'pay/ledger']);
  const shop = provider('shop', { routes: [{ namespaces: ['shop'] }] });
  const pay = provider('pay', { routes: [{ namespaces: ['pay'] }] });
  const quiet = [silence('quiet', { namespaces: ['shop'] }, 0, 300), silence('node', { kinds: ['Node'] }, 0, 900)];
  const sim = simulation(settingsWith({ edition: 'Pro', providers: [shop, pay], silences: quiet }));
  sim.start();
  sim.step(15, [node]);
  sim.step(100, [node]);
  assert.deepEqual(toldTo(sim.only()), ['pay']);
  assert.deepEqual(sim.step(300, [node]), ['open Node//n1 RouteMatched → shop']);
});

test('what an annotation covers of an incident routes it nowhere; when it is taken away, it does', () => {
  const node = lostNode('n1', ['shop/api', 'pay/ledger']);
  const shop = provider('shop', { routes: [{ namespaces: ['shop'] }] });
  const pay = provider('pay', { routes: [{ namespaces: ['pay'] }] });
  const quiet = [silence('node', { kinds: ['Node'] }, 0, 900)];
  const sim = simulation(settingsWith({ edition: 'Pro', providers: [shop, pay], silences: quiet }));
  sim.start();
  const covered = marks({ 'Pod/shop/api-1': 'Deployment/shop/api' });
  sim.step(15, [node], { marks: covered });
  sim.step(100, [node], { marks: covered });
  assert.deepEqual(toldTo(sim.only()), ['pay']);
  assert.deepEqual(sim.step(120, [node]), ['open Node//n1 RouteMatched → shop']);
});

test('a route counts incidents, not messages; it keeps its count when it moves, and begins anew when it is edited', () => {
  const [first, second] = [{ names: ['api'] }, { names: ['web'] }];
  const one = provider('one', { routes: [first, second] });
  const sim = onPro(one);
  sim.start();
  sim.step(15, [crash]);
  sim.step(20, [critical]);
  sim.step(100, []);
  sim.step(280, []);
  const taken = { incidents: 1, lastMatchAt: at(15) };
  assert.deepEqual(sim.last().routes?.get(one.ref), [taken, undefined]);
  sim.set({ providers: [{ ...one, routes: [second, { ...first }], generation: 2 }] });
  sim.step(300, []);
  assert.deepEqual(sim.last().routes?.get(one.ref), [undefined, taken]);
  sim.set({ providers: [{ ...one, routes: [{ names: ['a*'] }], generation: 3 }] });
  sim.step(310, []);
  assert.deepEqual(sim.last().routes?.get(one.ref), undefined);
});

test('a pager closes by key what it may hold from before the start, if its routes pick it', () => {
  const traits: Traits = new Map([['pagerduty', { plain: 'alert', family: 'pager', closesByKey: true }]]);
  const providers = [
    provider('mine', { type: 'pagerduty', routes: [{ namespaces: ['shop'] }] }),
    provider('theirs', { type: 'pagerduty', routes: [{ namespaces: ['pay'] }] }),
  ];
  const sim = simulation(settingsWith({ edition: 'Pro', providers }), traits);
  sim.start([crash], 600);
  sim.step(700, []);
  const told = sim.step(880, []);
  assert.ok(told.includes(`resolve ${api} HeldGood → mine`), told.join('\n'));
  assert.ok(!told.some((line) => line.startsWith('resolve') && line.includes('theirs')), told.join('\n'));
});

test('who is told of a part of the cluster is not told that nothing is broken in all of it', () => {
  const providers = [chat, pager, provider('tenant', { namespace: 'pay' }), provider('more')];
  const app = { ...settingsWith().app, startupMessage: 'Always' } as const;
  const sim = simulation(settingsWith({ edition: 'Pro', providers, app }));
  sim.start();
  assert.deepEqual(
    sim.told.filter(isSummary).map(({ providers: readers, ofPart, total }) => [readers.map(nameOf), ofPart, total]),
    [
      [['chat', 'more'], undefined, 0],
      [['pager'], true, 0],
      [['tenant'], true, 0],
    ],
  );
});

test('after a restart with saved state routes count on, and who is in the set of an incident stays in it', () => {
  const team = provider('team', { routes: [{ labels: { team: 'search' } }] });
  const before = onPro(team);
  before.start();
  before.step(15, [withPod({ team: 'search' })]);
  const after = onPro(team);
  const saved = JSON.parse(
    JSON.stringify(
      Object.fromEntries(
        [...Object.entries(before.incidents.memory())].map(([topic, entries]) => [topic, [...entries]]),
      ),
    ),
  ) as Record<string, [string, unknown][]>;
  const memory = Object.fromEntries(Object.entries(saved).map(([topic, entries]) => [topic, new Map(entries)]));
  after.incidents.restore(JSON.parse(JSON.stringify(before.all())), at(16), memory);
  after.start([crash], 60);
  assert.deepEqual(after.told, [], 'nothing is told twice');
  assert.deepEqual(after.last().routes?.get(team.ref), [{ incidents: 1, lastMatchAt: at(15) }]);
  assert.deepEqual(after.step(70, [critical]), [`update ${api} SeverityRaised → team`]);
  after.step(100, [critical, explanation('Deployment/shop/web', { labels: { team: 'search' } })]);
  after.step(200, [explanation('Deployment/shop/web', { labels: { team: 'search' } })]);
  assert.equal(after.last().routes?.get(team.ref)?.[0]?.incidents, 2);
  assert.deepEqual(after.step(400, []), [`resolve ${api} HeldGood → team`]);
});
