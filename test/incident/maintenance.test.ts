import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ref } from '../../src/model/ref.ts';
import type { Settings } from '../../src/model/settings.ts';
import {
  at,
  explanation,
  finding,
  isAbout,
  isSummary,
  lostNode,
  marks,
  provider,
  settingsWith,
  silence,
  simulation,
  window,
} from './helpers.ts';

const api = 'Deployment/shop/api';
const crash = explanation(api);
const worse = explanation(api, { severity: 'critical' });
const low = explanation(api, { severity: 'low' });
const oncall = provider('oncall');
const tenant = provider('team', { namespace: 'shop' });
const weekly = window('weekly', { names: ['api'] }, 0, 600);
const pro = (more: Partial<Settings> = {}): Settings => settingsWith({ edition: 'Pro', ...more });
/** The Pods of `crash` are below these. */
const below = (mark: Ref): Readonly<Record<Ref, Ref>> => ({ 'Pod/shop/api-a': mark, 'Pod/shop/api-b': mark });

test('an open window holds back opening and end of what it selects, and changes nothing else', () => {
  const sim = simulation(pro({ windows: [weekly] }));
  sim.start();
  sim.step(15, [crash]);
  assert.equal(sim.only().state, 'Open');
  sim.step(100, []);
  sim.step(280, []);
  assert.equal(sim.only().state, 'Resolved');
  sim.step(600, []);
  assert.deepEqual(sim.told, []);
  assert.deepEqual(
    sim.decisions.map(({ action, disposition, reasonCode, by }) => [action, disposition, reasonCode, by]),
    [
      ['open', 'Maintenance', 'MaintenanceWindow', weekly.ref],
      ['recover', 'Maintenance', 'AllClear', undefined],
      ['resolve', 'Maintenance', 'HeldGood', weekly.ref],
    ],
  );
});

test('without a licence, closed, suspended or about something else a window holds nothing back', () => {
  const { opening, ...suspended } = weekly;
  for (const settings of [
    settingsWith({ windows: [weekly] }),
    pro({ windows: [suspended] }),
    pro({ windows: [window('later', {}, 16, 600)] }),
    pro({ windows: [window('over', {}, -600, 15)] }),
    pro({ windows: [window('other', { names: ['web'] }, 0, 600)] }),
  ]) {
    const sim = simulation(settings);
    sim.start();
    assert.deepEqual(sim.step(15, [crash]), [`open ${api} Settled → oncall`]);
  }
});

test('what outlives its window is told when it closes, once, with what held it back', () => {
  const sim = simulation(pro({ windows: [weekly] }));
  sim.start();
  sim.step(15, [crash]);
  assert.equal(sim.last().wakeAt, at(600));
  assert.deepEqual(sim.step(600, [crash]), [`open ${api} MaintenanceEnded → oncall`]);
  assert.deepEqual(sim.told.filter(isAbout)[0]?.notes, [{ is: 'mutedUntil', at: at(600), by: weekly.ref }]);
  assert.deepEqual(sim.step(601, [crash]), []);
});

test('a window whose next opening is already known is said to have held back until now', () => {
  const sim = simulation(pro({ windows: [weekly] }));
  sim.start();
  sim.step(15, [crash]);
  sim.set({ windows: [window('weekly', { names: ['api'] }, 5000, 6000)] });
  sim.step(601, [crash]);
  assert.deepEqual(sim.told.filter(isAbout)[0]?.notes, [{ is: 'mutedUntil', at: at(601), by: weekly.ref }]);
});

test('a licence that comes or goes takes effect at once', () => {
  const sim = simulation(settingsWith({ windows: [weekly] }));
  sim.start();
  sim.set({ edition: 'Pro' });
  assert.deepEqual(sim.step(15, [crash]), []);
  sim.set({ edition: 'Community' });
  assert.deepEqual(sim.step(30, [crash]), [`open ${api} MaintenanceEnded → oncall`]);
});

test('what was told before the window opens is closed in it; news waits until it is over', () => {
  const later = window('later', { names: ['api'] }, 20, 600);
  const sim = simulation(pro({ windows: [later] }));
  sim.start();
  assert.equal(sim.step(15, [crash]).length, 1);
  assert.deepEqual(sim.step(30, [worse]), []);
  assert.deepEqual(sim.step(600, [worse]), [`update ${api} MaintenanceEnded → oncall`]);

  const ended = simulation(pro({ windows: [later] }));
  ended.start();
  ended.step(15, [crash]);
  ended.step(50, []);
  assert.deepEqual(ended.step(230, []), [`resolve ${api} HeldGood → oncall`]);
});

test('what fails again in a window after its end was told is told when the window closes, as open again', () => {
  const sim = simulation(pro({ windows: [window('later', {}, 250, 600)] }));
  sim.start();
  sim.step(15, [crash]);
  sim.step(30, []);
  assert.deepEqual(sim.step(210, []), [`resolve ${api} HeldGood → oncall`]);
  sim.step(260, [crash]);
  assert.deepEqual(sim.step(300, [crash]), []);
  assert.deepEqual(sim.step(600, [crash]), [`reopen ${api} MaintenanceEnded → oncall`]);
});

