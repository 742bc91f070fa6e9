/** What the conformance suite has no row for: updates that ring nobody, and the ways in which people write an address. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome, Reference } from '../../src/model/delivery.ts';
import type { Notification } from '../../src/model/notification.ts';
import { placeOf } from '../../src/providers/signal/gateway.ts';
import { signal } from '../../src/providers/signal.ts';
import { deliveryOf, notifications } from './notifications.ts';
import { deliverOnce, type Scripted, startProduct } from './product.ts';

const hour = 3_600_000;
const sentAt = notifications.open.at;
const sent = (timestamp: number): Scripted => ({
  status: 201,
  body: JSON.stringify([{ timestamp: String(timestamp) }]),
});

/** Tells one act some time after the first message, and gives what was asked besides the message itself. */
async function told(
  notification: Notification,
  ref: Reference,
  answers: readonly Scripted[],
  afterMs = hour,
): Promise<{ readonly outcome: Outcome; readonly asked: readonly unknown[] }> {
  await using product = await startProduct(answers);
  const block = { number: '+4915112345678', to: '+491701234567', url: product.url };
  const now = sentAt + afterMs;
  const attempt = { notification, delivery: deliveryOf(notification), now, ref };
  const outcome = await deliverOnce(signal, block, attempt, {});
  const asked = product.arrived.map(({ body }) => {
    const { number: _number, recipients: _to, message: _message, text_mode: _mode, ...more } = JSON.parse(body);
    return more;
  });
  return { outcome, asked };
}

const { incident, ...update } = notifications.update;
assert.ok(incident);
const { previousSeverity: _before, ...face } = incident;
const quiet: Notification = { ...update, incident: face };
const first: Reference = { timestamp: String(sentAt), message: String(sentAt) };
const quote = {
  quote_timestamp: sentAt,
  quote_author: '+4915112345678',
  quote_message: notifications.update.title,
};

test('a quiet update edits the newest message, and the next one edits that version', async () => {
  const edited = await told(quiet, first, [sent(sentAt + 1)]);
  const ref = { ...first, version: String(sentAt + 1) };
  assert.deepEqual(edited, { outcome: { is: 'delivered', ref }, asked: [{ edit_timestamp: sentAt }] });
  const again = await told(quiet, ref, [sent(sentAt + 2)]);
  assert.deepEqual(again.asked, [{ edit_timestamp: sentAt + 1 }]);
});

test('what got worse is a new message, which is the one that is edited from then on', async () => {
  const { outcome, asked } = await told(notifications.update, { ...first, version: '5' }, [sent(sentAt + 9)]);
  assert.deepEqual(asked, [quote]);
  assert.deepEqual(outcome.ref, { timestamp: String(sentAt), message: String(sentAt + 9) });
});

test('an edit that is refused is told anew; one that may come later is not', async () => {
  const refused = { status: 400, body: JSON.stringify({ error: 'Invalid edit' }) };
  const anew = await told(quiet, first, [refused, sent(sentAt + 9)]);
  assert.deepEqual(anew.asked, [{ edit_timestamp: sentAt }, quote]);
  assert.equal(anew.outcome.is, 'delivered');
  const later = await told(quiet, first, [{ status: 503 }]);
  assert.deepEqual([later.outcome.is, later.outcome.ref, later.asked.length], ['retryable', first, 1]);
});

test('a message that is too old is not edited', async () => {
  const { asked } = await told(quiet, first, [sent(sentAt + 9)], 24 * hour);
  assert.deepEqual(asked, [quote]);
});

test('the address of the gateway may have a path, and the place for messages at its end', () => {
  for (const url of [
    'http://s.example/gw',
    'http://s.example/gw/',
    'http://s.example/gw/v2/send',
    'http://s.example/gw/v2/send/',
  ])
    assert.equal(placeOf(url, 'v2/send').href, 'http://s.example/gw/v2/send');
  assert.equal(placeOf('http://u:p@localhost:8080', 'v1/accounts').href, 'http://u:p@localhost:8080/v1/accounts');
});
