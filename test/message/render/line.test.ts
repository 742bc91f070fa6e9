import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { narrate } from '../../../src/message/narrate.ts';
import { measure } from '../../../src/message/render/kit/gsm.ts';
import { maxSegments, shortMessage } from '../../../src/message/render/line.ts';
import { narrateTest } from '../../../src/message/test-message.ts';
import type { Notification } from '../../../src/model/notification.ts';
import { actStories } from '../acts.ts';
import { at, settings, stories } from '../announcements.ts';
import { watchedCluster } from '../cluster.ts';
import { reasonStories } from '../reason-stories.ts';
import type { ClusterStory } from '../shop.ts';

const now = at('09:00:00');
function lastTold(story: ClusterStory): readonly Notification[] {
  const k8s = watchedCluster();
  story(k8s);
  return k8s.told().slice(-1);
}

/** Everything that the message room is tested with. */
const told: readonly (readonly [string, readonly Notification[]])[] = [
  ...[...reasonStories, ...Object.entries(actStories)].map(([name, story]) => [name, lastTold(story)] as const),
  ...Object.entries(stories).map(([name, { announcement, evidence, now: when = now }]) => {
    const context = { settings, now: when, version: '1.2.3', ...(evidence && { evidence }) };
    return [name, [narrate(announcement, context)]] as const;
  }),
  ['test', [narrateTest({ settings, now, provider: 'AlertProvider/tocsin/oncall' })]],
];

test('every short message is as people approved it', () => {
  const file = new URL('./short-messages.txt', import.meta.url);
  const text = told
    .flatMap(([name, all]) => all.map((notification) => [name, shortMessage(notification)] as const))
    .map(([name, message]) => {
      const { alphabet, units, segments } = measure(message);
      return `== ${name} (${alphabet}, ${units} in ${segments})\n${message}\n`;
    })
    .join('\n');
  if (!existsSync(file) || process.env.UPDATE_GOLDEN === '1') writeFileSync(file, text);
  assert.equal(text, readFileSync(file, 'utf8'), 'read it like a person on call; UPDATE_GOLDEN=1 writes it');
});

const high: Notification = {
  act: 'open',
  severity: 'high',
  title: 'Pod shop/api is not ready',
  lead: 'It began at 08:59 UTC.',
  evidence: [],
  facts: [],
  links: [],
  cluster: '',
  at: 0,
};
const { incident } = told.flatMap(([, [first]]) => first ?? []).find((each) => each.incident) ?? {};
assert.ok(incident);
const open: Notification = { ...high, incident };

test('it begins with what broke; how bad that is stands behind it with the cluster, as nothing here has a colour', () => {
  assert.equal(shortMessage(open), 'Pod shop/api is not ready (high)\nIt began at 08:59 UTC.');
  assert.equal(
    shortMessage({ ...open, cluster: 'prod' }),
    'Pod shop/api is not ready (prod, high)\nIt began at 08:59 UTC.',
  );
  assert.equal(shortMessage({ ...high, act: 'overview' }), 'Pod shop/api is not ready\nIt began at 08:59 UTC.');
});

test('whom it hits is worth another segment only where it is urgent', () => {
  const impact = 'i'.repeat(150);
  assert.equal(measure(shortMessage({ ...open, impact })).segments, 2);
  assert.equal(
    shortMessage({ ...open, severity: 'medium', impact }),
    'Pod shop/api is not ready (medium)\nIt began at 08:59 UTC.',
  );
  assert.ok(shortMessage({ ...open, severity: 'low', impact: 'Nobody.' }).endsWith('Nobody.'));
});

test('proofs, the note and the runbook only fill what is there already', () => {
  const filled = { ...open, note: 'Muted before.', evidence: ['It is.', 'e'.repeat(200), 'never'] };
  const links = [{ title: 'Runbook', url: 'https://wiki.example/r' }];
  assert.equal(
    shortMessage({ ...filled, links }),
    'Pod shop/api is not ready (high)\nIt began at 08:59 UTC.\nMuted before.\nIt is.\nhttps://wiki.example/r',
  );
  assert.ok(!shortMessage({ ...open, links: [{ title: 'x', url: 'javascript:alert(1)' }] }).includes('alert'));
});

test('nothing that is not needed makes the text UCS-2', () => {
  assert.equal(
    shortMessage({ ...open, evidence: ['ошибка'] }),
    'Pod shop/api is not ready (high)\nIt began at 08:59 UTC.',
  );
  const there = shortMessage({ ...open, cluster: '生产', evidence: ['ошибка'] });
  assert.equal(there, 'Pod shop/api is not ready (生产, high)\nIt began at 08:59 UTC.\nошибка');
  assert.equal(measure(there).alphabet, 'ucs2');
});

test('whatever it is made of, it is at most three segments, marked where it is cut', () => {
  for (const unit of ['a', '[', 'é', '世', '👩‍👩‍👧', '\u05d0', 'ɮ\u0301', '😀世']) {
    const long = unit.repeat(5_000);
    const message = shortMessage({ ...open, title: long, lead: long, cluster: long, impact: long, evidence: [long] });
    const { alphabet, segments } = measure(message);
    assert.ok(segments <= maxSegments, `${unit} ${segments}`);
    assert.ok(message.isWellFormed());
    if (unit !== '👩‍👩‍👧') assert.ok(message.endsWith(alphabet === 'gsm' ? '...' : '…'), message);
  }
});

test('as much of a long text is kept as fits', () => {
  assert.equal(measure(shortMessage({ ...open, lead: 'a'.repeat(1_000) })).units, 459);
  assert.equal(measure(shortMessage({ ...open, lead: '世'.repeat(1_000) })).units, 201);
});
