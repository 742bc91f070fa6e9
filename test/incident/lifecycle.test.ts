import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Explanation, ExplanationPart } from '../../src/model/explanation.ts';
import type { Finding } from '../../src/model/finding.ts';
import type { Ref } from '../../src/model/ref.ts';
import type { Severity } from '../../src/model/severity.ts';
import { at, explanation, finding, lostNode, settingsWith, simulation } from './helpers.ts';

const api = 'Deployment/shop/api';
const crash = explanation(api);

test('nothing is told and nothing is known before the baseline', () => {
  const sim = simulation();
  assert.deepEqual(sim.step(100, [crash]), []);
  assert.deepEqual(sim.all(), []);
});

const settleCases = [
  { what: 'a conclusive problem', options: {}, opensAt: 15 },
  { what: 'a problem that may be a transient', options: { conclusive: false }, opensAt: 75 },
] as const;
for (const { what, options, opensAt } of settleCases)
  test(`${what} settles for ${opensAt} s from its own start`, () => {
    const problem = explanation(api, { members: [finding('Pod/shop/api-a', { ...options, since: 5 })] });
    const sim = simulation();
    sim.start();
    assert.deepEqual(sim.step(6, [problem]), []);
    assert.equal(sim.last().wakeAt, at(5 + opensAt));
    assert.deepEqual(sim.step(5 + opensAt - 1, [problem]), []);
    assert.deepEqual(sim.step(5 + opensAt, [problem]), [`open ${api} Settled → oncall`]);
    assert.deepEqual(sim.step(5 + opensAt + 1, [problem]), []);
  });

test('a problem of which a cause is likely to be found yet waits for it, unless an override says how long', () => {
  const awaiting = { ...crash, awaits: at(60) };
  const sim = simulation();
  sim.start();
  assert.deepEqual(sim.step(20, [awaiting]), []);
  assert.equal(sim.last().wakeAt, at(60));
  assert.deepEqual(sim.step(60, [awaiting]), [`open ${api} Settled → oncall`]);
  const overrides = [{ selector: { reasons: ['CrashLoopBackOff'] }, settleSeconds: 5 }];
  const hasty = simulation(settingsWith({ detection: { ...settingsWith().detection, overrides } }));
  hasty.start();
  assert.deepEqual(hasty.step(6, [awaiting]), [`open ${api} Settled → oncall`]);
});

test('a critical problem settles for 10 s', () => {
  const problem = explanation(api, { severity: 'critical' });
  const sim = simulation();
  sim.start();
  assert.deepEqual(sim.step(9, [problem]), []);
  assert.deepEqual(sim.step(10, [problem]), [`open ${api} Settled → oncall`]);
});

test('an override sets the settle time', () => {
  const overrides = [{ selector: { reasons: ['CrashLoopBackOff'] }, settleSeconds: 0 }];
  const sim = simulation(settingsWith({ detection: { ...settingsWith().detection, overrides } }));
  sim.start();
  assert.deepEqual(sim.step(1, [crash]), [`open ${api} Settled → oncall`]);
});

test('a problem that a detector waited for long enough opens at once', () => {
  const sim = simulation();
  sim.start();
  assert.deepEqual(sim.step(600, [crash]), [`open ${api} Settled → oncall`]);
});

/** Crash loops of the same object that they name. */
const naming = (name: string, ref: Ref, severity: Severity = 'high'): Explanation =>
  explanation(`Deployment/shop/${name}`, {
    severity,
    members: [finding(`Pod/shop/${name}-a`, { names: [ref] })],
  });

test('a burst of what names the same waits for a common cause to show, but never delays a critical beyond 30 s', () => {
  const names = ['a', 'b', 'c', 'd'];
  const burst = names.map((name) => naming(name, 'Service/shop/db', name === 'd' ? 'critical' : 'high'));
  const sim = simulation();
  sim.start();
  sim.step(1, burst);
  assert.deepEqual(sim.step(16, burst), []);
  assert.deepEqual(sim.step(30, burst), ['open Deployment/shop/d Settled → oncall']);
  assert.deepEqual(sim.step(74, burst), []);
  assert.equal(sim.step(75, burst).length, 3);
});