test('what has been clear for a moment when the window closes is told only if it fails again', () => {
  const sim = simulation(pro({ windows: [weekly] }));
  sim.start();
  sim.step(15, [crash]);
  sim.step(590, []);
  assert.deepEqual(sim.step(600, []), []);
  assert.deepEqual(sim.step(620, [crash]), [`open ${api} MaintenanceEnded → oncall`]);
});

test('maintenance comes after the filters and before Silences, and passes what it held back on to them', () => {
  const quiet = silence('quiet', { names: ['api'] }, 0, 1000);
  const sim = simulation(pro({ windows: [weekly], silences: [quiet] }));
  sim.start();
  sim.step(15, [crash]);
  assert.equal(sim.only().standings['']?.disposition, 'Maintenance');
  sim.set({ filters: { namespaces: ['!shop'], reasons: [] } });
  sim.step(20, [crash]);
  assert.equal(sim.only().standings['']?.disposition, 'Filtered');
  sim.set({ filters: { namespaces: [], reasons: [] } });
  sim.step(600, [crash]);
  assert.deepEqual([sim.only().standings['']?.disposition, sim.told], ['Silenced', []]);
  assert.deepEqual(sim.step(1000, [crash]), [`open ${api} SilenceEnded → oncall`]);
});

test('a window counts each incident once, however long it is seen, and keeps the count while it is closed', () => {
  const sim = simulation(pro({ windows: [weekly] }));
  sim.start();
  sim.step(15, [crash]);
  sim.step(20, [crash]);
  assert.deepEqual([...sim.last().mutes], [[weekly.ref, { suppressed: 1, lastMatchAt: at(15) }]]);
  const { opening, ...suspended } = weekly;
  sim.set({ windows: [suspended] });
  sim.step(700, []);
  assert.deepEqual([...sim.last().mutes], [[weekly.ref, { suppressed: 1, lastMatchAt: at(15) }]]);
  sim.set({ windows: [] });
  sim.step(701, []);
  assert.deepEqual([...sim.last().mutes], []);
});

test('a digest leaves out what is in maintenance, and lists it afterwards if it is still there', () => {
  const sim = simulation(pro({ windows: [window('weekly', {}, 0, 2000)] }));
  sim.start();
  sim.step(15, [low]);
  assert.deepEqual(sim.step(1815, [low]), []);
  assert.deepEqual(sim.step(2000, [low]), []);
  assert.deepEqual(sim.step(3800, [low]), ['digest/opening 1 → oncall']);
});

test('the startup summary leaves out what is in maintenance; if it is still there when that ends, it is told then', () => {
  const web = explanation('Deployment/shop/web', { members: [finding('Pod/shop/web-a', { since: -1000 })] });
  const old = explanation(api, { members: [finding('Pod/shop/api-a', { since: -1000 })] });
  const sim = simulation(pro({ windows: [weekly] }));
  assert.deepEqual(sim.start([old, web]), ['startup/opening 1 → oncall']);
  assert.deepEqual(sim.step(300, [old, web]), []);
  assert.deepEqual(sim.step(600, [old, web]), [`open ${api} MaintenanceEnded → oncall`]);
  sim.step(700, [web]);
  assert.deepEqual(sim.step(880, [web]), [`resolve ${api} HeldGood → oncall`], 'what was told is closed');
  sim.step(900, []);
  sim.step(1080, []);
  assert.equal(sim.told.filter(isAbout).length, 2, 'the end of what the summary listed is not told one by one');
});

test('what existed at the start, was left out of the summary and is over before the window closes is never told', () => {
  const old = explanation(api, { members: [finding('Pod/shop/api-a', { since: -1000 })] });
  const sim = simulation(pro({ windows: [weekly] }));
  assert.deepEqual(sim.start([old]), []);
  sim.step(300, []);
  sim.step(480, []);
  assert.deepEqual(sim.step(600, []), []);
});

test('the startup summary leaves out what a Silence mutes, and it is told when the Silence ends', () => {
  const old = explanation(api, { members: [finding('Pod/shop/api-a', { since: -1000 })] });
  const quiet = { silences: [silence('quiet', { names: ['api'] }, -10, 600)] };
  const sim = simulation(settingsWith(quiet));
  assert.deepEqual(sim.start([old]), []);
  assert.deepEqual(sim.step(600, [old]), [`open ${api} SilenceEnded → oncall`]);

  const never = simulation(settingsWith({ ...quiet, app: { clusterName: '', startupMessage: 'Never' } }));
  never.start([old]);
  assert.deepEqual(never.step(600, [old]), [], 'who wants to hear nothing of the start hears nothing of it later');
});

