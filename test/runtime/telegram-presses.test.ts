/**
 * Buttons of Telegram through the whole operator, against a server that speaks the published Bot API: who may acts once, whatever is repeated,
 * broken off or restarted; who may not, never.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { createAuthority } from '../../sandbox/certificate.ts';
import { issuer } from '../edition/licences.ts';
import { broken, hasStarted, hasty, type Stage, startStage } from './stage.ts';
import { type ChatMessage, startTelegramServer, type TelegramServer } from './telegram-server.ts';

const token = '123456789:CANARY-telegram-3f9a-AAAAAAAAAAAAAAA';
const ada = { id: 7, name: 'Ada' };
const mallory = { id: 666, name: 'Ada' };

const ours = issuer();
const directory = mkdtempSync(join(tmpdir(), 'tocsin-presses-'));

function secret(name: string, values: Readonly<Record<string, string>>): object {
  const data = Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]);
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'tocsin' }, data: Object.fromEntries(data) };
}

let stage: Stage;
let telegram: TelegramServer;
const trusted = getCACertificates('default');
before(async () => {
  const authority = createAuthority('Of the company', Date.now());
  setDefaultCACertificates([...trusted, authority.certificate]);
  telegram = await startTelegramServer(authority, token);
  stage = await startStage({ stateDirectory: directory, licenseKeys: ours.keys });
  const now = Math.floor(Date.now() / 1000);
  const license = await ours.issue({ iat: now - 3_600, exp: now + 30 * 86_400 });
  await stage.create(
    secret('licence', { license }),
    secret('bot', { token }),
    {
      ...hasty,
      spec: {
        ...hasty.spec,
        app: { proxyURL: telegram.proxyURL },
        license: { secretKeyRef: { name: 'licence', key: 'license' } },
      },
    },
    {
      ...{ apiVersion: 'tocsin.dev/v1alpha1', kind: 'AlertProvider', metadata: { name: 'chat', namespace: 'tocsin' } },
      spec: {
        type: 'telegram',
        telegram: { token: { secretKeyRef: { name: 'bot', key: 'token' } }, chatId: '-100', actions: { users: ['7'] } },
      },
    },
  );
  await stage.until('ready', () => hasStarted(stage));
});
after(async () => {
  await stage.stop();
  await telegram.stop();
  setDefaultCACertificates(trusted);
  rmSync(directory, { recursive: true, force: true });
});

const config = () => Object(stage.sandbox.objects.get('alertconfigs.tocsin.dev', 'tocsin', 'default'));
const acknowledged = (): readonly string[] =>
  Object.entries<string>(config().metadata.annotations ?? {}).flatMap(([key, value]) =>
    key.startsWith('acknowledged.') ? [value] : [],
  );
const silences = (): readonly { readonly spec: ReturnType<typeof Object> }[] =>
  stage.sandbox.objects.list('silences.tocsin.dev').map(Object);
const saying = (words: string): ChatMessage | undefined => telegram.messages.find(({ text }) => text.includes(words));
const button = (message: ChatMessage | undefined, text: string): string =>
  message?.buttons.get(text) ?? assert.fail(text);
/** Waits until a press was answered. */
async function answerTo(query: string) {
  await stage.until('it is answered', () => telegram.answered.some((one) => one.query === query));
  return telegram.answered.find((one) => one.query === query);
}
/** Waits until questions were answered after what was said before. */
async function heardAll(): Promise<void> {
  const { answered } = telegram.polls;
  await stage.until('it asks on', () => telegram.polls.answered >= answered + 2);
}

test('a message has buttons; a stranger who presses is refused, and nothing is done', async () => {
  await stage.create(broken('cart'));
  await stage.until('it is told', () => saying('cart') !== undefined);
  for (const text of ['Acknowledge', 'Silence 1 h']) {
    const answer = await answerTo(telegram.press(mallory, button(saying('cart'), text)));
    assert.equal(answer?.alert, true);
    assert.match(answer.text, /You may not do this/);
  }
  await answerTo(telegram.press(ada, 'nonsense'));
  await heardAll();
  assert.deepEqual([acknowledged(), silences()], [[], []]);
});