test('twelve that fail with the same reason at once, and share nothing else, wait for nobody', () => {
  const unrelated = Array.from({ length: 12 }, (_, index) => naming(`x${index}`, `Service/shop/of-${index}`));
  const sim = simulation();
  sim.start();
  sim.step(1, unrelated);
  assert.equal(sim.step(15, unrelated).filter((line) => line.startsWith('open')).length, 12);
});

test('programs that say the same of themselves are a burst, those that say something else are none of it', () => {
  const saying = (name: string, variable: string): Explanation => ({
    ...explanation(`Deployment/shop/${name}`),
    sign: {
      ...{ kind: 'VariableMissing', name: variable, line: `${variable} is not set` },
      ...{ container: 'app', source: 'previousLog', at: at(0), pod: `Pod/shop/${name}-a` },
    },
  });
  const all = [...['a', 'b', 'c'].map((name) => saying(name, 'DATABASE_URL')), saying('d', 'MAIL_FROM')];
  const sim = simulation();
  sim.start();
  sim.step(1, all);
  assert.deepEqual(sim.step(15, all), ['open Deployment/shop/d Settled → oncall']);
  assert.equal(sim.step(75, all).length, 3);
});

test('three that name the same are no burst where so many are usual', () => {
  const busy = simulation();
  busy.start();
  for (let round = 0; round < 48; round += 1) busy.step(round * 60, [explanation(`Deployment/shop/job-${round}`)]);
  const later = ['a', 'b', 'c'].map((name) => {
    const one = naming(name, 'Service/shop/db');
    return { ...one, members: one.members.map((member) => ({ ...member, since: at(3000) })) };
  });
  busy.step(3001, later);
  assert.equal(busy.step(3015, later).filter((line) => line.startsWith('open')).length, 3);
});

test('what a lost Node takes with it is no burst of it: it is told as soon as one that had nothing', () => {
  const lost = lostNode('n1', ['shop/a', 'shop/b', 'shop/c', 'shop/d']);
  const sim = simulation();
  sim.start();
  const [, ...pods] = lost.parts ?? [];
  sim.step(
    1,
    pods.map((part) => explanation(part.root.ref, part)),
  );
  const critical = { ...lost, severity: 'critical' as const };
  assert.deepEqual(sim.step(5, [critical]), []);
  assert.deepEqual(sim.step(10, [critical]), ['open Node//n1 Settled → oncall']);
});

test('Nodes that are lost one after another are a burst, whatever ran on them', () => {
  const sim = simulation();
  sim.start();
  const lost = ['n1', 'n2', 'n3'].map((node) => lostNode(node, [`shop/on-${node}`]));
  sim.step(1, lost.slice(0, 1));
  sim.step(10, lost);
  assert.deepEqual(sim.step(60, lost), []);
  assert.equal(sim.step(75, lost).length, 3);
});

test('what clears while it settles is never told', () => {
  const sim = simulation();
  sim.start();
  sim.step(1, [crash]);
  assert.deepEqual(sim.step(10, []), []);
  assert.deepEqual(sim.all(), []);
  assert.deepEqual(sim.decisions.at(-1)?.reasonCode, 'ClearedWhileSettling');
});

test('an incident resolves only after a held good state', () => {
  const sim = simulation();
  sim.start();
  sim.step(15, [crash]);
  assert.deepEqual(sim.step(100, []), []);
  assert.equal(sim.only().state, 'Recovering');
  assert.equal(sim.last().wakeAt, at(280));
  assert.deepEqual(sim.step(279, []), []);
  assert.deepEqual(sim.step(280, []), [`resolve ${api} HeldGood → oncall`]);
  assert.equal(sim.only().state, 'Resolved');
  assert.equal(sim.only().clearSince, at(100));
});

test('a finding may ask for a longer hold', () => {
  const slow = explanation(api, { members: [finding('Pod/shop/api-a', { clearHoldMs: 600_000 })] });
  const sim = simulation();
  sim.start();
  sim.step(15, [slow]);
  sim.step(100, []);
  assert.deepEqual(sim.step(699, []), []);
  assert.deepEqual(sim.step(700, []), [`resolve ${api} HeldGood → oncall`]);
});

