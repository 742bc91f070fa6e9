import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Notification } from '../../src/model/notification.ts';
import { Secret } from '../../src/model/secret.ts';
import { eventOf } from '../../src/providers/newrelic/event.ts';
import { newrelic } from '../../src/providers/newrelic.ts';
import type { Send } from '../../src/providers/provider.ts';
import { hostile, oversize } from './conformance/hostile.ts';
import { deliveryOf, notifications } from './notifications.ts';

const hour = 3_600_000;

/** Words of NRQL that an attribute may not be called (docs.newrelic.com, "Reserved words"), and names New Relic keeps. */
const reserved = new Set(
  `accountId appId ago and as auto begin begintime compare day days end endtime explain facet from hour hours in is like limit
  minute minutes month months not null offset or raw second seconds select since timeseries until week weeks where with`.split(
    /\s+/,
  ),
);

describe('an event', () => {
  const all: readonly Notification[] = [...Object.values(notifications), hostile(), oversize('"', 'open')];

  test('is flat, of texts and numbers, under names that New Relic leaves alone', () => {
    for (const notification of all)
      for (const [name, value] of Object.entries(eventOf(notification, 'key', notification.at))) {
        assert.ok(typeof value === 'string' || Number.isFinite(value), `${name}: ${typeof value}`);
        assert.ok(!reserved.has(name.toLowerCase()) && !reserved.has(name) && name.length <= 255, name);
      }
  });

  test('keeps the last lines of a log, not the first', () => {
    const { logs } = Object(eventOf(oversize('a', 'open'), 'key', 0));
    assert.match(logs, /\n799 a+…?$/);
    assert.match(logs, /^…\n/);
  });

  test('that is late carries the time of the attempt, and its own beside it', () => {
    const { at } = notifications.open;
    const soon = eventOf(notifications.open, 'key', at + 22 * hour);
    const late = eventOf(notifications.open, 'key', at + 24 * hour);
    assert.deepEqual([soon.timestamp, late.timestamp], [at, at + 24 * hour]);
    assert.equal(late.occurredAt, new Date(at).toISOString());
  });
});

test('a user key is refused before anything is sent', async () => {
  let sent = 0;
  const send: Send = () => {
    sent += 1;
    return Promise.reject(new Error('sent'));
  };
  const none = () => Promise.reject(new Error('no mail'));
  const config = { apiKey: new Secret('NRAK-0123456789'), accountId: '1', region: 'us' } as const;
  const parts = { config, send, mail: { send: none, check: none }, now: 0 };
  const notification = notifications.open;
  const outcomes = [
    await newrelic.deliver({ ...parts, notification, delivery: deliveryOf(notification) }),
    await newrelic.check?.(parts),
  ];
  for (const outcome of outcomes) assert.ok(outcome?.is === 'permanent' && outcome.credential);
  assert.equal(sent, 0);
});