test('who may acknowledges: the annotation, the message that is edited, and the log say who', async () => {
  const answer = await answerTo(telegram.press(ada, button(saying('cart'), 'Acknowledge')));
  assert.deepEqual([answer?.alert, answer?.text], [false, 'Acknowledged: nobody is reminded of it.']);
  assert.match(acknowledged()[0] ?? '', /^Ada via Telegram at 20\S+Z$/);
  await stage.until('the message says so', () => saying('by Ada via Telegram') !== undefined);
  assert.equal(telegram.messages.length, 1, 'it was edited');
  assert.deepEqual([...(saying('cart')?.buttons.keys() ?? [])], ['Silence 1 h']);
  assert.ok(stage.log.some((line) => line.includes('"incident acknowledged"') && line.includes('Ada via Telegram')));
  assert.ok(stage.log.some((line) => line.includes('"a button was pressed"') && line.includes('"account":"7"')));
});

test('replays, answers that break off and a second one who asks bring no act twice', async () => {
  const before = acknowledged();
  // Taken back by hand: a replay must not set it again.
  const [id] = Object.keys(config().metadata.annotations).flatMap(
    (key) => key.split('acknowledged.tocsin.dev/')[1] ?? [],
  );
  await stage.client.json({
    ...{ method: 'PATCH', contentType: 'application/merge-patch+json' },
    path: '/apis/tocsin.dev/v1alpha1/namespaces/tocsin/alertconfigs/default',
    body: { metadata: { annotations: { [`acknowledged.tocsin.dev/${id}`]: null } } },
  });
  telegram.again();
  await heardAll();
  telegram.breakOff(3);
  telegram.again();
  await stage.until('it asks again', () => stage.log.some((line) => line.includes('are not heard; it is tried again')));
  await heardAll();
  telegram.compete(true);
  await stage.until('it is refused', () => telegram.polls.refused > 0);
  telegram.compete(false);
  telegram.again();
  await heardAll();
  assert.equal(before.length, 1);
  assert.deepEqual([acknowledged(), silences()], [[], []]);
  assert.equal(telegram.polls.mostAtOnce, 1);
});

test('what was pressed while nobody listened is done after the restart, and what was done before is not done again', async () => {
  await stage.create(broken('pay'));
  await stage.until('it is told', () => saying('pay') !== undefined);
  const [acknowledge, silence] = ['Acknowledge', 'Silence 1 h'].map((text) => button(saying('pay'), text));
  await answerTo(telegram.press(ada, acknowledge ?? ''));
  const [key = ''] = Object.keys(config().metadata.annotations ?? {});
  await stage.client.json({
    ...{ method: 'PATCH', contentType: 'application/merge-patch+json' },
    path: '/apis/tocsin.dev/v1alpha1/namespaces/tocsin/alertconfigs/default',
    body: { metadata: { annotations: { [key]: null } } },
  });
  let query = '';
  await stage.restart(async () => {
    telegram.again();
    query = telegram.press(ada, silence ?? '');
    telegram.press(mallory, acknowledge ?? '');
  });
  assert.match((await answerTo(query))?.text ?? '', /^Silenced for an hour: /);
  telegram.again();
  await heardAll();
  assert.deepEqual(
    silences().map(({ spec }) => [spec.selector, spec.durationSeconds, spec.createdBy]),
    [[{ kinds: ['Deployment'], names: ['pay'], namespaces: ['shop'] }, 3600, 'Ada via Telegram']],
  );
  assert.deepEqual(acknowledged(), [], 'what was taken back meanwhile stays taken back');
});

test('no line of the log holds the token', () => {
  assert.equal(
    stage.log.some((line) => line.includes('CANARY')),
    false,
  );
});
