/** What the conformance suite does not see of Google Chat: threads, and addresses that were copied wrongly. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Reference } from '../../src/model/delivery.ts';
import type { Notification } from '../../src/model/notification.ts';
import { Secret } from '../../src/model/secret.ts';
import { googlechat } from '../../src/providers/googlechat.ts';
import { notifications } from './notifications.ts';
import { play } from './play.ts';

const { open, update, resolve, reopen, digest } = notifications;
const quiet = { ...update, severity: 'high' } as const satisfies Notification;
const address = 'https://chat.googleapis.com/v1/spaces/S/messages?key=canary-key&token=canary-token%3D';

async function tell(notification: Notification, ref?: Reference, webhook = address) {
  const { outcome, asked } = await play(googlechat, {
    config: { webhook: new Secret(webhook) },
    notification,
    ...(ref && { ref }),
    answers: [{ json: { name: 'spaces/S/messages/M' } }],
  });
  const { thread } = asked[0]?.body ?? {};
  const { threadKey }: { threadKey?: unknown } = Object(thread);
  return { outcome, threadKey, query: new URL(asked[0]?.address ?? 'about:blank').searchParams };
}

describe('the thread', () => {
  test('is the one of the incident, also when what was told is forgotten', async () => {
    const opened = await tell(open);
    assert.deepEqual(opened.outcome, { is: 'delivered', ref: { key: 'tocsin-5cec68311fbba211' } });
    for (const notification of [quiet, resolve]) assert.equal((await tell(notification)).threadKey, opened.threadKey);
    assert.equal(opened.query.get('messageReplyOption'), 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD');
  });

  test('is a new one for what gets worse or comes back, and the next act joins it', async () => {
    for (const notification of [update, reopen]) {
      const { outcome, threadKey } = await tell(notification, { key: 'tocsin-5cec68311fbba211' });
      assert.notEqual(threadKey, 'tocsin-5cec68311fbba211');
      assert.equal((await tell(resolve, outcome.ref)).threadKey, threadKey);
    }
  });

  test('is none for what is about no incident', async () => {
    const { outcome, threadKey, query } = await tell(digest);
    assert.deepEqual(outcome, { is: 'delivered' });
    assert.equal(threadKey, undefined);
    assert.equal(query.get('messageReplyOption'), null);
  });

  test('of the address is kept', async () => {
    const { threadKey, query } = await tell(open, undefined, `${address}&threadKey=all`);
    assert.equal(threadKey, undefined);
    assert.equal(query.get('threadKey'), 'all');
    assert.equal(query.get('messageReplyOption'), 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD');
  });
});

test('a repeat carries the id of the first attempt, and the token as it was given', async () => {
  const [first, second] = [await tell(open), await tell(open)];
  assert.equal(first.query.get('requestId'), second.query.get('requestId'));
  assert.equal(first.query.get('token'), 'canary-token=');
  assert.notEqual(first.query.get('requestId'), (await tell(resolve)).query.get('requestId'));
});

test('an address that lost its key or token on the way is refused, and not shown', async () => {
  for (const wrong of [
    address.replace('&', '&amp;'),
    address.replace('&', '&#38;'),
    address.replace(/\?.*/, ''),
    address.replace('/messages', ''),
  ]) {
    const { outcome } = await tell(open, undefined, wrong);
    assert.ok(outcome.is === 'permanent', wrong);
    assert.match(outcome.reason, /is not the address of a Google Chat webhook; copy it again/);
    assert.doesNotMatch(outcome.reason, /canary/);
  }
});
