import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Notification } from '../../src/model/notification.ts';
import { alerta } from '../../src/providers/alerta.ts';
import { deliveryOf, notifications } from './notifications.ts';
import { deliverOnce, startProduct, withAttempt } from './product.ts';

const now = Date.parse('2026-11-20T10:00:00Z');
const kept = { status: 201, body: '{"status":"ok","id":"1"}' };
const secrets = { apiKey: 'key-1234' };
const attemptOf = (notification: Notification) => ({ notification, delivery: deliveryOf(notification), now });

/** The identity of one alert as it arrived. */
function identity(body: string | undefined): unknown {
  const { environment, resource, event } = JSON.parse(body ?? '{}');
  return { environment, resource, event };
}

const { incident } = notifications.resolve;
assert.ok(incident);
/** The same incident, whose root was found meanwhile. */
const revised: Notification = {
  ...notifications.resolve,
  incident: { ...incident, root: 'Node//n1', reason: 'NodeNotReady' },
};

test('each storm has an alert of its own, which its end closes', async () => {
  const { overview, 'overview-over': over } = notifications;
  const [one, other] = ['5613d3e6631a45d6', '0123456789abcdef'];
  await using product = await startProduct([kept, kept, kept]);
  for (const [notification, alertKey] of [
    [overview, one],
    [overview, other],
    [over, one],
  ] as const) {
    const attempt = attemptOf(notification);
    const delivery = { ...attempt.delivery, alertKey };
    await deliverOnce(alerta, { url: product.url }, { ...attempt, delivery }, secrets);
  }
  const [first, second, end] = product.arrived.map(({ body }) => identity(body));
  assert.notDeepEqual(second, first);
  assert.deepEqual(end, first);
  assert.deepEqual(
    product.arrived.map(({ body }) => JSON.parse(body ?? '').severity),
    ['major', 'major', 'normal'],
  );
});

describe('an alert keeps its identity', () => {
  test('when the root of the incident is revised', async () => {
    await using product = await startProduct([kept, kept]);
    const opened = await deliverOnce(alerta, { url: product.url }, attemptOf(notifications.open), secrets);
    assert.ok(opened.ref);
    await deliverOnce(alerta, { url: product.url }, { ...attemptOf(revised), ref: opened.ref }, secrets);
    const [first, last] = product.arrived.map(({ body }) => identity(body));
    assert.deepEqual(last, first);
    assert.equal(JSON.parse(product.arrived[1]?.body ?? '').severity, 'normal');
  });

  test('when the reference was lost as well: an open alert with the key is looked for, then a closed one', async () => {
    const alert = (status: string, resource: string, alertKey: string = incident.alertKey) => ({
      ...{ status, resource, event: 'E', environment: 'Development' },
      attributes: { alertKey },
    });
    const rows = [
      { alerts: [alert('closed', 'a'), alert('ack', 'b')], found: 'b' },
      { alerts: [alert('expired', 'c')], found: 'c' },
      { alerts: [alert('open', 'd', 'another'), alert('ack', 'e')], found: 'e' },
      { alerts: [alert('open', 'd', 'another')], found: undefined },
      { alerts: [], found: undefined },
    ];
    for (const { alerts, found } of rows) {
      await using product = await startProduct([{ status: 200, body: JSON.stringify({ status: 'ok', alerts }) }]);
      const ref = await withAttempt(alerta, { url: `${product.url}/api` }, attemptOf(revised), secrets, (attempt) =>
        alerta.find?.(attempt),
      );
      const expected = { resource: found, event: 'E', environment: 'Development' };
      assert.deepEqual(ref, found === undefined ? { absent: 'true' } : expected);
      assert.equal(product.arrived[0]?.path, `/api/alerts?attributes.alertKey=${incident.alertKey}&page-size=20`);
    }
  });
});

test('two open incidents of one name are two alerts', async () => {
  await using product = await startProduct([kept]);
  const attempt = attemptOf(notifications.open);
  const second = { ...attempt, delivery: { ...attempt.delivery, alertKey: `${incident.alertKey}#2` } };
  await deliverOnce(alerta, { url: product.url }, second, secrets);
  assert.equal(JSON.parse(product.arrived[0]?.body ?? '').event, 'CrashLoopBackOff#2');
});

test('texts hold no escapes, which older and newer web pages show as they are, and no tag either', async () => {
  await using product = await startProduct([kept]);
  const lead = 'image "api" <2.4> & more\nat https://x.example <b>now</b>';
  const attempt = attemptOf({ ...notifications.open, lead, incident: { ...incident, cause: lead } });
  await deliverOnce(alerta, { url: product.url }, attempt, secrets);
  const { text, attributes, rawData } = JSON.parse(product.arrived[0]?.body ?? '');
  const shown = 'image "api" ‹2.4› & more at https://x.example ‹b›now‹/b›';
  assert.ok(text.startsWith(`${notifications.open.title}. ${shown}`), text);
  assert.equal(attributes.cause.replace('\n', ' '), shown);
  assert.ok(rawData.includes(lead), 'the whole message is there as it is');
});

test('an address that was pasted with its endpoint works', async () => {
  for (const tail of ['', '/', '/alert', '/alerts/', '/api/alert']) {
    await using product = await startProduct([kept]);
    await deliverOnce(alerta, { url: `${product.url}${tail}` }, attemptOf(notifications.open), secrets);
    assert.equal(product.arrived[0]?.path, tail.startsWith('/api') ? '/api/alert' : '/alert');
  }
});