test('failing again during the hold is no new message; the third time is flapping, said once, and the hold grows', () => {
  const sim = simulation();
  sim.start();
  sim.step(15, [crash]);
  const said: string[] = [];
  for (const round of [1, 2, 3, 4]) {
    said.push(...sim.step(round * 120, []));
    said.push(...sim.step(round * 120 + 60, [crash]));
  }
  assert.deepEqual(said, [`update ${api} Flapping → oncall`]);
  sim.step(600, []);
  // The fifth recovery in half an hour: 3 min, doubled four times, at most 30.
  assert.equal(sim.last().wakeAt, at(600 + 30 * 60));
});

test('the same problem within the cooldown reopens the incident, after settling', () => {
  const sim = simulation();
  sim.start();
  sim.step(15, [crash]);
  sim.step(100, []);
  sim.step(280, []);
  const again = explanation(api, { members: [finding('Pod/shop/api-new', { since: 900 })] });
  assert.deepEqual(sim.step(905, [again]), []);
  assert.deepEqual(sim.step(915, [again]), [`reopen ${api} FailedAgainInCooldown → oncall`]);
  assert.equal(sim.only().state, 'Open');
  assert.equal(sim.only().revision, 3);
});

test('after the cooldown it is a new incident that knows the one before', () => {
  const sim = simulation();
  sim.start();
  sim.step(15, [crash]);
  sim.step(100, []);
  sim.step(280, []);
  const again = explanation(api, { members: [finding('Pod/shop/api-new', { since: 2000 })] });
  sim.step(2000, [again]);
  assert.deepEqual(sim.step(2015, [again]), [`open ${api} Settled → oncall`]);
  const [first, second] = sim.all();
  assert.deepEqual(second?.previous, { id: first?.id, times: 2 });
  assert.equal(second?.alertKey, first?.alertKey);
  assert.notEqual(second?.id, first?.id);
});

test('a resolved incident is forgotten after a week', () => {
  const sim = simulation();
  sim.start();
  sim.step(15, [crash]);
  sim.step(100, []);
  sim.step(280, []);
  const { id } = sim.only();
  const week = 7 * 86_400;
  sim.step(280 + week - 1, []);
  assert.equal(sim.all().length, 1);
  sim.step(280 + week, []);
  assert.deepEqual(sim.last().forget, [id]);
  assert.deepEqual(sim.all(), []);
});

const updateCases = [
  { what: 'severity raised', to: explanation(api, { severity: 'critical' }), says: ['SeverityRaised'] },
  { what: 'severity lowered', to: explanation(api, { severity: 'medium' }), says: [] },
  { what: 'one more Pod', to: explanation(api, { members: [...crash.members, finding('Pod/shop/api-c')] }), says: [] },
  { what: 'another reason', to: explanation(api, { reason: 'OOMKilled', members: crash.members }), says: [] },
] as const;
for (const { what, to, says } of updateCases)
  test(`${what} is ${says.length > 0 ? 'told 15 s after the message before' : 'not told'}`, () => {
    const sim = simulation();
    sim.start();
    sim.step(15, [crash]);
    assert.deepEqual(sim.step(20, [to]), []);
    assert.deepEqual(
      sim.step(30, [to]),
      says.map((code) => `update ${api} ${code} → oncall`),
    );
    assert.deepEqual(sim.step(35, [to]), []);
  });

test('what gets worse step by step as soon as it was told is one update, and what does so later is told at once', () => {
  const [mild, high, critical] = [
    explanation(api, { severity: 'medium' }),
    explanation(api, { severity: 'high' }),
    explanation(api, { severity: 'critical' }),
  ];
  const sim = simulation();
  sim.start();
  sim.step(15, [mild]);
  assert.deepEqual(sim.step(17, [high]), []);
  assert.deepEqual(sim.step(19, [critical]), []);
  assert.equal(sim.last().wakeAt, at(30));
  assert.deepEqual(sim.step(30, [critical]), [`update ${api} SeverityRaised → oncall`]);
  const stays = simulation();
  stays.start();
  stays.step(15, [mild]);
  assert.deepEqual(stays.step(17, [high]), []);
  assert.equal(stays.last().wakeAt, at(60), 'what is not critical may still become so');
  assert.deepEqual(stays.step(60, [high]), [`update ${api} SeverityRaised → oncall`]);
  const later = simulation();
  later.start();
  later.step(15, [mild]);
  assert.deepEqual(later.step(300, [high]), [`update ${api} SeverityRaised → oncall`]);
});

