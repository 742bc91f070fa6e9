import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { hostile } from '../providers/conformance/hostile.ts';
import { prepareServer } from './build.ts';
import { answers, ask, directoryFor, freePort, run, type Server, startServer } from './server.ts';
import { assertBadCredential, assertGood, assertRefused, configure, notifications } from './story.ts';

const { open, update, resolve, reopen, startup, test: testMessage } = notifications;

/** An issue, or a comment, as the API shows it. */
type Issue = { readonly number: number; readonly title: string; readonly body: string; readonly state: string };

describe('Gitea', () => {
  let server: Server;
  let url: string;
  let gitea: (...args: readonly string[]) => string;
  let token: string;
  before(async () => {
    const made = await prepareServer('gitea');
    const directory = directoryFor('gitea');
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const config = join(directory, 'app.ini');
    writeFileSync(
      config,
      `APP_NAME = Tests
RUN_MODE = prod
WORK_PATH = ${directory}
I_AM_BEING_UNSAFE_RUNNING_AS_ROOT = true
[server]
HTTP_ADDR = 127.0.0.1
HTTP_PORT = ${port}
ROOT_URL = ${url}/
STATIC_ROOT_PATH = ${made}
DISABLE_SSH = true
OFFLINE_MODE = true
[database]
DB_TYPE = sqlite3
PATH = ${join(directory, 'gitea.db')}
[security]
INSTALL_LOCK = true
SECRET_KEY = tests
[service]
REQUIRE_SIGNIN_VIEW = true
[log]
LEVEL = Warn
[cron]
ENABLED = false
[actions]
ENABLED = false
`,
    );
    const options = { cwd: directory, env: { HOME: directory, GITEA_WORK_DIR: directory } };
    gitea = (...args) => run(join(made, 'gitea'), ['--config', config, ...args], options).trim();
    gitea('migrate');
    server = await startServer({
      ...{ name: 'gitea', path: join(made, 'gitea'), args: ['--config', config, 'web'], directory, ...options },
      healthy: () => answers(`${url}/api/healthz`),
    });
    for (const name of ['tocsin', 'ann'])
      gitea(
        ...['admin', 'user', 'create', '--username', name, '--password', `password-of-${name}`],
        ...['--email', `${name}@example.com`, '--must-change-password=false'],
      );
    token = newToken('tocsin', 'write:issue,read:repository,read:user');
    owner = newToken('tocsin', 'all');
  });
  after(() => server[Symbol.asyncDispose]());

  let owner: string;
  let tokens = 0;
  function newToken(name: string, scopes: string): string {
    tokens += 1;
    const what = ['--username', name, '--token-name', `t${tokens}`, '--scopes', scopes, '--raw'];
    return (
      gitea('admin', 'user', 'generate-access-token', ...what)
        .split('\n')
        .at(-1) ?? ''
    );
  }
  const api = (method: string, path: string, json?: unknown, as = owner): Promise<unknown> =>
    ask(method, `${url}/api/v1/${path}`, { headers: { authorization: `token ${as}` }, json });

  let repo: string;
  let count = 0;
  beforeEach(async () => {
    count += 1;
    repo = `operations-${count}`;
    await api('POST', 'user/repos', { name: repo, private: true });
  });
  const at = (path: string): string => `repos/tocsin/${repo}/${path}`;
  /** What people see, oldest first. */
  async function issues(): Promise<readonly Issue[]> {
    const found = await api('GET', at('issues?state=all&type=issues'));
    return (Array.isArray(found) ? found : []).toSorted((a: Issue, b: Issue) => a.number - b.number);
  }
  async function comments(number: number): Promise<readonly string[]> {
    const found = await api('GET', at(`issues/${number}/comments`));
    return (Array.isArray(found) ? found : []).map(({ body }: Issue) => body);
  }
  /** As the page shows it, but for words that could be the hash of a commit: over one the preview of 1.26.0 ends the whole server. */
  async function rendered(text: string): Promise<string> {
    const json = { Text: text.replace(/\b[0-9a-f]{7,64}\b/g, 'hash'), Mode: 'comment', Context: `tocsin/${repo}` };
    const answer = await fetch(`${url}/api/v1/markdown`, {
      method: 'POST',
      headers: { authorization: `token ${owner}`, 'content-type': 'application/json' },
      body: JSON.stringify(json),
    });
    assert.ok(answer.ok);
    return answer.text();
  }
  const configured = (access = token, more: object = {}) =>
    configure('gitea', { url, owner: 'tocsin', repo, ...more }, { token: access });

  test('an incident is one issue with comments; a relapse is a new one that links it', async () => {
    await using provider = configured();
    await provider.tell(open);
    const [first] = await issues();
    assert.match(first?.title ?? '', /shop\/payments crashes: image 2\.3/);
    const page = await rendered(first?.body ?? '');
    assert.match(page, /It began at 12:11 UTC[\s\S]*<code[^>]*>[\s\S]*starting &#34;payments&#34; &lt;2\.4&gt;/);
    assert.doesNotMatch(page, /239710bd74f24b70/);
    await provider.tell(update, resolve);
    const told = await comments(1);
    assert.equal(told.length, 2);
    assert.match(told[1] ?? '', /It began at 12:11 UTC and ended at 12:22 UTC/);
    await provider.tell(reopen);
    const all = await issues();
    assert.deepEqual(
      all.map(({ state }) => state),
      ['open', 'open'],
    );
    assert.match(await rendered(all[1]?.body ?? ''), new RegExp(`href="[^"]*/tocsin/${repo}/issues/1"`));
  });

  test('with closeOnResolve the end closes the issue, and a relapse opens it again', async () => {
    await using provider = configured(token, { closeOnResolve: true });
    const state = async (): Promise<readonly string[]> => (await issues()).map((issue) => issue.state);
    await provider.tell(open, update, resolve);
    assert.deepEqual(await state(), ['closed']);
    await provider.tell(reopen);
    assert.deepEqual(await state(), ['open']);
    // After a restart without saved state it is found by its marker.
    provider.forget();
    await provider.tell(resolve);
    assert.deepEqual(await state(), ['closed']);
    assert.equal((await comments(1)).length, 4);
  });

  test('what a person closed or opened again first stays so', async () => {
    await using provider = configured(token, { closeOnResolve: true });
    const state = async (): Promise<readonly string[]> => (await issues()).map((issue) => issue.state);
    await provider.tell(open);
    await api('PATCH', at('issues/1'), { state: 'closed' });
    await provider.tell(resolve);
    assert.deepEqual(await state(), ['closed']);
    await api('PATCH', at('issues/1'), { state: 'open' });
    await provider.tell(reopen);
    assert.deepEqual(await state(), ['open']);
  });

  test('an issue that people let depend on an open one stays open at the end', async () => {
    await using provider = configured(token, { closeOnResolve: true });
    await provider.tell(open);
    const { number } = Object(await api('POST', at('issues'), { title: 'Something else' }));
    await api('POST', at('issues/1/dependencies'), { index: number, owner: 'tocsin', repo });
    await provider.tell(resolve);
    assert.deepEqual(
      (await issues()).map((issue) => issue.state),
      ['open', 'open'],
    );
    assert.equal((await comments(1)).filter((text) => text.includes('is running again')).length, 1);
  });

  test('what follows finds its issue after every reference was lost, and makes a new one in place of a deleted', async () => {
    await using provider = configured();
    await provider.tell(open);
    provider.forget();
    await provider.tell(resolve);
    assert.equal((await comments(1)).length, 1);
    await api('DELETE', at('issues/1'));
    await provider.tell(update);
    assert.deepEqual(
      (await issues()).map(({ number }) => number),
      [2],
    );
  });

  test('a test is one issue, closed at once; a start is one issue', async () => {
    await using provider = configured();
    await provider.tell(testMessage, startup);
    assert.deepEqual(
      (await issues()).map(({ state }) => state),
      ['closed', 'open'],
    );
  });

  test('a hostile text mentions nobody, links nowhere and loads nothing', async () => {
    await api('PUT', at('collaborators/ann'), { permission: 'read' });
    const ann = newToken('ann', 'all');
    await using provider = configured();
    await provider.tell({ ...hostile(), lead: '@ann look at this, #1, !1, tocsin/operations-1#1' });
    const [issue] = await issues();
    const page = await rendered(issue?.body ?? '');
    assert.doesNotMatch(page, /<img|<script|href="[^"]*evil\.example|class="mention"|href="[^"]*\/ann"/);
    assert.doesNotMatch(page, /class="[^"]*ref-issue/);
    assert.deepEqual(await api('GET', 'notifications?all=true', undefined, ann), []);
  });

  test('the check finds a good token good, a wrong one and one without the scope bad, and opens nothing', async () => {
    await using good = configured();
    assertGood(await good.check());
    await using wrong = configured('0123456789abcdef0123456789abcdef01234567');
    assertBadCredential(await wrong.check());
    assertRefused(await wrong.try(open));
    await using narrow = configured(newToken('tocsin', 'read:user'));
    assertBadCredential(await narrow.check());
    assert.deepEqual(await issues(), []);
  });
});
