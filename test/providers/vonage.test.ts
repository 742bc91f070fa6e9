/** What the conformance suite has no row for: which alphabet a text is sent in. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from '../../src/model/secret.ts';
import type { SendRequest } from '../../src/providers/provider.ts';
import { vonage } from '../../src/providers/vonage.ts';
import { deliveryOf, notifications } from './notifications.ts';

/** What would be asked for a message of this cluster. */
async function messageIn(cluster: string): Promise<unknown> {
  const requests: SendRequest[] = [];
  const none = () => Promise.reject(new Error('this type has no mail server'));
  const notification = { ...notifications.resolve, cluster };
  const config = { apiKey: new Secret('k'), apiSecret: new Secret('s'), from: 'Tocsin', to: '+447700900000' };
  const delivering = vonage.deliver({
    notification,
    delivery: deliveryOf(notification),
    config,
    send: (request) => {
      requests.push(request);
      return Promise.reject(new Error('not sent'));
    },
    mail: { send: none, check: none },
    now: 0,
  });
  await assert.rejects(delivering, /not sent/);
  return requests[0]?.json;
}

test('a text of the GSM alphabet is sent as text, any other as unicode, and signs do not make it one', async () => {
  for (const [cluster, type] of [
    ['prod–eu ✓', 'text'],
    ['生产', 'unicode'],
  ] as const)
    assert.partialDeepStrictEqual(await messageIn(cluster), { type });
});