test('impact that grew tenfold is told, at most every 10 min', () => {
  const grown = explanation(api, {
    members: Array.from({ length: 40 }, (_, index) => finding(`Pod/shop/api-${index}`)),
  });
  const sim = simulation();
  sim.start();
  sim.step(15, [crash]);
  assert.deepEqual(sim.step(20, [grown]), []);
  assert.equal(sim.last().wakeAt, at(15 + 600));
  assert.deepEqual(sim.step(615, [grown]), [`update ${api} ImpactGrew → oncall`]);
  assert.deepEqual(sim.step(1300, [grown]), []);
});

test('that a dozen Pods fail with the one server that was told is no news', () => {
  const clients = Array.from({ length: 14 }, (_, index) => finding(`Pod/shop/client-${index}`));
  const sim = simulation();
  sim.start();
  sim.step(15, [crash]);
  const joined = explanation(api, { members: [...crash.members, ...clients] });
  assert.deepEqual(sim.step(20, [joined]), []);
  assert.deepEqual(sim.step(1300, [joined]), []);
});

test('a reminder comes only where one is asked for', () => {
  const sim = simulation(settingsWith({ incidents: { ...settingsWith().incidents, renotifySeconds: { high: 3600 } } }));
  sim.start();
  sim.step(15, [crash]);
  assert.deepEqual(sim.step(3614, [crash]), []);
  assert.deepEqual(sim.step(3615, [crash]), [`update ${api} StillOpen → oncall`]);
});

test('a revised root keeps the incident and its key, and is told once', () => {
  const pods = crash.members;
  const node = explanation('Node//n1', { reason: 'NodeNotReady', members: [finding('Node//n1'), ...pods] });
  const secret = explanation('Secret/shop/db', { reason: 'SecretMissing', members: pods });
  const sim = simulation();
  sim.start();
  sim.step(15, [crash]);
  const { id, alertKey } = sim.only();
  assert.deepEqual(sim.step(20, [node]), ['update Node//n1 RootRevised → oncall']);
  assert.deepEqual(sim.step(25, [secret]), []);
  assert.equal(sim.only().id, id);
  assert.equal(sim.only().alertKey, alertKey);
});

test('incidents whose findings get one common cause fold into one; what was announced is closed at its end', () => {
  const a = explanation('Deployment/shop/a', { members: [finding('Pod/shop/a-1', { reason: 'PodNotReady' })] });
  const b = explanation('Deployment/shop/b', { members: [finding('Pod/shop/b-1', { reason: 'PodNotReady' })] });
  const node = lostNode('n1', ['shop/a', 'shop/b', 'shop/c']);
  const sim = simulation();
  sim.start();
  assert.equal(sim.step(15, [a, b]).length, 2);
  assert.deepEqual(sim.step(20, [node]), ['update Node//n1 RootRevised → oncall']);
  const folded = sim.all().find(({ foldedInto }) => foldedInto !== undefined);
  assert.equal(folded?.standings['']?.disposition, 'Folded');
  assert.equal(folded?.explanation.root.ref, 'Deployment/shop/b');
  sim.step(100, []);
  const ends = sim.step(300, []);
  assert.deepEqual(ends.sort(), ['resolve Deployment/shop/b HeldGood → oncall', 'resolve Node//n1 HeldGood → oncall']);
  assert.deepEqual(
    sim.told.flatMap((announcement) => ('notes' in announcement ? announcement.notes : [])),
    [{ is: 'wasPartOf', root: 'Node//n1' }],
  );
});

