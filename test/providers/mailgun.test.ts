/** What the conformance suite has no row for: the ways in which people write the address of Mailgun. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from '../../src/model/secret.ts';
import { mailgun } from '../../src/providers/mailgun.ts';
import type { Send, SendRequest } from '../../src/providers/provider.ts';
import { deliveryOf, notifications } from './notifications.ts';

/** Where a mail and the check would go. */
async function addressesFor(url: string): Promise<readonly string[]> {
  const requests: SendRequest[] = [];
  const send: Send = (request) => {
    requests.push(request);
    return Promise.reject(new Error('not sent'));
  };
  const none = () => Promise.reject(new Error('this type has no mail server'));
  const config = {
    apiKey: new Secret('k'),
    domain: 'mg.example.org',
    from: 'a@mg.example.org',
    to: 'b@c.example',
    url,
  };
  const ways = { config, send, mail: { send: none, check: none }, now: 0 };
  const notification = notifications.open;
  await assert.rejects(mailgun.deliver({ ...ways, notification, delivery: deliveryOf(notification) }));
  await assert.rejects(async () => mailgun.check?.(ways));
  return requests.map((request) => String(request.url));
}

const eu = 'https://api.eu.mailgun.net';
for (const url of [eu, `${eu}/`, `${eu}/v3`, `${eu}/v3/`, `${eu}/v3/mg.example.org/messages`])
  test(`${url} leads to the messages and the domain`, async () => {
    const expected = [`${eu}/v3/mg.example.org/messages`, `${eu}/v4/domains/mg.example.org`];
    assert.deepEqual(await addressesFor(url), expected);
  });

test('the path of a gateway stays', async () => {
  const expected = [
    'http://gw.example/mail/v3/mg.example.org/messages',
    'http://gw.example/mail/v4/domains/mg.example.org',
  ];
  assert.deepEqual(await addressesFor('http://gw.example/mail/'), expected);
});
