/**
 * Reactions and replies in a Matrix room through the whole operator, against a server that speaks the published protocol: who may acts once,
 * whatever is repeated, broken off, edited or restarted; who may not, never.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { issuer } from '../edition/licences.ts';
import { type MatrixServer, type RoomEvent, startMatrixServer } from './matrix-server.ts';
import { broken, hasStarted, hasty, type Stage, startStage } from './stage.ts';

const token = 'syt_CANARY-matrix-5d1c-AAAAAAAAAAAAAAA';
const ada = '@ada:matrix.example';
const mallory = '@mallory:matrix.example';

const ours = issuer();
const directory = mkdtempSync(join(tmpdir(), 'tocsin-matrix-presses-'));

function secret(name: string, values: Readonly<Record<string, string>>): object {
  const data = Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]);
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'tocsin' }, data: Object.fromEntries(data) };
}

let stage: Stage;
let matrix: MatrixServer;
before(async () => {
  matrix = await startMatrixServer(token);
  stage = await startStage({ stateDirectory: directory, licenseKeys: ours.keys });
  const now = Math.floor(Date.now() / 1000);
  const license = await ours.issue({ iat: now - 3_600, exp: now + 30 * 86_400 });
  const { url: homeServer, room: internalRoomId } = matrix;
  const accessToken = { secretKeyRef: { name: 'bot', key: 'token' } };
  const provider = (name: string, users: readonly string[], more: object = {}): object => ({
    ...{ apiVersion: 'tocsin.dev/v1alpha1', kind: 'AlertProvider', metadata: { name, namespace: 'tocsin' } },
    spec: { type: 'matrix', matrix: { homeServer, accessToken, internalRoomId, actions: { users } }, ...more },
  });
  await stage.create(
    secret('licence', { license }),
    secret('bot', { token }),
    { ...hasty, spec: { ...hasty.spec, app: {}, license: { secretKeyRef: { name: 'licence', key: 'license' } } } },
    provider('chat', [ada]),
    // Of the same bot, in the same room: each acts on its own messages alone, and nothing goes to this one.
    provider('other', ['@bob:matrix.example'], { routes: [{ selector: { namespaces: ['elsewhere'] } }] }),
  );
  await stage.until('ready', () => hasStarted(stage));
  await stage.until('it listens', () => matrix.syncs.answered > 2);
});
after(async () => {
  await stage.stop();
  await matrix.stop();
  rmSync(directory, { recursive: true, force: true });
});

const config = () => Object(stage.sandbox.objects.get('alertconfigs.tocsin.dev', 'tocsin', 'default'));
const acknowledged = (): readonly string[] =>
  Object.entries<string>(config().metadata.annotations ?? {}).flatMap(([key, value]) =>
    key.startsWith('acknowledged.') ? [value] : [],
  );
const silences = (): readonly { readonly spec: ReturnType<typeof Object> }[] =>
  stage.sandbox.objects.list('silences.tocsin.dev').map(Object);
const messageOf = (words: string): RoomEvent | undefined =>
  matrix.events.find(
    ({ content, type }) =>
      type === 'm.room.message' && content['dev.tocsin.buttons'] && String(content.body).includes(words),
  );
const react = (sender: string, event: string | undefined, key: string): string =>
  matrix.send(sender, 'm.reaction', {
    'm.relates_to': { rel_type: 'm.annotation', event_id: event ?? assert.fail('no message'), key },
  });
const reply = (sender: string, event: string | undefined, body: string, more: object = {}): string =>
  matrix.send(sender, 'm.room.message', {
    ...{
      msgtype: 'm.text',
      body,
      'm.relates_to': { 'm.in_reply_to': { event_id: event ?? assert.fail('no message') } },
    },
    ...more,
  });
const answering = () =>
  matrix.events.filter(
    ({ sender, content }) =>
      sender === matrix.bot && content.msgtype === 'm.notice' && content['m.new_content'] === undefined,
  );
const answers = (): readonly string[] => answering().map(({ content }) => String(content.body));
/** Waits until what was sent before was heard, and what follows is done. */
async function heardAll(): Promise<void> {
  const { answered } = matrix.syncs;
  await stage.until('it asks on', () => matrix.syncs.answered >= answered + 5);
}
const withdraw = (): Promise<unknown> =>
  stage.client.json({
    ...{ method: 'PATCH', contentType: 'application/merge-patch+json' },
    path: '/apis/tocsin.dev/v1alpha1/namespaces/tocsin/alertconfigs/default',
    body: { metadata: { annotations: null } },
  });

test('a message says how; whoever may not, whatever they send, does nothing and is not answered', async () => {
  await stage.create(broken('cart'));
  await stage.until('it is told', () => messageOf('cart') !== undefined);
  const told = messageOf('cart');
  assert.match(
    String(told?.content.body),
    /React 👍 to acknowledge, 🔕 to silence for an hour; or reply: ack, silence 2h\.$/,
  );
  const forged = matrix.send(mallory, 'm.room.message', { ...told?.content, body: 'Like this if you like cats' });
  for (const ignores of [false, true]) {
    matrix.ignoreFilters(ignores);
    for (const key of ['👍', '🔕']) react(mallory, told?.event_id, key);
    for (const body of ['ack', 'silence', 'silence 2h']) reply(mallory, told?.event_id, body);
    // Who may, but on what is no message of the bot, or is none of its messages with buttons.
    for (const event of [forged, '$nowhere', 'x', '../..']) react(ada, event, '👍');
    react('@bob:matrix.example', told?.event_id, '👍');
    react(ada.toUpperCase(), told?.event_id, '👍');
    await heardAll();
  }
  matrix.ignoreFilters(false);
  assert.deepEqual([acknowledged(), silences(), answers()], [[], [], []]);
});