test('a settling symptom that gets a root is never told by itself', () => {
  const a = explanation('Deployment/shop/a', { members: [finding('Pod/shop/a-1', { reason: 'PodNotReady' })] });
  const node = lostNode('n1', ['shop/a', 'shop/b']);
  const early = explanation('Node//n1', {
    reason: 'NodeNotReady',
    members: [finding('Node//n1', { reason: 'NodeNotReady' })],
  });
  const sim = simulation();
  sim.start();
  sim.step(1, [a, early]);
  sim.step(5, [node]);
  assert.deepEqual(sim.step(20, [node]), ['open Node//n1 Settled → oncall']);
  assert.equal(sim.all().length, 1);
});

test('a symptom that outlives its root for five minutes becomes its own incident, and only then the root is told as over', () => {
  const node = lostNode('n1', ['shop/a', 'shop/b']);
  const left = explanation('Deployment/shop/a', {
    reason: 'PodNotReady',
    members: [finding('Pod/shop/a-1', { reason: 'PodNotReady', conclusive: false })],
  });
  const sim = simulation();
  sim.start();
  sim.step(15, [node]);
  assert.deepEqual(sim.step(1000, [left]), []);
  assert.deepEqual(sim.step(1180, [left]), [], 'nobody reads that it is over while part of it fails');
  assert.deepEqual(sim.step(1374, [left]), []);
  assert.deepEqual(sim.step(1375, [left]), ['open Deployment/shop/a Settled → oncall']);
  assert.deepEqual(sim.step(1376, [left]), ['resolve Node//n1 HeldGood → oncall']);
});

test('the last client of a server that serves again is not told as its cause, where only Pods of the server had failed', () => {
  const db: Ref = 'StatefulSet/data/db';
  const share = (root: Ref, member: Finding): ExplanationPart => ({
    root: { ref: root, labels: {} },
    ...{ reason: member.reason, severity: 'high', members: [member] },
  });
  const crash = finding('Pod/data/db-0');
  const short = finding('Deployment/shop/a', { reason: 'DeploymentUnavailable' });
  const outage = explanation(db, {
    members: [crash, short],
    parts: [share(db, crash), share('Deployment/shop/a', short)],
  });
  const left = explanation('Deployment/shop/a', { reason: 'DeploymentUnavailable', members: [short] });
  const sim = simulation();
  sim.start();
  assert.deepEqual(sim.step(20, [outage]), [`open ${db} Settled → oncall`]);
  assert.deepEqual(sim.step(100, [left]), []);
  sim.step(110, []);
  assert.deepEqual(sim.step(300, []), [`resolve ${db} HeldGood → oncall`]);
});

test("symptoms that go soon after their root are nobody's problem, neither new ones nor those told before", () => {
  const symptom = (name: string) => finding(`Pod/shop/${name}-1`, { reason: 'PodNotReady', conclusive: false });
  const alone = (name: string) =>
    explanation(`Deployment/shop/${name}`, { reason: 'PodNotReady', members: [symptom(name)] });
  const sim = simulation();
  sim.start();
  assert.deepEqual(sim.step(80, [alone('a')]), ['open Deployment/shop/a Settled → oncall']);
  sim.step(100, []);
  assert.deepEqual(sim.step(280, []), ['resolve Deployment/shop/a HeldGood → oncall']);
  const node = lostNode('n1', ['shop/a', 'shop/b']);
  assert.deepEqual(sim.step(300, [node]), ['open Node//n1 Settled → oncall']);
  assert.deepEqual(sim.step(500, [alone('a'), alone('b')]), []);
  assert.deepEqual(sim.step(520, [alone('b')]), []);
  assert.deepEqual(sim.step(540, []), []);
  assert.deepEqual(sim.step(720, []), ['resolve Node//n1 HeldGood → oncall']);
});

