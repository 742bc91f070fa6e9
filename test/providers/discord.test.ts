/** What the conformance suite does not see of Discord: the sum over an embed, forums, and which messages are the known one. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { discordMessage, discordPost, discordText } from '../../src/message/render/discord.ts';
import type { Reference } from '../../src/model/delivery.ts';
import type { Notification } from '../../src/model/notification.ts';
import { Secret } from '../../src/model/secret.ts';
import { discord } from '../../src/providers/discord.ts';
import { keptLog } from '../../src/providers/kit/kept-log.ts';
import { hostile, materials, oversize } from './conformance/hostile.ts';
import { notifications } from './notifications.ts';
import { play, type Scripted } from './play.ts';

const { open, update, resolve, reopen, digest } = notifications;
const all = [
  ...Object.values(notifications),
  hostile(),
  ...Object.values(materials).flatMap((unit) => [oversize(unit, 'open'), oversize(unit, 'digest')]),
];

test('every embed keeps to the sum of its texts, and none of them is empty', () => {
  for (const notification of all)
    for (const { description, fields, footer } of discordMessage(notification).embeds) {
      const texts = [
        description,
        ...fields.flatMap(({ name, value }) => [name, value]),
        ...(footer ? [footer.text] : []),
      ];
      for (const text of texts) assert.notEqual(text.trim(), '');
      assert.ok(texts.reduce((sum, text) => sum + text.length, 0) <= 6_000);
      assert.ok(fields.length <= 25);
    }
});

test('a text without an embed and the name of a post are within their limits', () => {
  for (const notification of all) {
    const { content } = discordText(notification);
    assert.ok(content.length > 0 && content.length <= 2_000);
    assert.ok(discordPost(notification).length > 0 && discordPost(notification).length <= 100);
  }
});

const log = keptLog(open);
const webhook = new Secret('https://discord.com/api/v10/webhooks/1/token?thread_id=77');
const deliver = (notification: Notification, answers: readonly Scripted[], ref?: Reference) =>
  play(discord, { config: { webhook }, notification, answers, ...(ref && { ref }) });
const posted: Scripted = { json: { id: '43', channel_id: '9' } };

describe('the known message', () => {
  test('is the one of the opening, wherever the address leads', async () => {
    const { outcome, asked } = await deliver(open, [posted]);
    assert.deepEqual(outcome, { is: 'delivered', ref: { message: '43', ...log } });
    assert.equal(
      asked[0]?.address,
      'https://discord.com/api/v10/webhooks/1/token?thread_id=77&with_components=true&wait=true',
    );
  });

  test('is edited by an update that is no worse, which nobody is notified of', async () => {
    const { outcome, asked } = await deliver({ ...update, severity: 'high' }, [posted], { message: '42' });
    assert.deepEqual(outcome, { is: 'delivered', ref: { message: '42' } });
    assert.deepEqual(
      asked.map(({ method, address }) => `${method} ${address}`),
      ['PATCH https://discord.com/api/v10/webhooks/1/token/messages/42?thread_id=77&with_components=true'],
    );
    assert.deepEqual(asked[0]?.body.allowed_mentions, { parse: [] });
    assert.ok(!('username' in (asked[0]?.body ?? {})));
  });

  test('stays the known one when a rise or the end is posted as well', async () => {
    for (const notification of [update, resolve]) {
      const { outcome, asked } = await deliver(notification, [posted], { message: '42' });
      assert.deepEqual(outcome, { is: 'delivered', ref: { message: '42' } });
      assert.deepEqual(
        asked.map(({ method }) => method),
        ['PATCH', 'POST'],
      );
    }
  });

  test('stays as it ended when the problem is back: that is a message of its own', async () => {
    const { outcome, asked } = await deliver(reopen, [posted], { message: '42' });
    assert.deepEqual(outcome, { is: 'delivered', ref: { message: '43', ...keptLog(reopen) } });
    assert.deepEqual(
      asked.map(({ method }) => method),
      ['POST'],
    );
  });

  test('is not kept of what is about no incident', async () => {
    assert.deepEqual((await deliver(digest, [posted])).outcome, { is: 'delivered' });
  });
});

test('in a forum the incident is one post, which later acts are told in', async () => {
  const needsName: Scripted = { status: 400, json: { code: 220001, message: 'needs a thread_name' } };
  const { outcome, asked } = await deliver(open, [needsName, posted]);
  assert.deepEqual(outcome, { is: 'delivered', ref: { message: '43', thread: '9', ...log } });
  assert.equal(asked[1]?.body.thread_name, 'shop/payments crashes: image 2.3 → 2.4 · 3 of 5 serve');
  const later = await deliver(resolve, [posted], { message: '43', thread: '9' });
  for (const { address } of later.asked) assert.ok(address.includes('thread_id=9'), address);
});

test('a post that is refused for its content goes as text, under its name', async () => {
  const answers: readonly Scripted[] = [
    { status: 400, json: { code: 220001 } },
    { status: 400, json: { code: 50035 } },
    posted,
  ];
  const { outcome, asked } = await deliver(open, answers);
  assert.equal(outcome.is, 'delivered');
  assert.ok('thread_name' in (asked[2]?.body ?? {}));
  assert.deepEqual(asked[2]?.body.embeds, []);
});

test('other addresses of Discord are refused, and not shown', async () => {
  for (const address of ['https://discord.com/api/webhooks/1/canary/slack', 'https://discord.com/channels/1/canary']) {
    const { outcome } = await play(discord, {
      config: { webhook: new Secret(address) },
      notification: open,
      answers: [],
    });
    assert.ok(outcome.is === 'permanent');
    assert.match(outcome.reason, /is not the address of a Discord webhook/);
    assert.doesNotMatch(outcome.reason, /canary/);
  }
});
