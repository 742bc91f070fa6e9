import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { narrate } from '../../src/message/narrate.ts';
import { silenceAnchor } from '../../src/message/parts/silence.ts';
import { sentenceOf } from '../../src/message/phrases/phrases.ts';
import { beyondTitle } from '../../src/message/render/kit/beyond-title.ts';
import { headline } from '../../src/message/render/kit/headline.ts';
import { plainText } from '../../src/message/render/kit/plain-text.ts';
import { narrateTest } from '../../src/message/test-message.ts';
import type { Explanation } from '../../src/model/explanation.ts';
import type { Notification } from '../../src/model/notification.ts';
import { reasons } from '../../src/model/reason.ts';
import { actStories } from './acts.ts';
import { at, crashedRun, crashOpening, finding, opening, settings, stories, type Told } from './announcements.ts';
import { watchedCluster } from './cluster.ts';
import { reasonStories } from './reason-stories.ts';
import type { ClusterStory } from './shop.ts';

const now = at('09:00:00');
function told({ announcement, evidence, now: when = now }: Told): Notification {
  return narrate(announcement, { settings, now: when, version: '1.2.3', ...(evidence && { evidence }) });
}

/** The last text that a cluster's story makes Tocsin send. */
function lastTold(story: ClusterStory): string {
  const k8s = watchedCluster();
  story(k8s);
  const last = k8s.told().at(-1);
  return last === undefined ? 'Nothing was told.' : plainText(last);
}

/** Every text that is kept, by the name of its file. */
const texts: Readonly<Record<string, () => string>> = Object.fromEntries([
  ...reasonStories.map(([reason, story]) => [`open/${reason}`, () => lastTold(story)]),
  ...Object.entries(actStories).map(([name, story]) => [name, () => lastTold(story)]),
  ...Object.entries(stories).map(([name, story]) => [name, () => plainText(told(story))]),
]);
const golden = new URL('./golden/', import.meta.url);
/** `UPDATE_GOLDEN=1` writes the texts anew. Read what changed like a person on call before committing it. */
const update = process.env.UPDATE_GOLDEN === '1';
for (const [name, write] of Object.entries(texts))
  test(`the full text of ${name} is as people approved it`, () => {
    const file = new URL(`${name}.txt`, golden);
    const text = `${write()}\n`;
    if (update) writeFileSync(file, text);
    if (!existsSync(file)) {
      writeFileSync(file, text);
      assert.fail(`${name}.txt is new: read it like a person on call, then run again`);
    }
    assert.equal(text, readFileSync(file, 'utf8'));
  });

test('every golden text has its story', () => {
  const files = readdirSync(golden, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.txt'));
  assert.deepEqual(
    files.sort(),
    Object.keys(texts)
      .map((name) => `${name}.txt`)
      .sort(),
  );
});

test('the story of a reason is told by that reason', () => {
  for (const [reason, story] of reasonStories) {
    const k8s = watchedCluster();
    story(k8s);
    const last = k8s.told().at(-1);
    // What is low comes in a digest.
    assert.equal(last?.incident?.reason ?? last?.list?.entries[0]?.reason, reason);
  }
});

test('every reason has words that make a sentence, and a read-only next step', () => {
  for (const reason of reasons) {
    const root = reason.startsWith('Registry') ? 'Registry//ghcr.io' : 'Pod/shop/api';
    const announcement = opening({ root, reason, members: [finding({ ref: root, labels: {} }, reason)] });
    const { lead, nextStep, title } = told({ announcement });
    assert.match(title, /^[A-Z].*[\w)”]$/, reason);
    assert.ok(title.length <= 90, `${reason}: the cluster stands behind it`);
    assert.match(lead, /^(?:[A-Z].*\. )?It (?:began|happened) at 08:59 UTC\.$/, reason);
    assert.doesNotMatch(`${title}\n${lead}`, /undefined|NaN| {2}|\(\)|\.\.|: :|has been|has had/, reason);
    assert.match(nextStep?.command ?? '', /^kubectl (?:logs|describe|get|rollout history|top) /, reason);
    assert.equal(nextStep?.changesCluster, false);
    for (const member of announcement.incident.explanation.members) {
      assert.match(sentenceOf(member), /^[A-Z].*\.$/, reason);
      assert.doesNotMatch(sentenceOf(member), /undefined|NaN| {2}|\(\)/, reason);
    }
  }
});