test('what a cause has brought about, and is found only after both it and what was behind it have ended, gets the time to go', () => {
  const dns: Ref = 'Service/kube-system/kube-dns';
  const down = finding(dns, { reason: 'ClusterDNSDown' });
  const crashed = finding('Pod/kube-system/coredns-1');
  const outage = explanation('Deployment/kube-system/coredns', { members: [crashed, down] });
  const late = (since: number) => {
    const short = finding('Deployment/shop/a', { reason: 'DeploymentUnavailable', since });
    return explanation(dns, { reason: 'ClusterDNSDown', members: [short] });
  };
  for (const { since, told } of [
    { since: 10, told: [] },
    { since: 110, told: [`open ${dns} Settled → oncall`] },
  ]) {
    const sim = simulation();
    sim.start();
    sim.step(20, [outage]);
    sim.step(100, []);
    const steps = [130, 190].flatMap((second) => sim.step(second, [late(since)]));
    assert.deepEqual(steps, told);
  }
});

test('what is found only after the incident of its cause is over gets the time to go as well, but not what began after it', () => {
  const dns: Ref = 'Service/kube-system/kube-dns';
  const down = finding(dns, { reason: 'ClusterDNSDown' });
  const outage = explanation('Deployment/kube-system/coredns', { members: [down] });
  const late = (since: number) =>
    explanation(dns, { reason: 'ClusterDNSDown', members: [finding('Pod/shop/a-1', { since })] });
  for (const { since, until, told } of [
    { since: 10, until: [400, 420, 480], told: [] },
    { since: 10, until: [400, 420, 480, 800], told: [`open ${dns} Settled → oncall`] },
    { since: 330, until: [400, 420, 480], told: [`open ${dns} Settled → oncall`] },
  ]) {
    const sim = simulation();
    sim.start();
    sim.step(20, [outage]);
    sim.step(100, []);
    sim.step(390, []);
    assert.equal(sim.only().state, 'Resolved');
    const steps = until.flatMap((second) => sim.step(second, [late(since)]));
    assert.deepEqual(steps, told);
  }
});

test('what is found after its cause has ended gets the time to go while what was behind the cause goes on', () => {
  const dns: Ref = 'Service/kube-system/kube-dns';
  const down = finding(dns, { reason: 'ClusterDNSDown' });
  const crashed = finding('Pod/kube-system/coredns-1');
  const outage = (...members: Finding[]) => explanation('Deployment/kube-system/coredns', { members });
  const late = (since: number) =>
    explanation(dns, { reason: 'ClusterDNSDown', members: [finding('Pod/shop/a-1', { since })] });
  for (const { since, until, told } of [
    { since: 10, until: [130, 190, 390], told: [] },
    { since: 10, until: [130, 190, 390, 800], told: [`open ${dns} Settled → oncall`] },
    { since: 110, until: [130, 190, 390], told: [`open ${dns} Settled → oncall`] },
  ]) {
    const sim = simulation();
    sim.start();
    sim.step(20, [outage(crashed, down)]);
    sim.step(100, [outage(crashed)]);
    const steps = until.flatMap((second) => sim.step(second, [outage(crashed), late(since)]));
    assert.deepEqual(steps, told);
  }
});

test('what a link of a told cause leaves behind gets the time to go, whatever the link is named for by then', () => {
  const webhook: Ref = 'ValidatingWebhookConfiguration//policy';
  const crash = finding('Pod/policy/policy-1', { conclusive: false });
  const link = finding(webhook, { reason: 'WebhookNoEndpoints' });
  const refused = finding('ReplicaSet/shop/a-1', { reason: 'ReplicaFailure' });
  const cause = (...members: Finding[]) => explanation('Deployment/policy/policy', { members });
  const left = explanation(webhook, { reason: 'ReplicaFailure', members: [refused] });
  const sim = simulation();
  sim.start();
  sim.step(20, [cause(crash, link, refused)]);
  assert.deepEqual(sim.step(100, [cause(crash), left]), []);
  assert.deepEqual(
    sim.step(130, [cause(crash), left]),
    [],
    'the webhook is gone, and who it refused tries again in a moment',
  );
  assert.deepEqual(sim.step(415, [cause(crash), left]), [`open ${webhook} Settled → oncall`]);
});