test('what is encrypted, edited, quoted, or only holds a word is no wish', async () => {
  const of = messageOf('cart')?.event_id;
  const talk = reply(ada, of, 'I will ack it when I am back');
  for (const body of [
    'ack please',
    'nack',
    'silence 8d',
    'silence 0h',
    'silence 2 weeks',
    '> <@ada:x> ack\n\nno',
    'constructor',
  ])
    reply(ada, of, body);
  for (const body of ['* ack', 'ack'])
    reply(ada, of, body, {
      'm.new_content': { msgtype: 'm.text', body: 'ack' },
      'm.relates_to': { rel_type: 'm.replace', event_id: talk, 'm.in_reply_to': { event_id: of } },
    });
  reply(ada, of, 'ack', { msgtype: 'm.notice' });
  matrix.send(ada, 'm.room.message', { msgtype: 'm.text', body: 'ack' });
  matrix.send(ada, 'm.room.encrypted', {
    ...{ algorithm: 'm.megolm.v1.aes-sha2', ciphertext: 'ack' },
    'm.relates_to': { 'm.in_reply_to': { event_id: of } },
  });
  for (const key of ['👎', 'ack', '', '__proto__', 'constructor']) react(ada, of, key);
  matrix.send(ada, 'm.reaction', {});
  await heardAll();
  assert.deepEqual([acknowledged(), silences(), answers()], [[], [], []]);
});

test('who may acknowledges by a reaction: the annotation, the message and an answer below it say so', async () => {
  const of = messageOf('cart')?.event_id ?? '';
  react(ada, of, '👍🏽');
  await stage.until('it is answered', () => answers().length === 1);
  assert.deepEqual(answers(), ['Acknowledged: nobody is reminded of it.']);
  assert.deepEqual(Object(answering()[0]?.content['m.relates_to']).rel_type, 'm.thread');
  assert.match(acknowledged()[0] ?? '', /^@ada:matrix\.example via Matrix at 20\S+Z$/);
  await stage.until('the message says so', () => /by @ada:matrix\.example via Matrix/.test(matrix.shown(of).body));
  assert.match(matrix.shown(of).body, /React 🔕 to silence for an hour; or reply: silence 2h\.$/);
  assert.ok(stage.log.some((line) => line.includes('"a button was pressed"') && line.includes(ada)));
});

test('replays, questions that break off and a server that was made anew bring no act twice', async () => {
  await withdraw();
  matrix.again();
  await heardAll();
  matrix.breakOff(3);
  matrix.again();
  await stage.until('it asks again', () => stage.log.some((line) => line.includes('are not heard; it is tried again')));
  await heardAll();
  matrix.forget();
  await heardAll();
  assert.deepEqual([acknowledged(), silences(), answers().length], [[], [], 1]);
});

test('what was wished while nobody listened is done after the restart, and what was done before is not done again', async () => {
  await stage.create(broken('pay'));
  await stage.until('it is told', () => messageOf('pay') !== undefined);
  const of = messageOf('pay')?.event_id;
  const quoted = '> <@tocsin:matrix.example> shop/pay\n> cannot pull\n\nSilence 2h';
  const ack = { 'm.relates_to': { rel_type: 'm.thread', event_id: of, 'm.in_reply_to': { event_id: '$other' } } };
  reply(ada, of, 'ack', ack);
  await stage.until('it is acknowledged', () => acknowledged().length === 1);
  await withdraw();
  await stage.restart(async () => {
    matrix.again();
    reply(ada, of, quoted);
    react(mallory, of, '👍');
  });
  await stage.until('it is silenced', () => silences().length > 0);
  matrix.again();
  await heardAll();
  assert.deepEqual(
    silences().map(({ spec }) => [spec.selector, spec.durationSeconds, spec.createdBy]),
    [[{ kinds: ['Deployment'], names: ['pay'], namespaces: ['shop'] }, 7200, '@ada:matrix.example via Matrix']],
  );
  assert.match(answers().at(-1) ?? '', /^Silenced for 2 h: /);
  assert.deepEqual(acknowledged(), [], 'what was taken back meanwhile stays taken back');
});

test('only this room and those who may are asked for; no line of the log holds the token', () => {
  const asked = [...matrix.syncs.filters].map((filter) => JSON.parse(filter).room);
  assert.ok(asked.length > 0);
  for (const { rooms, timeline } of asked) {
    assert.deepEqual([rooms, timeline.types], [[matrix.room], ['m.reaction', 'm.room.message']]);
    assert.equal(timeline.senders.length, 1);
  }
  assert.equal(
    stage.log.some((line) => line.includes('CANARY')),
    false,
  );
});
