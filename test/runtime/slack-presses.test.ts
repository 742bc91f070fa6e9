/**
 * Buttons of Slack through the whole operator, against a server that speaks Socket Mode as it is published: who may acts once, whatever is sent
 * again, refreshed or broken off; who may not, never.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { createAuthority } from '../../sandbox/certificate.ts';
import { type ChannelMessage, type SlackServer, startSlackServer } from './slack-server.ts';
import { broken, hasStarted, hasty, type Stage, startStage } from './stage.ts';

const tokens = { bot: 'xoxb-CANARY-bot-3f9a', app: 'xapp-CANARY-app-77c1', ticket: 'CANARY-ticket-12ab' };
const ada = { id: 'U0ADA', name: 'ada' };
const mallory = { id: 'U0MALLORY', name: 'ada' };

let stage: Stage;
let slack: SlackServer;
const trusted = getCACertificates('default');
before(async () => {
  const authority = createAuthority('Of the company', Date.now());
  setDefaultCACertificates([...trusted, authority.certificate]);
  slack = await startSlackServer(authority, tokens);
  stage = await startStage({});
  const data = Object.fromEntries(
    Object.entries(tokens).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
  );
  const from = (key: string) => ({ secretKeyRef: { name: 'app', key } });
  await stage.create(
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'app', namespace: 'tocsin' }, data },
    { ...hasty, spec: { ...hasty.spec, app: { proxyURL: slack.proxyURL } } },
    {
      ...{ apiVersion: 'tocsin.dev/v1alpha1', kind: 'AlertProvider', metadata: { name: 'slack', namespace: 'tocsin' } },
      spec: {
        type: 'slack',
        slack: {
          ...{ token: from('bot'), channel: 'C0TOCSIN1', site: 'slack.com' },
          actions: { users: [ada.id], appToken: from('app') },
        },
      },
    },
  );
  await stage.until('ready', () => hasStarted(stage));
  await stage.until('it listens', () => slack.connections.open === 1);
});
after(async () => {
  await stage.stop();
  await slack.stop();
  setDefaultCACertificates(trusted);
});

const config = () => Object(stage.sandbox.objects.get('alertconfigs.tocsin.dev', 'tocsin', 'default'));
const annotations = (): readonly (readonly [string, string])[] =>
  Object.entries<string>(config().metadata.annotations ?? {}).filter(([key]) => key.startsWith('acknowledged.'));
const silences = (): readonly { readonly spec: ReturnType<typeof Object> }[] =>
  stage.sandbox.objects.list('silences.tocsin.dev').map(Object);
const first = (words: string): ChannelMessage | undefined =>
  slack.messages.find(({ text, thread }) => thread === undefined && text.includes(words));
const button = (message: ChannelMessage | undefined, text: string): string =>
  message?.buttons.get(text) ?? assert.fail(text);
async function answersTo(act: () => void): Promise<readonly string[]> {
  const before = slack.answered.length;
  act();
  await stage.until('it is answered', () => slack.answered.length > before);
  return slack.answered.slice(before);
}
/** Waits until so many envelopes more were acknowledged. */
async function acknowledged(act: () => void, envelopes: number): Promise<void> {
  const before = slack.acknowledged.size;
  act();
  await stage.until('they are acknowledged', () => slack.acknowledged.size >= before + envelopes);
}

test('a message has buttons; a stranger who presses is refused, and nothing is done', async () => {
  await stage.create(broken('cart'));
  await stage.until('it is told', () => first('cart') !== undefined);
  for (const text of ['Acknowledge', 'Silence 1 h']) {
    const [answer = ''] = await answersTo(() => slack.press(mallory, button(first('cart'), text)));
    assert.match(answer, /You may not do this/);
  }
  await acknowledged(() => slack.press(ada, 'nonsense'), 1);
  assert.deepEqual([annotations(), silences()], [[], []]);
});

test('what is no envelope of ours is passed over, and the connection goes on', async () => {
  for (const text of [
    '',
    'no JSON',
    '[]',
    'null',
    '{"type":"hello"}',
    '{"envelope_id":5}',
    '{"envelope_id":"x","payload":{"type":"block_actions"}}',
  ])
    slack.send(text);
  await acknowledged(
    () => slack.send('{"envelope_id":"y","payload":{"type":"block_actions","user":{"id":"U0ADA"},"actions":[5,{}]}}'),
    1,
  );
  assert.equal(slack.connections.opened, 1);
});

test('who may acknowledges: the annotation and the message that is edited say who', async () => {
  const [answer] = await answersTo(() => slack.press(ada, button(first('cart'), 'Acknowledge')));
  assert.equal(answer, 'Acknowledged: nobody is reminded of it.');
  assert.match(annotations()[0]?.[1] ?? '', /^ada via Slack at 20\S+Z$/);
  await stage.until('the message says so', () => first('by ada via Slack') !== undefined);
  assert.deepEqual([...(first('cart')?.buttons.keys() ?? [])], ['Silence 1 h']);
});

test('envelopes that are sent again, connections that are refreshed and that break off bring no act twice', async () => {
  const [[key = ''] = []] = annotations();
  await stage.client.json({
    ...{ method: 'PATCH', contentType: 'application/merge-patch+json' },
    path: '/apis/tocsin.dev/v1alpha1/namespaces/tocsin/alertconfigs/default',
    body: { metadata: { annotations: { [key]: null } } },
  });
  const carries = button(first('cart'), 'Silence 1 h');
  await answersTo(() => slack.press(ada, carries));
  await stage.until('it is made', () => silences().length === 1);
  for (const end of [() => slack.refresh('refresh_requested'), () => slack.refresh('warning'), () => slack.drop()]) {
    const { opened } = slack.connections;
    end();
    await stage.until('it is connected again', () => slack.connections.opened > opened && slack.connections.open === 1);
    await acknowledged(() => slack.again(), 5);
  }
  assert.deepEqual([annotations(), silences().length], [[], 1]);
  const [{ spec } = { spec: {} }] = silences();
  assert.deepEqual([spec.selector.names, spec.durationSeconds, spec.createdBy], [['cart'], 3600, 'ada via Slack']);
});

test('after a restart one connection is open, and what was told before does nothing', async () => {
  const { opened } = slack.connections;
  await stage.restart(async () => undefined);
  await stage.until('it listens again', () => slack.connections.opened > opened && slack.connections.open === 1);
  await acknowledged(() => slack.again(), 5);
  assert.deepEqual([annotations(), silences().length], [[], 1]);
});

test('no line of the log holds a token, a ticket or an address to answer at', () => {
  assert.equal(
    stage.log.some((line) => line.includes('CANARY')),
    false,
  );
});