test('what leaves a problem that a told cause has left behind begins to settle with that one, not with the cause', () => {
  const webhook: Ref = 'ValidatingWebhookConfiguration//policy';
  const crash = finding('Pod/policy/policy-1', { conclusive: false });
  const short = (name: string) => finding(`Deployment/shop/${name}`, { reason: 'DeploymentUnavailable' });
  const cause = (...members: Finding[]) => explanation('Deployment/policy/policy', { members });
  const left = explanation(webhook, { reason: 'ReplicaFailure', members: [short('a'), short('b')] });
  const rest = explanation(webhook, { reason: 'ReplicaFailure', members: [short('b')] });
  const alone = explanation('Deployment/shop/a', { reason: 'DeploymentUnavailable', members: [short('a')] });
  const sim = simulation();
  sim.start();
  sim.step(20, [cause(crash, short('a'), short('b'))]);
  assert.deepEqual(sim.step(100, [cause(crash), left]), []);
  assert.deepEqual(sim.step(101, [cause(crash), rest, alone]), []);
  assert.deepEqual(sim.step(110, [cause(crash), rest, alone]), []);
  assert.deepEqual(sim.step(115, [cause(crash), alone]), ['open Deployment/shop/a Settled → oncall']);
});

test('two open incidents never share a key: the later one gets #2', () => {
  const one = explanation(api, { members: [finding('Pod/shop/api-a')] });
  const two = explanation(api, { members: [finding('Pod/shop/api-b')] });
  const sim = simulation();
  sim.start();
  sim.step(15, [one, two]);
  const keys = sim.all().map(({ alertKey }) => alertKey);
  assert.equal(keys[1], `${keys[0]}#2`);
});

test('the key is the same for the same problem after a restart without state, and another in another cluster', () => {
  const keyIn = (clusterId: string, seconds: number): string | undefined => {
    const sim = simulation();
    sim.start();
    sim.step(seconds, [crash], { clusterId });
    return sim.only().alertKey;
  };
  assert.equal(keyIn('one', 20), keyIn('one', 500));
  assert.notEqual(keyIn('one', 20), keyIn('two', 20));
});

test('a Pod that is replaced by another failing one does not end the incident', () => {
  const later = explanation(api, { members: [finding('Pod/shop/api-z', { since: 50 })] });
  const sim = simulation();
  sim.start();
  sim.step(15, [crash]);
  assert.deepEqual(sim.step(60, [later]), []);
  assert.equal(sim.only().state, 'Open');
});

test('saved incidents go on after a restart: no baseline, what is over is told as over', () => {
  const sim = simulation();
  sim.start();
  sim.step(15, [crash]);
  const next = simulation();
  next.incidents.restore(sim.all(), at(30));
  assert.deepEqual(next.start([], 60), []);
  assert.equal(next.only().state, 'Recovering');
  assert.deepEqual(next.step(240, []), [`resolve ${api} HeldGood → oncall`]);
});

test('a folded incident whose parent fails again while it recovers goes on with it', () => {
  const a = explanation('Deployment/shop/a', { members: [finding('Pod/shop/a-1', { reason: 'PodNotReady' })] });
  const b = explanation('Deployment/shop/b', { members: [finding('Pod/shop/b-1', { reason: 'PodNotReady' })] });
  const node = lostNode('n1', ['shop/a', 'shop/b']);
  const sim = simulation();
  sim.start();
  sim.step(15, [a, b]);
  sim.step(20, [node]);
  sim.step(30, []);
  sim.step(40, [node]);
  assert.deepEqual(
    sim.all().map(({ state }) => state),
    ['Open', 'Open'],
  );
});

test('a folded incident that stands for itself again is not told a second time', () => {
  const a = explanation('Deployment/shop/a', { members: [finding('Pod/shop/a-1', { reason: 'PodNotReady' })] });
  const b = explanation('Deployment/shop/b', { members: [finding('Pod/shop/b-1', { reason: 'PodNotReady' })] });
  const sim = simulation();
  sim.start();
  sim.step(15, [a, b]);
  sim.step(20, [lostNode('n1', ['shop/a', 'shop/b'])]);
  assert.deepEqual(sim.step(30, [b]), []);
  const alone = sim.all().find(({ explanation: { root } }) => root.ref === 'Deployment/shop/b');
  assert.equal(alone?.foldedInto, undefined);
  assert.equal(alone?.standings['']?.disposition, 'Delivered');
});

