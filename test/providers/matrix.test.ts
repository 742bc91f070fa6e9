/** What the conformance suite does not see of Matrix: transactions, what a message refers to, and how large an edit gets. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { matrixContent } from '../../src/message/render/matrix.ts';
import type { Notification } from '../../src/model/notification.ts';
import { buttonsOf } from '../../src/model/press.ts';
import { Secret } from '../../src/model/secret.ts';
import { keptLog } from '../../src/providers/kit/kept-log.ts';
import { matrixCalling, matrixQuiet } from '../../src/providers/matrix/people.ts';
import { matrix } from '../../src/providers/matrix.ts';
import { hostile, materials, oversize } from './conformance/hostile.ts';
import { notifications } from './notifications.ts';
import { play, type Scripted } from './play.ts';

const { open, update, resolve, reopen, digest } = notifications;
const quiet = { ...update, severity: 'high' } as const satisfies Notification;
const config = { homeServer: 'https://matrix.example', accessToken: new Secret('token'), internalRoomId: '!abc' };
const ref = { event: '$first' };
const sent: Scripted = { json: { event_id: '$new' } };

const all = [
  ...Object.values(notifications),
  hostile(),
  ...[...Object.values(materials), '\\'].flatMap((unit): readonly Notification[] => [
    oversize(unit, 'open'),
    { ...oversize(unit, 'open'), act: 'update' },
  ]),
];

function relationOf(body: Readonly<Record<string, unknown>>): unknown {
  return body['m.relates_to'];
}

test('no event is larger than a server takes, an edit with everything that JSON escapes neither', async () => {
  for (const notification of all) {
    const known = notification.incident ? { ref } : {};
    const { asked } = await play(matrix, { config, notification, ...known, answers: [sent] });
    for (const { body } of asked) assert.ok(Buffer.byteLength(JSON.stringify(body)) <= 60_000);
  }
});

test('tags are closed, whatever was cut', () => {
  for (const notification of all) {
    const { formatted_body: html } = matrixContent(notification);
    for (const tag of ['strong', 'em', 'span', 'code', 'pre', 'a'])
      assert.equal(
        html.split(`<${tag}>`).length + html.split(`<${tag} `).length - 1,
        html.split(`</${tag}>`).length,
        tag,
      );
    assert.doesNotMatch(html, /&(?!amp;|lt;|gt;|quot;|#39;)/);
  }
});

describe('a later act', () => {
  const tell = (notification: Notification, answers: readonly Scripted[] = [sent]) =>
    play(matrix, { config, notification, ref, answers });

  test('that is no worse is an edit, which nobody is notified of', async () => {
    const { outcome, asked } = await tell(quiet);
    assert.deepEqual(outcome, { is: 'delivered', ref });
    assert.equal(asked.length, 1);
    assert.deepEqual(relationOf(asked[0]?.body ?? {}), { rel_type: 'm.replace', event_id: '$first' });
    assert.equal(asked[0]?.body.msgtype, 'm.notice');
  });

  test('that ends it is in the thread; what is worse or back is in the room', async () => {
    const relations = await Promise.all([resolve, update, reopen].map((each) => tell(each)));
    const [end, worse, back] = relations.map(({ asked }) => relationOf(asked[1]?.body ?? {}));
    const reply = { 'm.in_reply_to': { event_id: '$first' } };
    assert.deepEqual(end, { rel_type: 'm.thread', event_id: '$first', is_falling_back: true, ...reply });
    assert.deepEqual(worse, reply);
    assert.deepEqual(back, reply);
    for (const { outcome } of relations) assert.deepEqual(outcome, { is: 'delivered', ref });
  });

  test('that cannot refer to the first message is a new one, which is known from then on', async () => {
    const { outcome, asked } = await tell(resolve, [{ status: 400, json: { errcode: 'M_UNKNOWN' } }, sent]);
    assert.deepEqual(outcome, { is: 'delivered', ref: { event: '$new', ...keptLog(resolve) } });
    assert.equal(relationOf(asked[1]?.body ?? {}), undefined);
  });

  test('mentions nobody, in the new content neither', async () => {
    for (const { body } of (await tell(resolve)).asked) {
      assert.deepEqual(body['m.mentions'], {});
      const content: { 'm.mentions'?: unknown } = Object(body['m.new_content'] ?? { 'm.mentions': {} });
      assert.deepEqual(content['m.mentions'], {});
    }
  });
});

test('what can be done stands at the end, and what it presses is in the event; without anybody who may, neither', () => {
  const free = buttonsOf('i1', { uid: 'u1' }, false);
  const told = matrixCalling(open, { mentions: ['@ada:m'], responders: [], assignees: [] }, free);
  assert.match(told.body, /React 👍 to acknowledge, 🔕 to silence for an hour; or reply: ack, silence 2h\.\n\n@ada:m$/);
  assert.match(told.formatted_body, /<br><br><em>React 👍 [^<]*<\/em><br><br>/);
  assert.deepEqual(Object(told)['dev.tocsin.buttons'], ['ack:i1:u1', 'sil:i1:u1']);
  const taken = matrixQuiet(open, buttonsOf('i1', { uid: 'u1' }, true));
  assert.match(taken.body, /\n\nReact 🔕 to silence for an hour; or reply: silence 2h\.$/);
  assert.deepEqual(matrixQuiet(open), { ...matrixContent(open), 'm.mentions': {} });
});

test('a repeat has the transactions of the first attempt, and no two events share one', async () => {
  const run = async () => (await play(matrix, { config, notification: resolve, ref, answers: [sent] })).asked;
  const [first, second] = [await run(), await run()].map((asked) => asked.map(({ address }) => address));
  assert.deepEqual(first, second);
  assert.equal(new Set(first).size, 2);
});

test('a room of the newest version has no server in its id; what is about no incident is not kept', async () => {
  const { outcome, asked } = await play(matrix, { config, notification: digest, answers: [sent] });
  assert.deepEqual(outcome, { is: 'delivered' });
  assert.match(asked[0]?.address ?? '', /\/rooms\/%21abc\/send\/m\.room\.message\/[0-9a-f]+$/);
  assert.equal((await play(matrix, { config, notification: open, answers: [sent] })).outcome.ref?.event, '$new');
});
