/** The signature and where it stands. The golden requests show it in the address. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSecret, Secret } from '../../src/model/secret.ts';
import { dingtalk } from '../../src/providers/dingtalk.ts';
import { dingtalkSignature } from '../../src/providers/kit.ts';
import { TransportError } from '../../src/providers/provider.ts';
import { deliveryOf, notifications } from './notifications.ts';

test('the secret is the key, and signs the time and itself', () => {
  assert.equal(
    dingtalkSignature(new Secret('SECabc'), 1_700_000_000_000),
    'jcUpW0QmtKduN03n4JqQ0PBosVjqnM8gU7fIIvsDmCM=',
  );
});

/** The address that a delivery is sent to. */
async function addressOf(accessToken: string, secret?: string): Promise<string> {
  let address = '';
  const attempt = dingtalk.deliver({
    notification: notifications.open,
    delivery: deliveryOf(notifications.open),
    config: { accessToken: new Secret(accessToken), ...(secret !== undefined && { secret: new Secret(secret) }) },
    now: 1_700_000_000_000,
    mail: { send: () => assert.fail(), check: () => assert.fail() },
    send({ url }) {
      assert.ok(url instanceof Secret);
      address = openSecret(url);
      return Promise.reject(new TransportError('Unreachable', 'not sent', false));
    },
  });
  await assert.rejects(attempt, TransportError);
  return address;
}

test('the signature is percent-encoded once, beside the time it is of', async () => {
  const expected =
    'https://oapi.dingtalk.com/robot/send?access_token=abc&timestamp=1700000000000&sign=jcUpW0QmtKduN03n4JqQ0PBosVjqnM8gU7fIIvsDmCM%3D';
  assert.equal(await addressOf('abc', 'SECabc'), expected);
  assert.equal(await addressOf('https://oapi.dingtalk.com/robot/send?access_token=abc', 'SECabc'), expected);
});

test('without a signing secret nothing is signed, and an address of another host stays there', async () => {
  assert.equal(await addressOf(' abc '), 'https://oapi.dingtalk.com/robot/send?access_token=abc');
  const other = 'https://oapi.dingtalk.io/robot/send?access_token=abc';
  assert.equal(await addressOf(other), other);
});
