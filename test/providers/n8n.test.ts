/** What the conformance suite has no row for: an address that n8n does not know yet, and addresses that are not for us. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Reference } from '../../src/model/delivery.ts';
import { n8n } from '../../src/providers/n8n.ts';
import { deliveryOf, notifications } from './notifications.ts';
import { deliverOnce, startProduct } from './product.ts';

const notification = notifications.open;
const unknown = JSON.stringify({ code: 404, message: 'The requested webhook "POST a" is not registered.' });

const hour = 3_600_000;
/** Delivers once, `lateMs` after the decision. */
async function deliver(
  lateMs: number,
  path = '/webhook/a',
  values: Readonly<Record<string, string>> = {},
  ref?: Reference,
) {
  await using product = await startProduct([{ status: 404, body: unknown }]);
  const delivery = deliveryOf(notification);
  const attempt = { notification, delivery, now: notification.at + lateMs, ...(ref && { ref }) };
  const outcome = await deliverOnce(n8n, {}, attempt, { url: `${product.url}${path}`, ...values });
  return { outcome, arrived: product.arrived };
}

describe('an address that n8n does not know', () => {
  test('may be a restart for five minutes, in which nothing has arrived, however long n8n was away before', async () => {
    const { outcome } = await deliver(hour);
    assert.ok(outcome.is === 'retryable' && !outcome.mayHaveArrived);
    assert.match(outcome.reason, /publish the workflow/);
    const later = await deliver(hour + 299_000, undefined, undefined, outcome.ref);
    assert.ok(later.outcome.is === 'retryable');
    assert.deepEqual(later.outcome.ref, outcome.ref);
  });

  test('is final after that, but not for the next notification', async () => {
    const { outcome } = await deliver(hour);
    assert.equal((await deliver(hour + 300_000, undefined, undefined, outcome.ref)).outcome.is, 'permanent');
    const other = { ...outcome.ref, attempt: 'another' };
    assert.equal((await deliver(hour + 300_000, undefined, undefined, other)).outcome.is, 'retryable');
  });
});

test('the test address is refused with what to do, and not shown', async () => {
  const { outcome, arrived } = await deliver(0, '/webhook-test/T0KEN');
  assert.equal(arrived.length, 0);
  assert.ok(outcome.is === 'permanent' && outcome.credential);
  assert.match(outcome.reason, /use the production address/);
  assert.doesNotMatch(outcome.reason, /T0KEN/);
});

test('a token with a line break in it is refused before anything is sent, without its value', async () => {
  const { outcome, arrived } = await deliver(0, '/webhook/a', { token: 'Bearer T0KEN\r\nX-Evil: 1' });
  assert.equal(arrived.length, 0);
  assert.ok(outcome.is === 'permanent' && outcome.credential);
  assert.doesNotMatch(outcome.reason, /T0KEN|Evil/);
});

test('an own token leaves no other credential', async () => {
  await using product = await startProduct([{ status: 200 }, { status: 200 }]);
  const attempt = { notification, delivery: deliveryOf(notification), now: 0 };
  const url = product.url.replace('://', '://user:pass@');
  await deliverOnce(n8n, {}, attempt, { url, token: 'Bearer T' });
  await deliverOnce(n8n, {}, attempt, { url });
  const basic = `Basic ${Buffer.from('user:pass').toString('base64')}`;
  assert.deepEqual(
    product.arrived.map(({ headers }) => headers.authorization),
    ['Bearer T', basic],
  );
});