test('the wording follows the confidence', () => {
  const { incident } = crashOpening;
  const sure = (confidence: 'high' | 'likely' | 'unknown'): string => {
    const explanation = { ...incident.explanation, confidence };
    return told({ announcement: { ...crashOpening, incident: { ...incident, explanation } } }).lead;
  };
  assert.match(sure('high'), /, because its image changed/);
  assert.match(sure('likely'), /, probably because its image changed/);
  assert.match(sure('unknown'), /\. The cause is not known\.$/);
  assert.doesNotMatch(sure('unknown'), /because/);
});

test('nothing fails since a time before its cause: what failed earlier failed for another reason', () => {
  const { incident } = crashOpening;
  const { change } = incident.explanation;
  assert.ok(change);
  const lead = (minutesBefore: number, parts: Partial<Explanation> = {}): string => {
    const explanation = { ...incident.explanation, ...parts };
    const startedAt = change.at - minutesBefore * 60_000;
    return told({ announcement: { ...crashOpening, act: 'reopen', incident: { ...incident, startedAt, explanation } } })
      .lead;
  };
  assert.match(lead(3), /It began at 08:59 UTC, probably because its image changed at 08:58 UTC/);
  assert.match(lead(3, { members: [] }), /It began at 08:58 UTC, probably because its image changed at 08:58 UTC/);
  assert.match(lead(3, { confidence: 'unknown' }), /It began at 08:55 UTC.*\. The cause is not known\.$/);
});

test('the cause is absent from the structured face when it is not known', () => {
  assert.match(
    told({ announcement: crashOpening }).incident?.cause ?? '',
    /^The image of Deployment shop\/api changed from 1\.4\.2 to 1\.5\.0/,
  );
  const unknown = stories['crash-cause-unknown'];
  assert.ok(unknown);
  assert.equal(told(unknown).incident?.cause, undefined);
});

test('an update that spread or was asked for as a reminder is for everybody, what else is new is not', () => {
  const rings = (name: string): unknown => told(stories[name] ?? assert.fail(name)).incident?.ring;
  for (const name of ['update-spreads', 'update-still-open']) assert.equal(rings(name), true, name);
  for (const name of ['update-cause', 'update-flapping', 'update-severity']) assert.equal(rings(name), undefined, name);
});

test('the face counts everything and lists at most 50 pods', () => {
  const affected = Array.from({ length: 200 }, (_, index) => ({ ref: `Pod/shop/p${index}`, labels: {} }) as const);
  const members = affected.map((pod) => finding(pod, 'PodNotReady', { container: 'web' }));
  const face = told({
    announcement: opening({ root: 'Node//n1', reason: 'NodeNotReady', members, affected }),
  }).incident;
  assert.deepEqual([face?.podCount, face?.pods.length, face?.affected.count], [200, 50, 200]);
  assert.deepEqual(face?.pods[0], { name: 'p0', namespace: 'shop', container: 'web' });
});

test('a resolve says resolved everywhere, and asks for nothing', () => {
  const { title, incident, nextStep, evidence, excerpt } = told({
    announcement: {
      ...crashOpening,
      act: 'resolve',
      incident: { ...crashOpening.incident, state: 'Resolved', resolvedAt: at('09:13:40') },
    },
  });
  assert.equal(title, 'shop/api is running again · lasted 14 min');
  assert.deepEqual([incident?.status, incident?.resolvedAt], ['resolved', at('09:13:40')]);
  assert.deepEqual([nextStep, evidence, excerpt], [undefined, [], undefined]);
});

test('programs read the same end as people: when it was well, not when that had lasted', () => {
  const { incident, lead } = told({
    announcement: {
      ...crashOpening,
      act: 'resolve',
      incident: {
        ...crashOpening.incident,
        ...{ state: 'Resolved', clearSince: at('09:10:40'), resolvedAt: at('09:13:40') },
      },
    },
  });
  assert.match(lead, /ended at 09:10 UTC\.$/);
  assert.equal(incident?.resolvedAt, at('09:10:40'));
});

test('a tenant reads the identity of the root and its own objects, nothing of others', () => {
  const story = stories['node-lost-for-a-tenant'];
  assert.ok(story);
  const everything = JSON.stringify(told(story));
  assert.match(everything, /Node n7/);
  assert.match(everything, /ledger/);
  assert.doesNotMatch(everything, /shop|logging|5 of 5/);
});

