import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { eventually } from '../controlplane/environment.ts';
import { hostile } from '../providers/conformance/hostile.ts';
import { prepareServer } from './build.ts';
import { type Postgres, startPostgres } from './postgres.ts';
import { answers, ask, directoryFor, freePort, type Server, startServer } from './server.ts';
import { assertBadCredential, assertGood, assertRefused, configure, notifications } from './story.ts';

const { open, update, resolve, reopen, digest, test: testMessage } = notifications;

/** A post as clients get it. */
type Post = {
  readonly id: string;
  readonly user_id: string;
  readonly root_id: string;
  readonly message: string;
  readonly create_at: number;
  readonly props: {
    readonly from_webhook?: string;
    readonly attachments?: readonly { readonly color: string; readonly text: string; readonly title: string }[];
  };
};

describe('Mattermost', () => {
  let postgres: Postgres;
  let server: Server;
  let url: string;
  let admin: string;
  let team: string;
  before(async () => {
    const made = await prepareServer('mattermost');
    postgres = await startPostgres();
    const directory = directoryFor('mattermost');
    const listen = `127.0.0.1:${await freePort()}`;
    url = `http://${listen}`;
    server = await startServer({
      name: 'mattermost',
      path: join(made, 'mattermost'),
      args: ['server', '--config', join(directory, 'config.json')],
      ...{ directory, cwd: made },
      env: {
        ...{ MM_SQLSETTINGS_DRIVERNAME: 'postgres', MM_SQLSETTINGS_DATASOURCE: postgres.database('mattermost') },
        ...{ MM_SERVICESETTINGS_LISTENADDRESS: listen, MM_SERVICESETTINGS_SITEURL: url },
        ...{ MM_FILESETTINGS_DIRECTORY: directory, MM_LOGSETTINGS_FILELOCATION: directory },
        ...{ MM_TEAMSETTINGS_ENABLEOPENSERVER: 'true', MM_PLUGINSETTINGS_ENABLE: 'false' },
        ...{ MM_SERVICESETTINGS_ENABLEBOTACCOUNTCREATION: 'true', MM_SERVICESETTINGS_ENABLEUSERACCESSTOKENS: 'true' },
        ...{ MM_LOGSETTINGS_ENABLEDIAGNOSTICS: 'false', MM_SERVICESETTINGS_ENABLESECURITYFIXALERT: 'false' },
      },
      healthy: () => answers(`${url}/api/v4/system/ping`),
    });
    // The first account becomes the administrator.
    await account('admin');
    admin = await logIn('admin');
    const json = { name: 'shop', display_name: 'Shop', type: 'O' };
    team = Object(await api(admin, 'POST', 'teams', json)).id;
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await postgres[Symbol.asyncDispose]();
  });

  const passwordOf = (name: string): string => `Password-of-${name}-1`;
  async function account(username: string): Promise<string> {
    const json = { username, email: `${username}@example.com`, password: passwordOf(username) };
    return Object(await ask('POST', `${url}/api/v4/users`, { json })).id;
  }
  async function logIn(name: string): Promise<string> {
    const body = JSON.stringify({ login_id: name, password: passwordOf(name) });
    const { headers } = await fetch(`${url}/api/v4/users/login`, { method: 'POST', body });
    return headers.get('token') ?? '';
  }
  const api = (token: string, method: string, path: string, json?: unknown): Promise<unknown> =>
    ask(method, `${url}/api/v4/${path}`, { headers: { authorization: `Bearer ${token}` }, json });

  let channel: string;
  let webhook: string;
  let count = 0;
  /** Every test has a channel and a webhook of its own. */
  beforeEach(async () => {
    count += 1;
    const json = { team_id: team, name: `alerts-${count}`, display_name: `Alerts ${count}`, type: 'O' };
    channel = Object(await api(admin, 'POST', 'channels', json)).id;
    const { id } = Object(await api(admin, 'POST', 'hooks/incoming', { channel_id: channel }));
    webhook = `${url}/hooks/${id}`;
  });
  /** What people see, oldest first. */
  async function posts(): Promise<readonly Post[]> {
    const { posts: byId } = Object(await api(admin, 'GET', `channels/${channel}/posts`));
    const all: readonly Post[] = Object.values(byId);
    return all.filter(({ props }) => props.from_webhook === 'true').toSorted((a, b) => a.create_at - b.create_at);
  }
  const mattermost = (address = webhook) => configure('mattermost', {}, { webhook: address });

  test('shows the whole story, each act as a post in the colour of its state', async () => {
    await using provider = mattermost();
    await provider.tell(open, update, resolve, reopen, digest, testMessage);
    const shown = (await posts()).map(({ message, props }) => ({ ...props.attachments?.[0], message }));
    assert.deepEqual(
      shown.map(({ color }) => color),
      ['#EA580C', '#DC2626', '#16A34A', '#EA580C', '#2563EB', '#2563EB'],
    );
    const all = shown.map(({ title, message }) => `${title} ${message}`);
    assert.match(all[0] ?? '', /shop\/payments crashes: image 2\.3/);
    assert.match(shown[0]?.text ?? '', /It began at 12:11 UTC[\s\S]*starting "payments" <2\.4>/);
    assert.match(shown[2]?.text ?? '', /It began at 12:11 UTC and ended at 12:22 UTC/);
  });

  test('a hostile text rings nobody', async () => {
    const ann = await account('ann');
    await api(admin, 'POST', `teams/${team}/members`, { team_id: team, user_id: ann });
    await api(admin, 'POST', `channels/${channel}/members`, { user_id: ann });
    const mentions = async (): Promise<number> =>
      Object(await api(admin, 'GET', `channels/${channel}/members/${ann}`)).mention_count;
    const countedUpTo = (least: number): Promise<number> =>
      eventually(`${least} mentions`, async () => {
        const found = await mentions();
        return found >= least ? found : undefined;
      });
    // To be added to a channel counts.
    await countedUpTo(1);
    await using provider = mattermost();
    const named = { ...hostile(), impact: '@ann look here', lead: '@all @channel @here @ann <!channel>' };
    await provider.tell(named);
    assert.equal((await posts()).length, 1);
    const { id, token } = await bot('tocsin-hostile');
    await joins(id);
    await using speaker = asBot(token);
    await speaker.tell(named, resolve);
    assert.equal((await postsOf(id)).length, 2);
    // So does what a person says afterwards, and nothing in between did.
    await api(admin, 'POST', 'posts', { channel_id: channel, message: 'look, @ann' });
    assert.equal(await countedUpTo(2), 2);
  });

  /** A bot in the team, with its token. */
  async function bot(username: string): Promise<{ readonly id: string; readonly token: string }> {
    const id = Object(await api(admin, 'POST', 'bots', { username })).user_id;
    await api(admin, 'POST', `teams/${team}/members`, { team_id: team, user_id: id });
    const { token } = Object(await api(admin, 'POST', `users/${id}/tokens`, { description: 'tocsin' }));
    return { id, token };
  }
  const joins = (user: string): Promise<unknown> =>
    api(admin, 'POST', `channels/${channel}/members`, { user_id: user });
  const asBot = (token: string) => configure('mattermost', { url: `${url}/`, channel }, { token });
  /** What a bot has posted, oldest first. */
  async function postsOf(user: string): Promise<readonly Post[]> {
    const { posts: byId } = Object(await api(admin, 'GET', `channels/${channel}/posts`));
    const all: readonly Post[] = Object.values(byId);
    return all
      .filter((post) => post.user_id === user && post.message !== '')
      .toSorted((a, b) => a.create_at - b.create_at);
  }
  const box = ({ props }: Post): string => props.attachments?.[0]?.text ?? '';

  test('a bot keeps the first post up to date, replies below it, and posts what everybody must see', async () => {
    const { id, token } = await bot('tocsin-story');
    await joins(id);
    await using provider = asBot(token);
    await provider.tell(open, update, resolve);
    const [ended] = await postsOf(id);
    assert.ok(ended);
    assert.match(ended.message, /is running again/);
    assert.match(box(ended), /starting "payments" <2\.4>/, 'the log of the opening stays');
    await provider.tell(reopen);
    const [first, worse, over, again, ...others] = await postsOf(id);
    assert.ok(first && worse && over && again);
    assert.deepEqual(others, []);
    assert.match(first.message, /Again/);
    assert.deepEqual([worse.root_id, over.root_id, again.root_id], ['', first.id, '']);
    assert.match(over.message, /is running again/);
  });

  test('a bot goes on anew where its first post was deleted, or it was taken out of the channel', async () => {
    const { id, token } = await bot('tocsin-anew');
    await joins(id);
    await using provider = asBot(token);
    await provider.tell(open);
    const [first] = await postsOf(id);
    assert.ok(first);
    await api(admin, 'DELETE', `posts/${first.id}`);
    await provider.tell(resolve);
    const left = await postsOf(id);
    assert.deepEqual(
      left.map(({ root_id }) => root_id),
      [''],
    );
    assert.match(left[0]?.message ?? '', /is running again/);
  });

  test('a bot that is not in the channel, or has no token, is found so', async () => {
    const { id, token } = await bot('tocsin-check');
    await using provider = asBot(token);
    const outside = await provider.check();
    assert.ok(outside.is === 'permanent' && !outside.credential, JSON.stringify(outside));
    assert.match(outside.reason, /add the bot/);
    await joins(id);
    assertGood(await provider.check());
    await using wrong = asBot('nosuchtoken1234567890abcdef');
    assertBadCredential(await wrong.check());
    assertRefused(await wrong.try(open));
    assert.deepEqual(await postsOf(id), []);
  });

  test('tells a living webhook from one that is gone, and nobody sees the check', async () => {
    await using good = mattermost();
    assertGood(await good.check());
    assert.deepEqual(await posts(), []);
    await using wrong = mattermost(`${url}/hooks/nosuchhook1234567890abcdef`);
    assertBadCredential(await wrong.check());
    assertRefused(await wrong.try(open));
  });
});