test('a failure that begins within the cooldown reopens, even if it settles after its end', () => {
  const sim = simulation();
  sim.start();
  sim.step(15, [crash]);
  sim.step(100, []);
  sim.step(280, []);
  const late = explanation(api, { members: [finding('Pod/shop/api-new', { since: 1179, conclusive: false })] });
  sim.step(1180, [late]);
  assert.deepEqual(sim.step(1254, [late]), [`reopen ${api} FailedAgainInCooldown → oncall`]);
});

test('every state change and disposition leaves a decision with its reason and trace', () => {
  const sim = simulation();
  sim.start();
  sim.step(15, [crash]);
  sim.step(100, []);
  sim.step(280, []);
  assert.deepEqual(
    sim.decisions.map(({ action, from, to, disposition, reasonCode }) => [action, from, to, disposition, reasonCode]),
    [
      ['open', 'Settling', 'Open', 'Delivered', 'Settled'],
      ['recover', 'Open', 'Recovering', 'Delivered', 'AllClear'],
      ['resolve', 'Recovering', 'Resolved', 'Delivered', 'HeldGood'],
    ],
  );
  assert.deepEqual(sim.decisions[0]?.trace, crash.trace);
  assert.equal(sim.decisions[0]?.time, '2026-11-20T08:00:15.000Z');
});

test('of what was resolved the newest 500 are kept, and whatever may still reopen', () => {
  const sim = simulation();
  sim.start();
  for (const [round, count] of [300, 600].entries()) {
    const storm = Array.from({ length: count }, (_, index) => explanation(`Deployment/shop/r${round}-${index}`));
    const begin = round * 4_000;
    sim.step(begin + 100, storm);
    sim.step(begin + 200, storm);
    sim.step(begin + 300, []);
    sim.step(begin + 600, []);
  }
  const rounds = () => Object.groupBy(sim.all(), ({ explanation: { root } }) => root.ref.slice(16, 18));
  assert.deepEqual([rounds().r0?.length, rounds().r1?.length], [undefined, 600], 'the newer may still reopen');
  sim.step(10_000, []);
  assert.equal(rounds().r1?.length, 500);
});

test('what fails every five days is the second time within a week, however often it did before', () => {
  const day = 86_400;
  const sim = simulation();
  sim.start();
  const times: (number | undefined)[] = [];
  for (let round = 0; round < 4; round += 1) {
    const begin = 100 + round * 5 * day;
    sim.step(begin, [
      explanation('Deployment/shop/api', { members: [finding('Pod/shop/api-1', { since: begin - 20 })] }),
    ]);
    times.push(sim.all().at(-1)?.previous?.times);
    sim.step(begin + 100, []);
    sim.step(begin + 400, []);
  }
  assert.deepEqual(times, [undefined, 2, 2, 2]);
});

test('a log that may say why is waited for when what fails has just changed, once and not for ever', () => {
  const unready = explanation(api, {
    reason: 'DeploymentUnavailable',
    members: [finding(api, { reason: 'DeploymentUnavailable', conclusive: false })],
  });
  const sim = simulation();
  sim.start();
  const beingRead = { isBeingRead: () => true };
  assert.deepEqual(sim.step(1, [unready], beingRead), []);
  // By then it would have been told at once: it has crashed since 1.
  const crashed = explanation(api, { members: [finding('Pod/shop/api-a', { since: 1 })] });
  assert.deepEqual(sim.step(40, [crashed], beingRead), []);
  assert.equal(sim.last().wakeAt, at(45));
  assert.deepEqual(sim.step(41, [crashed]), [`open ${api} Settled → oncall`], 'as soon as it is read');

  const mute = simulation();
  mute.start();
  mute.step(1, [unready], beingRead);
  mute.step(40, [crashed], beingRead);
  assert.deepEqual(mute.step(45, [crashed], beingRead), [`open ${api} Settled → oncall`], 'though nobody answers');
});
