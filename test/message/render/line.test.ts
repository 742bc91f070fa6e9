import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { narrate } from '../../../src/message/narrate.ts';
import { measure } from '../../../src/message/render/gsm.ts';
import { maxSegments, shortMessage } from '../../../src/message/render/line.ts';
import { narrateTest } from '../../../src/message/test-message.ts';
import type { Notification } from '../../../src/model/notification.ts';
import { actStories } from '../acts.ts';
import { at, settings, stories } from '../announcements.ts';
import { watchedCluster } from '../cluster.ts';
import { reasonStories } from '../reasons.ts';
import type { ClusterStory } from '../shop.ts';

const now = at('09:00:00');
function lastTold(story: ClusterStory): readonly Notification[] {
  const k8s = watchedCluster();
  story(k8s);
  return k8s.told().slice(-1);
}

/** Everything that the message room is tested with. */
const told: readonly (readonly [string, readonly Notification[]])[] = [
  ...Object.entries({ ...reasonStories, ...actStories }).map(([name, story]) => [name, lastTold(story)] as const),
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
  title: '[high] PodNotReady · Pod shop/api',
  lead: 'Pod shop/api is not ready.',
  evidence: [],
  facts: [],
  links: [],
  cluster: '',
  at: 0,
};
const { incident } = told.flatMap(([, [first]]) => first ?? []).find((each) => each.incident) ?? {};
assert.ok(incident);
const open: Notification = { ...high, incident };

test('an incident needs no title, since its sentence names the object; any other message does', () => {
  assert.equal(shortMessage(open), 'HIGH: Pod shop/api is not ready.');
  assert.equal(
    shortMessage({ ...high, act: 'overview' }),
    'HIGH: PodNotReady - Pod shop/api\nPod shop/api is not ready.',
  );
});

test('whom it hits is worth another segment only where it is urgent', () => {
  const impact = 'i'.repeat(150);
  assert.equal(measure(shortMessage({ ...open, impact })).segments, 2);
  assert.equal(shortMessage({ ...open, severity: 'medium', impact }), 'MEDIUM: Pod shop/api is not ready.');
  assert.ok(shortMessage({ ...open, severity: 'low', impact: 'Nobody.' }).endsWith('Nobody.'));
});

test('proofs, the note and the runbook only fill what is there already', () => {
  const filled = { ...open, note: 'Muted before.', evidence: ['It is.', 'e'.repeat(200), 'never'] };
  const links = [{ title: 'Runbook', url: 'https://wiki.example/r' }];
  assert.equal(
    shortMessage({ ...filled, links }),
    'HIGH: Pod shop/api is not ready.\nMuted before.\nIt is.\nhttps://wiki.example/r',
  );
  assert.ok(!shortMessage({ ...open, links: [{ title: 'x', url: 'javascript:alert(1)' }] }).includes('alert'));
});

test('nothing that is not needed makes the text UCS-2', () => {
  assert.equal(shortMessage({ ...open, evidence: ['ошибка'] }), 'HIGH: Pod shop/api is not ready.');
  const there = shortMessage({ ...open, cluster: '生产', evidence: ['ошибка'] });
  assert.equal(there, 'HIGH 生产: Pod shop/api is not ready.\nошибка');
  assert.equal(measure(there).alphabet, 'ucs2');
});

test('whatever it is made of, it is at most three segments, marked where it is cut', () => {
  for (const unit of ['a', '[', 'é', '世', '👩‍👩‍👧', '\u05d0', 'ɮ\u0301', '😀世']) {
    const long = unit.repeat(5_000);
    const message = shortMessage({ ...open, lead: long, cluster: long, impact: long, evidence: [long] });
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
