import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  at,
  explanation,
  finding,
  isAbout,
  isSummary,
  lostNode,
  provider,
  settingsWith,
  silence,
  simulation,
} from './helpers.ts';

const api = 'Deployment/shop/api';
const crash = explanation(api);
const oncall = provider('oncall');
const tenant = provider('team', { namespace: 'shop' });

const muted = [
  {
    what: 'a namespace filter',
    change: { filters: { namespaces: ['!shop'], reasons: [] } },
    says: ['Filtered', 'NamespaceFilter'],
  },
  {
    what: 'a reason filter',
    change: { filters: { namespaces: [], reasons: ['!Crash*'] } },
    says: ['Filtered', 'ReasonFilter'],
  },
  {
    what: 'a silence',
    change: { silences: [silence('quiet', { names: ['api'] }, 0, 5000)] },
    says: ['Silenced', 'Silence'],
  },
  {
    what: 'a filter before a silence',
    change: {
      filters: { namespaces: ['!shop'], reasons: [] },
      silences: [silence('quiet', { names: ['api'] }, 0, 5000)],
    },
    says: ['Filtered', 'NamespaceFilter'],
  },
] as const;
for (const { what, change, says } of muted)
  test(`${what} mutes opening and end, and changes nothing else`, () => {
    const sim = simulation(settingsWith(change));
    sim.start();
    sim.step(15, [crash]);
    assert.equal(sim.only().state, 'Open');
    sim.step(100, []);
    sim.step(280, []);
    assert.equal(sim.only().state, 'Resolved');
    assert.deepEqual(sim.told, []);
    assert.deepEqual([sim.decisions[0]?.disposition, sim.decisions[0]?.reasonCode], says);
    assert.equal(sim.decisions.at(-1)?.disposition, says[0]);
  });

test('a silence that does not match, has not begun or is over mutes nothing', () => {
  for (const quiet of [
    silence('other', { names: ['web'] }, 0, 5000),
    silence('later', { names: ['api'] }, 100, 5000),
    silence('over', { names: ['api'] }, -100, 15),
  ]) {
    const sim = simulation(settingsWith({ silences: [quiet] }));
    sim.start();
    assert.equal(sim.step(15, [crash]).length, 1, quiet.ref);
  }
});

test('a silence counts each incident once', () => {
  const sim = simulation(settingsWith({ silences: [silence('quiet', { namespaces: ['shop'] }, 0, 5000)] }));
  sim.start();
  sim.step(15, [crash]);
  sim.step(20, [crash, explanation('Deployment/shop/web')]);
  assert.deepEqual([...sim.last().mutes], [['Silence/tocsin/quiet', { suppressed: 2, lastMatchAt: at(20) }]]);
});

test('when a silence ends and the incident is still open, it is told then, marked', () => {
  const sim = simulation(settingsWith({ silences: [silence('quiet', { names: ['api'] }, 0, 600)] }));
  sim.start();
  sim.step(15, [crash]);
  assert.equal(sim.last().wakeAt, at(600));
  assert.deepEqual(sim.step(600, [crash]), [`open ${api} SilenceEnded → oncall`]);
  assert.deepEqual(
    sim.told.map((announcement) => (isAbout(announcement) ? announcement.notes : [])),
    [[{ is: 'mutedUntil', at: at(600), by: 'Silence/tocsin/quiet' }]],
  );
  assert.equal(sim.decisions.at(-1)?.action, 'unmute');
  assert.deepEqual(sim.step(601, [crash]), []);
});

test('when a filter is taken away, what it hid and is still open is told', () => {
  const sim = simulation(settingsWith({ filters: { namespaces: ['!shop'], reasons: [] } }));
  sim.start();
  sim.step(15, [crash]);
  sim.set({ filters: { namespaces: [], reasons: [] } });
  assert.deepEqual(sim.step(30, [crash]), [`open ${api} FilterEnded → oncall`]);
});

test('what was announced is closed even under a silence; an update waits for its end', () => {
  const quiet = silence('quiet', { names: ['api'] }, 20, 600);
  const worse = explanation(api, { severity: 'critical' });
  const sim = simulation(settingsWith({ silences: [quiet] }));
  sim.start();
  assert.equal(sim.step(15, [crash]).length, 1);
  assert.deepEqual(sim.step(30, [worse]), []);
  assert.deepEqual(sim.step(40, [worse]), []);
  assert.equal(sim.decisions.filter(({ reasonCode }) => reasonCode === 'Silence').length, 1);
  sim.step(50, []);
  assert.deepEqual(sim.step(230, []), [`resolve ${api} HeldGood → oncall`]);
});

