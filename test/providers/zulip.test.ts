/** What the conformance suite does not see of Zulip: how topics are named, and an end whose topic could not be moved. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Notification } from '../../src/model/notification.ts';
import { Secret } from '../../src/model/secret.ts';
import { isResolved, resolved, topicOf, unresolved } from '../../src/providers/zulip/topic.ts';
import { zulip } from '../../src/providers/zulip.ts';
import { hostile, materials, oversize } from './conformance/hostile.ts';
import { deliveryOf, notifications } from './notifications.ts';
import { play, type Scripted } from './play.ts';

const { open, resolve, reopen, digest } = notifications;
const delivery = deliveryOf(open);

describe('a topic', () => {
  test('is the same for every act of an incident, and one for everything else', () => {
    const names = [open, resolve, reopen].map((notification) =>
      topicOf({ notification, delivery: deliveryOf(notification) }, undefined),
    );
    assert.deepEqual(new Set(names), new Set(['CrashLoopBackOff · Deployment shop/payments · 8bb6f5']));
    assert.equal(topicOf({ notification: digest, delivery }, undefined), 'tocsin');
    assert.equal(topicOf({ notification: digest, delivery }, 'prod'), 'prod');
  });

  test('begins with the title people want, and ends with the mark that tells two problems apart', () => {
    assert.equal(
      topicOf({ notification: open, delivery }, 'prod'),
      'prod: CrashLoopBackOff · Deployment shop/payments · 8bb6f5',
    );
    const long = topicOf({ notification: open, delivery }, 'production in the data centre');
    assert.match(long, /^production in the data centre: CrashLoop.*… · 8bb6f5$/);
    assert.notEqual(
      long,
      topicOf({ notification: open, delivery: { ...delivery, alertKey: 'another' } }, 'production'),
    );
  });

  test('has room for the mark of what is resolved, and holds no control character', () => {
    const wide = Object.values(materials).map((unit): Notification => {
      const root = `Pod/shop/${unit.repeat(90)}` as const;
      return { ...oversize(unit, 'open'), ...(open.incident && { incident: { ...open.incident, root } }) };
    });
    for (const notification of [...wide, hostile()]) {
      const topic = topicOf({ notification, delivery }, '\u0007 title\n');
      assert.ok([...resolved(topic)].length <= 60, topic);
      assert.doesNotMatch(topic, /\p{Cc}/u);
    }
  });

  test('is marked once and unmarked wholly', () => {
    assert.equal(resolved(resolved('a')), '✔ a');
    assert.equal(unresolved('✔ ✔ a'), 'a');
    assert.ok(isResolved('✔ a') && !isResolved('a'));
  });
});

const config = { url: 'https://chat.example', email: 'bot@chat.example', token: new Secret('key'), channel: 'alerts' };
const posted: Scripted = { json: { result: 'success', id: 43 } };
const topicWas = (subject: string): Scripted => ({ json: { result: 'success', message: { subject } } });

test('an end is told although no answer came to the move of its topic', async () => {
  const answers: readonly Scripted[] = [topicWas('a'), posted, 'lost'];
  const { outcome, asked } = await play(zulip, {
    config,
    notification: resolve,
    ref: { id: '42', topic: 'a' },
    answers,
  });
  assert.deepEqual(outcome, { is: 'delivered', ref: { id: '42', topic: 'a' } });
  assert.equal(asked.length, 3);
});

test('what is told next goes to where the topic was moved', async () => {
  const answers: readonly Scripted[] = [topicWas('a'), posted, posted];
  const { outcome } = await play(zulip, { config, notification: resolve, ref: { id: '42', topic: 'old' }, answers });
  assert.deepEqual(outcome, { is: 'delivered', ref: { id: '42', topic: '✔ a' } });
  const back = await play(zulip, {
    config,
    notification: reopen,
    answers: [topicWas('✔ a'), posted, posted],
    ...outcome,
  });
  assert.deepEqual(back.outcome, { is: 'delivered', ref: { id: '42', topic: 'a' } });
  assert.equal(back.asked[2]?.body.topic, 'a');
});

test('a bot that may not move topics tells of the return where the topic is', async () => {
  const answers: readonly Scripted[] = [topicWas('✔ a'), { status: 400, json: { result: 'error' } }, posted];
  const { asked } = await play(zulip, { config, notification: reopen, ref: { id: '42', topic: '✔ a' }, answers });
  assert.equal(asked[2]?.body.topic, '✔ a');
});

test('the address may be the one of the API, below a path too', async () => {
  const base = 'https://chat.example/zulip';
  const played = await Promise.all(
    [`${base}/api/v1/`, `${base}/api`, base].map((url) =>
      play(zulip, { config: { ...config, url }, notification: open, answers: [posted] }),
    ),
  );
  for (const { asked } of played) assert.equal(asked[0]?.address, `${base}/api/v1/messages`);
});
