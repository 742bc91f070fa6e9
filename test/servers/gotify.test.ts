import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { hostile } from '../providers/conformance/hostile.ts';
import { prepareServer } from './build.ts';
import { answers, ask, directoryFor, freePort, type Server, startServer } from './server.ts';
import { assertBadCredential, assertGood, assertRefused, configure, notifications } from './story.ts';

const { open, update, resolve, reopen, digest, startup, test: testMessage } = notifications;
const admin = { authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}` };

/** A message as Gotify keeps it. */
type Kept = { readonly title: string; readonly message: string; readonly priority: number; readonly extras: unknown };

describe('Gotify', () => {
  let server: Server;
  let url: string;
  let token: string;
  before(async () => {
    const made = await prepareServer('gotify');
    const port = await freePort();
    const directory = directoryFor('gotify');
    url = `http://127.0.0.1:${port}`;
    server = await startServer({
      ...{ name: 'gotify', path: `${made}/gotify`, args: [], directory, cwd: directory },
      env: {
        ...{ GOTIFY_SERVER_PORT: String(port), GOTIFY_SERVER_LISTENADDR: '127.0.0.1' },
        ...{ GOTIFY_DEFAULTUSER_PASS: 'admin', GOTIFY_DATABASE_CONNECTION: `${directory}/gotify.db` },
      },
      healthy: () => answers(`${url}/health`),
    });
    token = await newToken('application');
  });
  after(() => server[Symbol.asyncDispose]());

  async function newToken(of: 'application' | 'client'): Promise<string> {
    return Object(await ask('POST', `${url}/${of}`, { headers: admin, json: { name: 'tocsin' } })).token;
  }
  /** What people see, oldest first; forgotten afterwards. */
  async function seen(): Promise<readonly Kept[]> {
    const { messages } = Object(await ask('GET', `${url}/message`, { headers: admin }));
    await ask('DELETE', `${url}/message`, { headers: admin });
    return messages.toReversed();
  }

  test('shows the whole story, each act as a message as loud as it should be', async () => {
    await using gotify = configure('gotify', { url }, { token });
    await gotify.tell(open, update, resolve, reopen, digest, startup, testMessage);
    const messages = await seen();
    assert.deepEqual(
      messages.map(({ priority }) => priority),
      [8, 10, 2, 8, 2, 8, 2],
    );
    const [first, , third] = messages;
    assert.match(first?.title ?? '', /shop\/payments crashes: image 2\.3/);
    assert.match(first?.message ?? '', /It began at 12:11 UTC[\s\S]*starting "payments" <2\.4>/);
    assert.match(third?.message ?? '', /It began at 12:11 UTC and ended at 12:22 UTC/);
  });

  test('shows hostile texts as they are, as plain text', async () => {
    await using gotify = configure('gotify', { url: `${url}/` }, { token });
    await gotify.tell(hostile());
    const [message] = await seen();
    assert.match(message?.message ?? '', /<script>alert\(1\)<\/script>/);
    assert.deepEqual(Object(message?.extras)['client::display'], { contentType: 'text/plain' });
  });

  test('tells a good token from bad ones, and nobody sees the check', async () => {
    await using good = configure('gotify', { url }, { token });
    assertGood(await good.check());
    for (const bad of ['AnoSuchToken0123', await newToken('client')]) {
      await using wrong = configure('gotify', { url }, { token: bad });
      assertBadCredential(await wrong.check());
      assertRefused(await wrong.try(open));
    }
    assert.deepEqual(await seen(), []);
  });
});