test('a tenant is told to run what reads its own namespace, and nothing of the cluster', () => {
  const root = 'Ingress/shop/web';
  const members = [finding({ ref: root, labels: {} }, 'IngressClassMissing', { ingressClass: 'ngnix' })];
  const nextFor = (audience: string): string | undefined =>
    told({ announcement: opening({ root, reason: 'IngressClassMissing', members, announcement: { audience } }) })
      .nextStep?.command;
  assert.equal(nextFor(''), 'kubectl get ingressclasses');
  assert.equal(nextFor('shop'), 'kubectl describe ingress web -n shop');
});

test('secrets and control characters of the cluster do not get into any part of a message', () => {
  const hostile = 'password=hunter2 \u001b[31mred\u202e';
  const pod = { ref: 'Pod/shop/api', labels: { team: hostile } } as const;
  const announcement = opening({
    ...{ root: 'Pod/shop/api', reason: 'CrashLoopBackOff' },
    members: [
      finding(pod, 'CrashLoopBackOff', { image: hostile, container: hostile, terminationMessage: hostile }, hostile),
    ],
    change: { ref: 'Pod/shop/api', field: 'image', at: now, by: hostile, from: hostile, to: hostile },
    announcement: { notes: [{ is: 'mutedUntil', at: now, by: `Silence/shop/${hostile}` }] },
  });
  const key = `-----BEGIN ${'PRIVATE'} KEY-----`;
  const lines = [hostile, key, 'hunter2', 'x', `-----END ${'PRIVATE'} KEY-----`, 'last'];
  const evidence = { ...crashedRun, source: 'log', lines };
  for (const notification of [told({ announcement }), told({ announcement, evidence })]) {
    const text = JSON.stringify(notification);
    assert.doesNotMatch(text, /hunter2|\\u001b|\u202e|\[31m/);
    assert.doesNotMatch(plainText(notification), /hunter2|\p{Cc}(?<!\n)/u);
  }
  assert.deepEqual(told({ announcement, evidence }).excerpt?.lines, ['password=*** red', '***', 'last']);
});

test('an excerpt keeps the last lines only, as many as the settings say', () => {
  const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`);
  const { excerpt } = told({ announcement: crashOpening, evidence: { ...crashedRun, source: 'log', lines } });
  assert.deepEqual([excerpt?.lines.length, excerpt?.lines.at(-1)], [settings.evidence.logLines, 'line 99']);
});

test('the end of an overview names a few again, and of many only says that all are over', () => {
  const overview = stories['storm-over']?.announcement;
  assert.ok(overview?.act === 'overview');
  const end = (count: number) => {
    const [entry = assert.fail()] = overview.entries;
    const entries = Array.from({ length: count }, () => entry);
    return narrate({ ...overview, entries, total: count }, { settings, now, version: '1' });
  };
  assert.equal(end(5).list?.entries.length, 5);
  assert.deepEqual([end(6).list?.entries, end(6).list?.total], [[], 6]);
  assert.doesNotMatch(plainText(end(6)), /and 6 more/);
});

test('an open incident links to the command that silences it, for those who may see the page that has it', () => {
  const statusPageURL = 'https://tocsin.example/status';
  const page = {
    ...settings,
    messages: { runbooks: {}, statusPageURL },
    statusEndpoint: { ...settings.statusEndpoint, enabled: true },
  };
  const linksOf = (announcement: typeof crashOpening, given: typeof settings) =>
    narrate(announcement, { settings: given, now, version: '1' }).links;
  const { incident } = crashOpening;
  assert.deepEqual(linksOf(crashOpening, page), [
    { title: 'Silence', url: `${statusPageURL}#${silenceAnchor(incident.id)}` },
  ]);
  assert.deepEqual(linksOf({ ...crashOpening, act: 'resolve' }, page), [], 'nothing is left to silence');
  assert.deepEqual(linksOf({ ...crashOpening, audience: 'shop' }, page), [], 'the page shows the whole cluster');
  const unserved = { ...page, statusEndpoint: settings.statusEndpoint };
  assert.deepEqual(linksOf(crashOpening, unserved), [], 'no page is served');
  const odd = { ...page, messages: { runbooks: {}, statusPageURL: 'https://[' } };
  assert.deepEqual(linksOf(crashOpening, odd), [], 'no address');
});

