/** Our requests beside those of the vendor's own clients, and their types. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BirdClient, type SmsSendParams } from '@messagebird/sdk';
import type { MessageParameters } from 'messagebird/types/messages.js';
import { shortMessage } from '../../src/message/render/line.ts';
import { openSecret, Secret } from '../../src/model/secret.ts';
import { messagebird } from '../../src/providers/messagebird.ts';
import type { SendRequest } from '../../src/providers/provider.ts';
import { deliveryOf, notifications } from './notifications.ts';
import { sent } from './sent.ts';

const notification = notifications.open;
const delivery = deliveryOf(notification);
const text = shortMessage(notification);

/** What we would ask first. */
async function firstRequest(accessKey: string): Promise<SendRequest> {
  const requests: SendRequest[] = [];
  const none = () => Promise.reject(new Error('this type has no mail server'));
  const delivering = messagebird.deliver({
    notification,
    delivery,
    config: { accessKey: new Secret(accessKey), from: 'Tocsin', to: '+31612345678' },
    send: (request) => {
      requests.push(request);
      return Promise.reject(new Error('not sent'));
    },
    mail: { send: none, check: none },
    now: 0,
  });
  await assert.rejects(delivering, /not sent/);
  const [first] = requests;
  assert.ok(first);
  return first;
}

test('the new platform is asked as its own client asks it', async () => {
  const key = 'bk_eu1_0123456789abcdef';
  const ours = await firstRequest(key);
  const asked: Request[] = [];
  const client = new BirdClient({
    apiKey: key,
    maxRetries: 0,
    fetch(input, options) {
      asked.push(new Request(input, options));
      return Promise.resolve(Response.json({ id: 'sms_1', status: 'accepted' }, { status: 202 }));
    },
  });
  const message: SmsSendParams = {
    to: '+31612345678',
    from: 'Tocsin',
    text,
    category: 'service',
    options: { smart_encoding: true },
    tags: [{ name: 'source', value: 'tocsin' }],
  };
  const idempotencyKey = `${delivery.attemptKey}-31612345678`;
  await client.sms.send(message, { idempotencyKey });
  const [theirs] = asked;
  assert.ok(theirs);
  assert.deepEqual([ours.method, ours.url], [theirs.method, theirs.url]);
  assert.deepEqual(ours.json, await theirs.json());
  const headers = new Headers(
    Object.entries(ours.headers ?? {}).map(([name, value]): [string, string] => [
      name,
      value instanceof Secret ? openSecret(value) : value,
    ]),
  );
  for (const name of ['authorization', 'idempotency-key']) assert.equal(headers.get(name), theirs.headers.get(name));
});

test('the old one gets what its client calls the parameters of a message', async () => {
  const message: MessageParameters = {
    originator: 'Tocsin',
    recipients: ['31612345678'],
    body: text,
    type: 'sms',
    datacoding: 'auto',
    validity: 14_400,
    reference: `tocsin-${delivery.alertKey}`,
  };
  const { json, url } = await firstRequest('live_0123456789abcdef');
  assert.equal(url, 'https://rest.messagebird.com/messages');
  assert.deepEqual(json, message);
});

test('a key of Bird in a third form is refused in a sentence, by the check too, and nobody is asked', async () => {
  const config = { accessKey: new Secret('bird_canary9f3c'), from: 'Tocsin', to: '+31612345678' };
  const { outcome, requests } = await sent(messagebird, config, notifications.open);
  assert.ok(outcome.is === 'permanent' && outcome.credential, JSON.stringify(outcome));
  assert.match(outcome.reason, /begins with bird_.*make an access key of the form bk_/);
  assert.doesNotMatch(outcome.reason, /canary/);
  assert.deepEqual(requests, []);
});
