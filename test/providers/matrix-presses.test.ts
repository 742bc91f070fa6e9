/** What a Matrix listener asks, what it takes for a wish, and what it does when answers are not what they should be. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { buttonsOf } from '../../src/model/press.ts';
import { Secret } from '../../src/model/secret.ts';
import { matrixListening } from '../../src/providers/matrix/presses.ts';
import { saidIn, wishIn } from '../../src/providers/matrix/wishes.ts';
import { fc } from '../fast-check.ts';
import { type Asked, type Scripted, scripted } from './play.ts';

const ada = '@ada:matrix.example';
const users = [ada];
const config = {
  homeServer: 'https://m.example',
  accessToken: new Secret('t'),
  internalRoomId: '!r:m',
  actions: { users },
};
const buttons = buttonsOf('i1', { uid: 'u1' }, false).map(({ carries }) => carries);
const message = {
  event_id: '$m',
  sender: '@bot:m',
  type: 'm.room.message',
  content: { 'dev.tocsin.buttons': buttons },
};
const reaction = {
  ...{ event_id: '$1', sender: ada, type: 'm.reaction' },
  content: { 'm.relates_to': { rel_type: 'm.annotation', event_id: '$m', key: '👍️' } },
};
const synced = (...events: readonly unknown[]) => ({
  json: { next_batch: 's2', rooms: { join: { '!r:m': { timeline: { events } } } } },
});

async function listened(answers: readonly Scripted[], cursor: string | undefined = 's1') {
  const asked: Asked[] = [];
  const heard: unknown[] = [];
  const outcome = await matrixListening.listen({
    ...{ config, uid: 'u1', send: scripted(answers, asked), converse: () => assert.fail('converse') },
    ...{ signal: new AbortController().signal, ...(cursor !== '' && { cursor }) },
    heard: (presses, next) => heard.push({ presses, next }),
  });
  return { asked: asked.map(({ address }) => new URL(address)), heard, outcome };
}

test('a reaction under a message of the bot is a press of what the message carries', async () => {
  const { heard, asked } = await listened([synced(reaction), { json: { user_id: '@bot:m' } }, { json: message }]);
  const press = { id: '$1', user: { id: ada, name: ada }, carries: 'ack:i1:u1', reply: { event: '$1', thread: '$m' } };
  assert.deepEqual(heard, [{ presses: [press], next: 's2' }]);
  assert.deepEqual(
    asked.map(({ pathname }) => pathname),
    ['sync', 'account/whoami', 'rooms/%21r%3Am/event/%24m'].map((path) => `/_matrix/client/v3/${path}`),
  );
  const [{ searchParams }] = asked as [URL];
  assert.deepEqual(
    [searchParams.get('since'), searchParams.get('timeout'), searchParams.get('set_presence')],
    ['s1', '25000', 'offline'],
  );
  const { room } = JSON.parse(searchParams.get('filter') ?? '');
  assert.deepEqual([room.rooms, room.timeline.senders], [['!r:m'], users]);
});

test('a reply may say for how long', async () => {
  const reply = { msgtype: 'm.text', body: 'silence 90m', 'm.relates_to': { 'm.in_reply_to': { event_id: '$m' } } };
  const event = { event_id: '$2', sender: ada, type: 'm.room.message', content: reply };
  const { heard } = await listened([synced(event), { json: { user_id: '@bot:m' } }, { json: message }]);
  const press = {
    id: '$2',
    user: { id: ada, name: ada },
    carries: 'sil:i1:u1:5400',
    reply: { event: '$2', reply: '$2' },
  };
  assert.deepEqual(heard, [{ presses: [press], next: 's2' }]);
});

describe('nothing is pressed', () => {
  const rows: readonly (readonly [string, readonly Scripted[]])[] = [
    ['under what somebody else wrote', [{ json: { user_id: '@bot:m' } }, { json: { ...message, sender: ada } }]],
    ['while nobody knows who the bot is', [{ json: {} }, { json: { ...message, sender: undefined } }]],
    ['under a message without buttons', [{ json: { user_id: '@bot:m' } }, { json: { ...message, content: {} } }]],
    [
      'under a message that is gone',
      [{ json: { user_id: '@bot:m' } }, { status: 404, json: { errcode: 'M_NOT_FOUND' } }],
    ],
    [
      'under a message of another AlertProvider',
      [
        { json: { user_id: '@bot:m' } },
        { json: { ...message, content: { 'dev.tocsin.buttons': ['ack:i1:u2', 7, 'ack', 'ack:i1:u1:60'] } } },
      ],
    ],
  ];
  for (const [what, answers] of rows)
    test(what, async () => {
      assert.deepEqual((await listened([synced(reaction), ...answers])).heard, [{ presses: [], next: 's2' }]);
    });
});

test('what was there before the first question is not done; nor when the server knows the cursor no more', async () => {
  const first = await listened([synced(reaction)], '');
  assert.deepEqual(first.heard, [{ presses: [], next: 's2' }]);
  assert.equal(first.asked[0]?.searchParams.get('timeout'), '0');
  const anew = await listened([{ status: 400, json: { errcode: 'M_UNKNOWN' } }, synced(reaction)]);
  assert.deepEqual(anew.heard, [{ presses: [], next: 's2' }]);
  assert.deepEqual(
    anew.asked.map(({ searchParams }) => searchParams.get('since')),
    ['s1', null],
  );
});

test('a look-up that fails hands nothing on, so that it is asked again from the same place', async () => {
  for (const answers of [
    [{ status: 500, json: {} }],
    [{ json: { user_id: '@bot:m' } }, { status: 502, json: {} }],
  ] as const) {
    const { heard, outcome } = await listened([synced(reaction), ...answers]);
    assert.deepEqual(heard, []);
    assert.equal(outcome.is, 'retryable');
  }
});

test('an idle room hands nothing on; an answer that is none is a failure', async () => {
  assert.deepEqual((await listened([{ json: { next_batch: 's1' } }])).heard, []);
  for (const json of [[], {}, { next_batch: 5 }, { next_batch: 'x'.repeat(2_000) }]) {
    const { heard, outcome } = await listened([{ json }]);
    assert.deepEqual(heard, []);
    assert.notEqual(outcome.is, 'delivered');
  }
});

test('a reply is a wish if it is nothing but a word', () => {
  const rows: readonly (readonly [string, unknown])[] = [
    ['ack', { act: 'acknowledge' }],
    [' Acknowledge\n', { act: 'acknowledge' }],
    ['> <@bot:m> shop/pay\n> ack\n\nACK', { act: 'acknowledge' }],
    ['silence', { act: 'silence' }],
    ['Silence 2h', { act: 'silence', seconds: 7_200 }],
    ['silence 45 min', { act: 'silence', seconds: 2_700 }],
    ['silence 3d', { act: 'silence', seconds: 259_200 }],
    ...[
      '',
      'ack!',
      'no ack',
      'ack\nack',
      'silence it',
      'silence 2',
      'silence -1h',
      'silence 1e3m',
      'silence 8d',
      'silence 0h',
      'silence 999999m',
    ].map((text) => [text, undefined] as const),
  ];
  for (const [body, expected] of rows) assert.deepEqual(saidIn(body), expected, body);
});

test('whatever an event holds, only who may has wishes, and nothing throws', () => {
  const any = fc.oneof(fc.anything(), fc.constantFrom('👍', '$m', 'ack', ada, 'm.annotation', 'm.thread'));
  const relation = fc.record({ rel_type: any, event_id: any, key: any, 'm.in_reply_to': any }, { requiredKeys: [] });
  const content = fc.oneof(any, fc.record({ msgtype: any, body: any, 'm.relates_to': relation }, { requiredKeys: [] }));
  const type = fc.oneof(any, fc.constantFrom('m.reaction', 'm.room.message'));
  const event = fc.oneof(
    any,
    fc.record({ event_id: any, sender: any, type, content, state_key: any }, { requiredKeys: [] }),
  );
  fc.assert(
    fc.property(event, (one) => {
      for (const { sender } of wishIn(one, users)) assert.equal(sender, ada);
    }),
  );
});