test('links are made of web addresses only, with names encoded', () => {
  const { links } = told({ announcement: crashOpening });
  assert.deepEqual(links, [
    { title: 'Runbook', url: 'https://wiki.example/runbooks/crash' },
    { title: 'Dashboard', url: 'https://grafana.example/d/shop/api' },
  ]);
  const odd = {
    ...settings,
    messages: { runbooks: { CrashLoopBackOff: 'javascript:alert(1)' }, dashboardURL: 'https://x/{name}' },
  };
  const announcement = opening({ root: 'Pod/shop/a?b&c/d', reason: 'CrashLoopBackOff', members: [] });
  assert.deepEqual(narrate(announcement, { settings: odd, now, version: '1' }).links, [
    { title: 'Dashboard', url: 'https://x/a%3Fb%26c%2Fd' },
  ]);
});

test('a name that Kubernetes would not take stands in no command', () => {
  const announcement = opening({ root: "Pod/shop/a; rm -rf 'x'", reason: 'PodNotReady', members: [] });
  assert.equal(told({ announcement }).nextStep, undefined);
});

test('the same facts give the same words', () => {
  for (const story of Object.values(stories)) assert.deepEqual(told(story), told(story));
});

test('a test message says that it is one', () => {
  const notification = narrateTest({ settings, now, provider: 'AlertProvider/tocsin/oncall' });
  assert.match(
    plainText(notification),
    /^Tocsin test message\n\nThis is a test: AlertProvider tocsin\/oncall can deliver\./,
  );
});

/** Every notification of the stories about one incident that are kept, with what it is about. */
const allTold: readonly Notification[] = [
  ...[...reasonStories.map(([, story]) => story), ...Object.values(actStories)].flatMap((story) => {
    const k8s = watchedCluster();
    story(k8s);
    return k8s.told().filter(({ incident }) => incident !== undefined);
  }),
  ...Object.values(stories)
    .map(told)
    .filter(({ incident }) => incident !== undefined),
];

test('a title and the cluster behind it are at most 100 characters, and one line', () => {
  for (const notification of allTold) {
    const shown = headline(notification, 1_000, 'utf16');
    assert.ok(shown.length <= 100, shown);
    assert.doesNotMatch(shown, /\n|^\[/, shown);
  }
});

test('no title names a symptom on an object that cannot have it', () => {
  const ofPods =
    /^(?:Secret|ConfigMap|NetworkPolicy|Node|PVC|Service|quota|webhook) \S+ (?:crashes|is OOM-killed|is not running)/;
  for (const { title } of allTold) assert.doesNotMatch(title, ofPods);
});

test('the body does not say again what the title says', () => {
  for (const told of allTold) {
    const { title, lead, evidence } = beyondTitle(told);
    const [what = ''] = title.split(/[:·]/);
    assert.ok(!lead.includes(what.trim()) || title.endsWith('…'), `${title}\n${lead}`);
    for (const proof of evidence) assert.ok(!title.includes(proof.replace(/\.$/, '')), `${title}\n${proof}`);
  }
});

test('programs are told whom it hits and what proves it, also where the title says so', () => {
  const open = allTold.filter(({ act }) => act !== 'resolve');
  const impacts = open.filter(({ inTitle }) => inTitle?.impact);
  assert.ok(impacts.length >= 20, `${impacts.length}`);
  for (const { title, impact = '' } of impacts) assert.match(impact, /serv|pod/, title);
  const proofs = open.filter(({ inTitle }) => inTitle?.evidence === 1);
  assert.ok(proofs.length > 0);
  for (const { title, evidence } of proofs) assert.notEqual(evidence[0] ?? '', '', title);
});

test('of the openings whose cause is known at least 95 % have all of it within 100 characters', () => {
  const known = allTold.filter(({ act, incident }) => act === 'open' && incident?.cause !== undefined);
  const cut = known.filter(({ title }) => /(?<!sha256:[0-9a-f]{12})…$/.test(title)).map(({ title }) => title);
  assert.ok(known.length >= 100, 'as many reasons as make an incident');
  assert.ok(cut.length <= 0.05 * known.length, `${cut.length} of ${known.length} are cut:\n${cut.join('\n')}`);
});