test('what existed at the start and is left out as of low severity goes to the digest after the window', () => {
  const old = explanation(api, { severity: 'low', members: [finding('Pod/shop/api-a', { since: -1000 })] });
  const sim = simulation(pro({ windows: [weekly] }));
  assert.deepEqual(sim.start([old]), []);
  assert.deepEqual(sim.step(600, [old]), []);
  assert.deepEqual(sim.step(2400, [old]), ['digest/opening 1 → oncall']);
});

test('a window on a Node holds back what runs only there, and leaves told what fails elsewhere by the same cause', () => {
  const upgrade = window('upgrade', { nodes: ['n1'] }, 0, 600);
  const sim = simulation(pro({ windows: [upgrade] }));
  sim.start();
  assert.deepEqual(sim.step(15, [lostNode('n1', ['shop/a', 'pay/b'])]), []);

  const shared = lostNode('n1', ['shop/a', 'pay/b']);
  const parts = shared.parts?.map((part) =>
    part.root.ref === 'Deployment/pay/b'
      ? { ...part, members: [...part.members, finding('Pod/pay/b-2', { node: 'n2' })] }
      : part,
  );
  const wide = simulation(pro({ windows: [upgrade] }));
  wide.start();
  assert.deepEqual(wide.step(15, [{ ...shared, ...(parts && { parts }) }]), ['open Node//n1 Settled → oncall']);
  assert.deepEqual(wide.told.filter(isAbout)[0]?.notes, [{ is: 'causeMuted', root: 'Node//n1', by: upgrade.ref }]);
});

test("a tenant's window holds back everywhere what is wholly its own, else only for its own providers", () => {
  const quiet = window('quiet', { kinds: ['Deployment', 'Node'] }, 0, 5000, 'shop');
  const sim = simulation(pro({ providers: [oncall, tenant], windows: [quiet] }));
  sim.start();
  assert.deepEqual(sim.step(15, [crash, lostNode('n1', ['shop/a', 'pay/b'])]), ['open Node//n1 Settled → oncall']);
  const foreign = simulation(pro({ windows: [window('quiet', { namespaces: ['*'] }, 0, 5000, 'shop')] }));
  foreign.start();
  assert.equal(foreign.step(15, [explanation('Deployment/pay/c')]).length, 1);
});

const annotated = [
  { what: 'its root', covered: { [api]: api }, by: api },
  { what: 'a Namespace above its root', covered: { [api]: 'Namespace//shop' }, by: 'Namespace//shop' },
  { what: 'a Node under all that fails', covered: below('Node//n1'), by: 'Node//n1' },
] as const;
for (const { what, covered, by } of annotated)
  test(`an annotation on ${what} holds an incident back, and says who carries it`, () => {
    const sim = simulation(pro());
    sim.start();
    assert.deepEqual(sim.step(15, [crash], { marks: marks(covered) }), []);
    const { disposition, reasonCode, by: carrier } = sim.decisions[0] ?? {};
    assert.deepEqual([disposition, reasonCode, carrier], ['Maintenance', 'MaintenanceAnnotation', by]);
    assert.deepEqual(sim.step(30, [crash]), [`open ${api} MaintenanceEnded → oncall`], 'removal ends it at once');
    assert.deepEqual(sim.told.filter(isAbout)[0]?.notes, [{ is: 'mutedUntil', at: at(30), by }]);
  });

test('an annotation that covers only some of what fails holds nothing back', () => {
  const sim = simulation(pro());
  sim.start();
  const some = marks({ 'Pod/shop/api-a': 'Node//n1' });
  assert.deepEqual(sim.step(15, [crash], { marks: some }), [`open ${api} Settled → oncall`]);
});

test('an annotated cause is named when what it breaks elsewhere is told', () => {
  const node = 'Node//n1';
  const covered = marks({ [node]: node });
  const sim = simulation(pro());
  sim.start();
  assert.deepEqual(sim.step(15, [lostNode('n1', ['shop/a'])], { marks: covered }), ['open Node//n1 Settled → oncall']);
  assert.deepEqual(sim.told.filter(isAbout)[0]?.notes, [{ is: 'causeMuted', root: node, by: node }]);
});

test('an annotation is a matter of Pro, and the step wakes when one ends by time', () => {
  const covered = marks({ [api]: api }, at(700));
  const sim = simulation(pro());
  sim.start();
  sim.step(15, [crash], { marks: covered });
  assert.equal(sim.last().wakeAt, at(700));
  const community = simulation();
  community.start();
  assert.equal(community.step(15, [crash], { marks: covered }).length, 1);
});

test('who begins to receive in a window reads nothing of what the window holds back', () => {
  const sim = simulation(pro({ windows: [weekly], providers: [] }));
  sim.start();
  sim.step(15, [crash, explanation('Deployment/shop/web')]);
  sim.set({ providers: [oncall] });
  assert.deepEqual(sim.step(20, [crash, explanation('Deployment/shop/web')]), ['startup/opening 1 → oncall']);
  assert.equal(sim.told.filter(isSummary)[0]?.entries[0]?.root, 'Deployment/shop/web');
});