test('an update that a silence held back is told when it ends, once', () => {
  const sim = simulation(settingsWith({ silences: [silence('quiet', { names: ['api'] }, 20, 600)] }));
  const worse = explanation(api, { severity: 'critical' });
  sim.start();
  sim.step(15, [crash]);
  sim.step(30, [worse]);
  assert.deepEqual(sim.step(600, [worse]), [`update ${api} SilenceEnded → oncall`]);
  assert.deepEqual(sim.step(700, [worse]), []);
});

test('a muted root does not hide what it breaks: the rest is told, naming the muted cause', () => {
  const sim = simulation(settingsWith({ filters: { namespaces: [], reasons: ['!NodeNotReady'] } }));
  const node = lostNode('n1', ['shop/a', 'pay/b']);
  sim.start();
  assert.deepEqual(sim.step(15, [node]), ['open Node//n1 Settled → oncall']);
  const [told] = sim.told.filter(isAbout);
  assert.deepEqual(told?.notes, [{ is: 'causeMuted', root: 'Node//n1', by: 'filters.reasons' }]);
  assert.deepEqual(told?.incident.explanation.members.map(({ subject }) => subject.ref).sort(), [
    'Pod/pay/b-1',
    'Pod/shop/a-1',
  ]);
});

test('a silence of one namespace leaves the others of the same cause told', () => {
  const sim = simulation(settingsWith({ silences: [silence('quiet', { namespaces: ['shop'] }, 0, 5000)] }));
  sim.start();
  sim.step(15, [lostNode('n1', ['shop/a', 'pay/b'])]);
  const [told] = sim.told.filter(isAbout);
  assert.deepEqual(
    told?.incident.explanation.members.map(({ subject }) => subject.ref),
    ['Node//n1', 'Pod/pay/b-1'],
  );
  assert.deepEqual(
    told?.incident.explanation.impact?.map(({ ref }) => ref),
    ['Deployment/pay/b'],
  );
});

test('a silence that covers root and symptoms mutes the whole', () => {
  const quiet = silence('quiet', { nodes: ['n1'] }, 0, 5000);
  const sim = simulation(settingsWith({ silences: [quiet] }));
  sim.start();
  assert.deepEqual(sim.step(15, [lostNode('n1', ['shop/a', 'pay/b'])]), []);
});

