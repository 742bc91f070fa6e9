/** What the conformance suite has no row for: how people name actions and addresses, and what phones take for a command. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { actionOf, contentOf } from '../../src/providers/homeassistant/action.ts';
import { materials, oversize } from './conformance/hostile.ts';
import { notifications } from './notifications.ts';

describe('an action is found by every way of writing it', () => {
  const rows: readonly [string, string, string][] = [
    ['notify', 'notify', 'notify'],
    ['mobile_app_phone', 'notify', 'mobile_app_phone'],
    ['notify.mobile_app_phone', 'notify', 'mobile_app_phone'],
    ['persistent_notification.create', 'persistent_notification', 'create'],
    ['script.wake_everybody', 'script', 'wake_everybody'],
  ];
  for (const [service, domain, name] of rows)
    test(service, () => {
      assert.deepEqual(actionOf(service), { domain, name });
    });
});

test('a text that is a command to a phone is none, since it never stands alone', () => {
  const notification = { ...notifications.digest, lead: 'clear_notification', cluster: '' };
  const { list: _list, ...bare } = notification;
  for (const service of ['notify', 'mobile_app_phone']) {
    const { message } = contentOf(bare, actionOf(service), 'a');
    assert.equal(message, '🔵 clear_notification');
  }
});

test('other actions get no key that they could refuse', () => {
  for (const service of ['notify', 'telegram', 'script.wake_everybody', 'notify.persistent_notification'])
    assert.deepEqual(Object.keys(contentOf(notifications.open, actionOf(service), 'a')), ['title', 'message']);
});

test('the id of a persistent notification holds what ids hold', () => {
  const create = actionOf('persistent_notification.create');
  assert.equal(contentOf(notifications.open, create, 'A.b-c').notification_id, 'tocsin_a_b_c');
  assert.ok(!('notification_id' in contentOf(notifications.digest, create, 'a')));
});

test('a push stays below what its gateways take, whatever the script', () => {
  for (const unit of Object.values(materials)) {
    const content = contentOf(oversize(unit, 'open'), actionOf('mobile_app_phone'), 'a');
    assert.ok([...String(content.message)].length <= 1_500);
    assert.ok(Buffer.byteLength(JSON.stringify(content)) <= 4_000);
  }
});

test('an update that is no worse replaces what a phone shows without a sound; a reminder is heard', () => {
  const { update } = notifications;
  const soundOf = (notification: typeof update): unknown => {
    const { data } = contentOf(notification, actionOf('mobile_app_phone'), 'a');
    const { channel }: { channel?: unknown } = Object(data);
    return channel;
  };
  const incident = update.incident && { ...update.incident, previousSeverity: 'critical' as const };
  const same = { ...update, ...(incident && { incident }) };
  assert.equal(soundOf(update), 'alarm_stream');
  assert.equal(soundOf(same), 'Tocsin quiet');
  assert.equal(soundOf({ ...same, ...(incident && { incident: { ...incident, ring: true } }) }), 'alarm_stream');
});
