import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { Secret } from '../../src/model/secret.ts';
import { matrixListening } from '../../src/providers/matrix/presses.ts';
import type { AnswerablePress } from '../../src/providers/provider.ts';
import { eventually } from '../controlplane/environment.ts';
import { hostile } from '../providers/conformance/hostile.ts';
import { prepareServer } from './build.ts';
import { type Postgres, startPostgres } from './postgres.ts';
import { answers, ask, directoryFor, freePort, run, type Server, startServer } from './server.ts';
import { assertBadCredential, assertGood, assertRefused, configure, notifications, senderTo } from './story.ts';

const { open, update, resolve, reopen, digest, test: testMessage } = notifications;

/** An event of a room, as another member gets it. */
type Event = {
  readonly event_id: string;
  readonly sender: string;
  readonly type: string;
  readonly content: Readonly<Record<string, unknown>>;
};

describe('Matrix (Dendrite)', () => {
  let postgres: Postgres;
  let server: Server;
  let url: string;
  before(async () => {
    const made = await prepareServer('dendrite');
    postgres = await startPostgres();
    const directory = directoryFor('dendrite');
    run(join(made, 'generate-keys'), ['--private-key', join(directory, 'key.pem')]);
    const listen = `127.0.0.1:${await freePort()}`;
    url = `http://${listen}`;
    // JSON is YAML.
    const config = {
      version: 2,
      global: {
        ...{ server_name: 'matrix.example', private_key: join(directory, 'key.pem'), disable_federation: true },
        database: { connection_string: postgres.database('dendrite'), max_open_conns: 40 },
        jetstream: { storage_path: directory },
      },
      client_api: { registration_disabled: false, rate_limiting: { enabled: false } },
      media_api: { base_path: directory },
      logging: [{ type: 'std', level: 'warn' }],
    };
    writeFileSync(join(directory, 'dendrite.yaml'), JSON.stringify(config));
    server = await startServer({
      name: 'dendrite',
      path: join(made, 'dendrite'),
      args: ['-config', 'dendrite.yaml', '-http-bind-address', listen, '-really-enable-open-registration'],
      ...{ directory, cwd: directory },
      healthy: () => answers(`${url}/_matrix/client/versions`),
    });
    person = await register('ann');
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await postgres[Symbol.asyncDispose]();
  });

  let bot: string;
  let person: string;
  async function register(username: string): Promise<string> {
    const json = { username, password: `password-of-${username}`, auth: { type: 'm.login.dummy' } };
    return Object(await ask('POST', `${url}/_matrix/client/v3/register`, { json })).access_token;
  }
  const as = (token: string, method: string, path: string, json?: unknown): Promise<unknown> =>
    ask(method, `${url}/_matrix/client/v3/${path}`, { headers: { authorization: `Bearer ${token}` }, json });

  let room: string;
  let name: string;
  let count = 0;
  /** Every test has a room of its own, made by a person who invites a bot of its own: transactions belong to a login. */
  beforeEach(async () => {
    count += 1;
    bot = await register(`tocsin-${count}`);
    name = `@tocsin-${count}:matrix.example`;
    room = Object(await as(person, 'POST', 'createRoom', { invite: [name] })).room_id;
    await as(bot, 'POST', `join/${encodeURIComponent(room)}`, {});
  });
  const inRoom = (path: string): string => `rooms/${encodeURIComponent(room)}/${path}`;
  /** What the person sees, oldest first: a moment after it was sent, so as many as are expected are waited for. */
  async function messages(expected: number): Promise<readonly Event[]> {
    return eventually(`${expected} messages`, async () => {
      const { chunk } = Object(await as(person, 'GET', inRoom('messages?dir=b&limit=100')));
      const events: readonly Event[] = chunk;
      const found = events.filter(({ type }) => type === 'm.room.message').toReversed();
      return found.length >= expected ? found : undefined;
    });
  }
  /** What the server itself finds to refer to an event. */
  async function relations({ event_id: id }: Event, type: string): Promise<readonly Event[]> {
    const path = `${url}/_matrix/client/v1/${inRoom(`relations/${encodeURIComponent(id)}/${type}`)}`;
    return Object(await ask('GET', path, { headers: { authorization: `Bearer ${person}` } })).chunk;
  }
  const matrix = (accessToken = bot, actions = {}) =>
    configure('matrix', { homeServer: url, internalRoomId: room, ...actions }, { accessToken });

  test('an incident is one message that is kept up to date, with a thread, and a relapse in the room', async () => {
    await using provider = matrix();
    await provider.tell(open, update, resolve, reopen);
    const events = await messages(7);
    const [first] = events;
    assert.ok(first);
    assert.match(String(first.content.body), /It began at 12:11 UTC[\s\S]*starting "payments" <2\.4>/);
    assert.match(String(first.content.formatted_body), /starting &quot;payments&quot; &lt;2\.4&gt;/);
    const related = events.slice(1).map(({ content }) => Object(content['m.relates_to']));
    for (const { event_id: of, 'm.in_reply_to': reply } of related) assert.equal(of ?? reply?.event_id, first.event_id);
    const edits = events.filter(({ content }) => Object(content['m.relates_to']).rel_type === 'm.replace');
    assert.equal(edits.length, 3);
    const last = Object(edits.at(-2)?.content['m.new_content']);
    assert.match(String(last.body), /It began at 12:11 UTC and ended at 12:22 UTC/);
    const replies = await relations(first, 'm.thread');
    assert.match(String(replies[0]?.content.body), /It began at 12:11 UTC and ended at 12:22 UTC/);
    assert.equal(replies.length, 1);
  });

  test('plain messages and hostile texts mention nobody', async () => {
    await using provider = matrix();
    await provider.tell(digest, testMessage, hostile());
    const events = await messages(3);
    assert.equal(events.length, 3);
    for (const { content } of events) {
      assert.deepEqual(content['m.mentions'], {});
      assert.doesNotMatch(String(content.formatted_body), /<script|<img|href="https:\/\/evil/);
    }
    const { notifications: told } = Object(await as(person, 'GET', 'notifications?only=highlight'));
    assert.deepEqual(told, []);
  });

  test('a repeated attempt of one delivery is one message', async () => {
    await using provider = matrix();
    await provider.tell(open);
    provider.forget();
    await provider.tell(open, testMessage);
    assert.equal((await messages(2)).length, 2);
  });

  test('who may reacts and replies; others, edits and what was there before press nothing', async () => {
    const [ann, mallory] = ['@ann:matrix.example', '@mallory:matrix.example'];
    const stranger = await register('mallory');
    await as(person, 'POST', inRoom('invite'), { user_id: mallory });
    await as(stranger, 'POST', `join/${encodeURIComponent(room)}`, {});
    const actions = { users: [ann] };
    await using provider = matrix(bot, { actions });
    await provider.tell(open);
    const about = (await messages(1))[0]?.event_id ?? assert.fail('no message');
    await using sender = senderTo();
    const config = { homeServer: url, internalRoomId: room, accessToken: new Secret(bot), actions };
    const send = sender.for({ allPrivate: true, minTimeoutMs: 45_000 });
    let cursor: string | undefined;
    const collected: AnswerablePress[] = [];
    const listened = async (): Promise<readonly AnswerablePress[]> => {
      const all: AnswerablePress[] = [];
      const outcome = await matrixListening.listen({
        ...{ config, uid: 'uid', send, converse: () => assert.fail('converse'), signal: AbortSignal.timeout(60_000) },
        ...(cursor !== undefined && { cursor }),
        heard(presses, next) {
          all.push(...presses);
          cursor = next;
        },
      });
      assert.equal(outcome.is, 'delivered');
      return all;
    };
    let sent = 0;
    const say = async (token: string, type: string, content: object): Promise<string> => {
      sent += 1;
      return Object(await as(token, 'PUT', inRoom(`send/${type}/t${sent}`), content)).event_id;
    };
    const react = (token: string, key: string): Promise<string> =>
      say(token, 'm.reaction', { 'm.relates_to': { rel_type: 'm.annotation', event_id: about, key } });
    const reply = (token: string, body: string): Promise<string> =>
      say(token, 'm.room.message', {
        ...{ msgtype: 'm.text', body, 'm.relates_to': { 'm.in_reply_to': { event_id: about } } },
      });

    const before = await react(person, '👍');
    // The server shows things a moment after it took them.
    await eventually('it is there', async () =>
      Object(await as(bot, 'GET', inRoom('messages?dir=b&limit=100'))).chunk.some(
        ({ event_id: id }: { event_id: string }) => id === before,
      )
        ? true
        : undefined,
    );
    assert.deepEqual(await listened(), [], 'what was there before');
    await react(stranger, '👍');
    await reply(stranger, 'ack');
    const talk = await reply(person, 'who looks at it?');
    await say(person, 'm.room.message', {
      ...{ msgtype: 'm.text', body: '* ack', 'm.new_content': { msgtype: 'm.text', body: 'ack' } },
      'm.relates_to': { rel_type: 'm.replace', event_id: talk },
    });
    await react(person, '👀');
    await reply(person, 'silence 2h');
    const presses = await eventually('they are heard', async () => {
      const heard = await listened();
      collected.push(...heard);
      return collected.length >= 2 ? collected : undefined;
    });
    assert.deepEqual(
      presses.map(({ id, user, carries }) => [
        id === before ? 'before' : user.id,
        carries.replace(/:[^:]+:/, ':incident:'),
      ]),
      [
        [ann, 'ack:incident:uid'],
        [ann, 'sil:incident:uid:7200'],
      ],
    );
    for (const { reply: to } of presses)
      assert.equal((await matrixListening.answer({ config, send, reply: to, says: 'Heard.' })).is, 'delivered');
    const answered = (await messages(7)).filter(({ content }) => content.body === 'Heard.');
    assert.deepEqual(
      answered.map(({ content }) => Object(content['m.relates_to']).rel_type),
      ['m.thread', undefined],
    );
    assert.deepEqual(await listened(), [], 'nothing twice');
  });

  test('tells a good token from a bad one, and a room the bot is not in', async () => {
    await using good = matrix();
    assertGood(await good.check());
    await using wrong = matrix('no-such-token');
    assertBadCredential(await wrong.check());
    assertRefused(await wrong.try(open));
    await as(person, 'POST', inRoom('kick'), { user_id: name });
    assert.equal((await good.check()).is, 'permanent');
    assert.equal((await good.try(open)).ended, 'failed');
    assert.deepEqual(await messages(0), []);
  });
});