test('a tenant reads what concerns its namespace, cut to its own objects', () => {
  const sim = simulation(settingsWith({ providers: [oncall, tenant] }));
  sim.start();
  assert.deepEqual(sim.step(15, [lostNode('n1', ['shop/a', 'pay/b']), explanation('Deployment/pay/c')]).sort(), [
    'open Deployment/pay/c Settled → oncall',
    'open Node//n1 Settled → oncall',
    'open Node//n1 Settled → team',
  ]);
  const own = sim.told.filter(isAbout).find(({ audience }) => audience === 'shop');
  assert.doesNotMatch(JSON.stringify(own?.incident.explanation), /pay\//);
  assert.deepEqual(
    own?.incident.explanation.members.map(({ subject }) => subject.ref),
    ['Pod/shop/a-1'],
  );
});

test("a tenant's silence mutes everywhere what is wholly its own, else only for its own providers", () => {
  const quiet = silence('quiet', { kinds: ['Deployment', 'Node'] }, 0, 5000, 'shop');
  const sim = simulation(settingsWith({ providers: [oncall, tenant], silences: [quiet] }));
  sim.start();
  assert.deepEqual(sim.step(15, [crash, lostNode('n1', ['shop/a', 'pay/b'])]), ['open Node//n1 Settled → oncall']);
});

test("a tenant's silence cannot mute somebody else's incident", () => {
  const quiet = silence('quiet', { namespaces: ['*'] }, 0, 5000, 'shop');
  const sim = simulation(
    settingsWith({ providers: [oncall, provider('pay', { namespace: 'pay' })], silences: [quiet] }),
  );
  sim.start();
  assert.equal(sim.step(15, [explanation('Deployment/pay/c')]).length, 2);
});

test('routes choose providers on Pro; the set only grows when it gets worse', () => {
  const chat = provider('chat', { routes: [{ severities: ['high', 'medium'] }] });
  const pager = provider('pager', { routes: [{ severities: ['critical'] }] });
  const worse = explanation(api, { severity: 'critical' });
  const sim = simulation(settingsWith({ edition: 'Pro', providers: [chat, pager] }));
  sim.start();
  assert.deepEqual(sim.step(15, [crash]), [`open ${api} Settled → chat`]);
  assert.deepEqual(sim.step(30, [worse]), [
    `update ${api} SeverityRaised → chat`,
    `open ${api} SeverityRaised → pager`,
  ]);
  sim.step(100, []);
  assert.deepEqual(sim.step(280, []), [`resolve ${api} HeldGood → chat,pager`]);
});

test('routes are inactive without a licence', () => {
  const chat = provider('chat', { routes: [{ severities: ['low'] }] });
  const sim = simulation(settingsWith({ providers: [chat] }));
  sim.start();
  assert.deepEqual(sim.step(15, [crash]), [`open ${api} Settled → chat`]);
});

test('an inactive provider gets nothing', () => {
  const off = provider('off', { active: { is: false, reason: 'CommunityLimit' } });
  const sim = simulation(settingsWith({ providers: [oncall, off] }));
  sim.start();
  assert.deepEqual(sim.step(15, [crash]), [`open ${api} Settled → oncall`]);
});

test('low severity goes to one digest per interval, only while there is something new', () => {
  const low = (name: string) => explanation(`Deployment/shop/${name}`, { severity: 'low' });
  const sim = simulation();
  sim.start();
  assert.deepEqual(sim.step(15, [low('a')]), []);
  assert.equal(sim.only().standings['']?.disposition, 'Digested');
  assert.equal(sim.last().wakeAt, at(15 + 1800));
  sim.step(600, [low('a'), low('b')]);
  assert.deepEqual(sim.step(1815, [low('a'), low('b')]), ['digest/opening 2 → oncall']);
  assert.deepEqual(sim.step(3700, [low('a'), low('b')]), []);
  sim.step(3700, [low('a'), low('c')]);
  assert.deepEqual(sim.step(5500, [low('a'), low('c')]), ['digest/opening 1 → oncall']);
  sim.step(5600, []);
  assert.deepEqual(sim.step(6000, []), []);
});

test('what was in the digest and gets worse is told by itself', () => {
  const sim = simulation();
  sim.start();
  sim.step(15, [explanation(api, { severity: 'low' })]);
  assert.deepEqual(sim.step(30, [explanation(api, { severity: 'high' })]), [`open ${api} SeverityRaised → oncall`]);
});

test('what was only listed and fails in another way is told since that began; what only got worse keeps its start', () => {
  const mild = finding(api, { reason: 'PDBBlocksDrain', severity: 'low', since: -90_000 });
  const another = finding(api, { reason: 'PDBBlocksDrain', scope: 'n1', since: 20 });
  const low = explanation(api, { severity: 'low', members: [mild] });
  for (const { now, since } of [
    { now: another, since: at(20) },
    { now: { ...mild, severity: 'high', since: at(25) } as const, since: at(-90_000) },
  ]) {
    const digested = simulation();
    digested.start();
    digested.step(15, [low]);
    const listed = simulation();
    listed.start([low]);
    for (const sim of [digested, listed]) {
      sim.step(30, [explanation(api, { severity: 'high', members: [now] })]);
      assert.equal(sim.told.filter(isAbout).at(-1)?.incident.startedAt, since);
    }
  }
});

test('an incident that spreads into a namespace is told to that namespace then', () => {
  const sim = simulation(settingsWith({ providers: [oncall, tenant] }));
  sim.start();
  sim.step(15, [lostNode('n1', ['pay/b'])]);
  assert.deepEqual(sim.step(20, [lostNode('n1', ['pay/b', 'shop/a'])]), ['open Node//n1 NowConcerned → team']);
});

test('a finding of the operator itself is judged like any other', () => {
  const own = explanation('Deployment/tocsin/tocsin', { members: [finding('Pod/tocsin/tocsin-a')] });
  const sim = simulation();
  sim.start();
  assert.equal(sim.step(15, [own]).length, 1);
});

test("a tenant's silence does not mute for others what reaches beyond its namespace", () => {
  const members = [finding('Pod/shop/a-1'), finding('Pod/pay/b-1')];
  const shared = explanation('Secret/shop/db', { reason: 'SecretMissing', members });
  const quiet = silence('quiet', { kinds: ['Secret'] }, 0, 5000, 'shop');
  const sim = simulation(settingsWith({ providers: [oncall, tenant], silences: [quiet] }));
  sim.start();
  assert.deepEqual(sim.step(15, [shared]), ['open Secret/shop/db Settled → oncall']);
});

test('the next digest comes no sooner than the interval after the last', () => {
  const low = (name: string) => explanation(`Deployment/shop/${name}`, { severity: 'low' });
  const sim = simulation();
  sim.start();
  sim.step(15, [low('a')]);
  sim.step(1814, [low('a'), low('b')]);
  assert.deepEqual(sim.step(1900, [low('a'), low('b')]), ['digest/opening 2 → oncall']);
  sim.step(1901, [low('a'), low('b'), low('c')]);
  assert.deepEqual(sim.step(3700, [low('a'), low('b'), low('c')]), []);
  assert.deepEqual(sim.step(3701, [low('a'), low('b'), low('c')]), ['digest/opening 1 → oncall']);
});

test('an end of the muting for one namespace does not keep the others from hearing that it got worse', () => {
  const quiet = silence('quiet', { namespaces: ['shop'] }, 0, 600, 'shop');
  const shared = (severity: 'high' | 'critical') =>
    explanation('Secret/shop/db', { severity, members: [finding('Pod/shop/a-1'), finding('Pod/pay/b-1')] });
  const sim = simulation(settingsWith({ providers: [oncall, tenant], silences: [quiet] }));
  sim.start();
  assert.deepEqual(sim.step(15, [shared('high')]), ['open Secret/shop/db Settled → oncall']);
  assert.deepEqual(sim.step(600, [shared('critical')]).sort(), [
    'open Secret/shop/db SilenceEnded → team',
    'update Secret/shop/db SeverityRaised → oncall',
  ]);
});

test('an incident that spreads and gets worse at once is told to both, each in its way', () => {
  const worse = { ...lostNode('n1', ['pay/b', 'shop/a']), severity: 'critical' } as const;
  const sim = simulation(settingsWith({ providers: [oncall, tenant] }));
  sim.start();
  sim.step(15, [lostNode('n1', ['pay/b'])]);
  assert.deepEqual(sim.step(30, [worse]).sort(), [
    'open Node//n1 NowConcerned → team',
    'update Node//n1 SeverityRaised → oncall',
  ]);
});

test('a rise in severity that a silence held back rings when the silence ends: it says what was told before', () => {
  const medium = explanation(api, { severity: 'medium' });
  const critical = explanation(api, { severity: 'critical' });
  const sim = simulation(settingsWith({ silences: [silence('quiet', { names: ['api'] }, 60, 600)] }));
  sim.start();
  sim.step(15, [medium]);
  assert.deepEqual(sim.step(120, [critical]), []);
  assert.deepEqual(sim.step(600, [critical]), [`update ${api} SilenceEnded → oncall`]);
  const last = sim.told.filter(isAbout).at(-1);
  assert.equal(last?.before?.severity, 'medium');
  assert.equal(last?.incident.explanation.severity, 'critical');
});

test('the end of a silence tells what is still broken; a rise that came and went under it is told when it comes again', () => {
  const medium = explanation(api, { severity: 'medium' });
  const sim = simulation(settingsWith({ silences: [silence('quiet', { names: ['api'] }, 60, 600)] }));
  sim.start();
  sim.step(15, [medium]);
  sim.step(120, [explanation(api, { severity: 'critical' })]);
  sim.step(300, [medium]);
  assert.deepEqual(sim.step(600, [medium]), [`update ${api} SilenceEnded → oncall`]);
  assert.deepEqual(sim.step(700, [explanation(api, { severity: 'critical' })]), [
    `update ${api} SeverityRaised → oncall`,
  ]);
});

test('what each audience was told before is its own: a silence of one namespace does not change what others read', () => {
  const quiet = silence('quiet', { namespaces: ['shop'] }, 20, 600, 'shop');
  const shared = (severity: 'medium' | 'critical') =>
    explanation('Secret/shop/db', { severity, members: [finding('Pod/shop/a-1'), finding('Pod/pay/b-1')] });
  const sim = simulation(settingsWith({ providers: [oncall, tenant], silences: [quiet] }));
  sim.start();
  sim.step(15, [shared('medium')]);
  assert.deepEqual(sim.step(30, [shared('critical')]), ['update Secret/shop/db SeverityRaised → oncall']);
  assert.deepEqual(sim.step(600, [shared('critical')]), ['update Secret/shop/db SilenceEnded → team']);
  assert.equal(sim.told.filter(isAbout).at(-1)?.before?.severity, 'medium');
});

test('a digest leaves out what a Silence covers now, which began after it recovered', () => {
  const low = (name: string) => explanation(`Deployment/shop/${name}`, { severity: 'low' });
  for (const end of [1_500, 1_810]) {
    const sim = simulation(settingsWith({ silences: [silence('s', { names: ['a'] }, end + 2, 9_000)] }));
    sim.start();
    sim.step(15, [low('a'), low('b')]);
    sim.step(end, [low('b')]);
    assert.deepEqual(sim.step(1_815, [low('b')]), ['digest/opening 1 → oncall']);
    assert.deepEqual(
      sim.told
        .filter(isSummary)
        .at(-1)
        ?.entries.map(({ root }) => root),
      ['Deployment/shop/b'],
    );
  }
});

test('a digest lists what came and went in its interval, and says that it is over', () => {
  const low = explanation('Deployment/shop/batch', { severity: 'low' });
  const sim = simulation();
  sim.start();
  sim.step(15, [low]);
  sim.step(1_500, []);
  sim.step(1_700, []);
  assert.deepEqual(sim.step(1_815, []), ['digest/opening 1 → oncall']);
  const [digest] = sim.told.filter(isSummary);
  assert.equal(digest?.entries[0]?.over, true);
  assert.deepEqual(sim.step(3_700, []), [], 'once');
});
