/** What people who make a Zap go by: the same keys in every event, one of which shows every field filled. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zapierEvent } from '../../src/providers/zapier/event.ts';
import { deliveryOf, notifications } from './notifications.ts';

const events = Object.values(notifications).map((notification) =>
  zapierEvent(notification, deliveryOf(notification), undefined),
);

test('every event has the same keys, in the same order, and no value that is not flat', () => {
  const [first] = events;
  assert.ok(first);
  for (const event of events) {
    assert.deepEqual(Object.keys(event), Object.keys(first));
    for (const value of Object.values(event)) assert.match(typeof value, /^(?:string|number)$/);
  }
});

test('the test message has every field filled', () => {
  const filled = zapierEvent(notifications.test, deliveryOf(notifications.test), undefined);
  for (const [key, value] of Object.entries(filled)) assert.notEqual(value, '', key);
});

test('title and message begin with words of ours, so that no table takes them for a formula', () => {
  for (const { title, message } of events)
    for (const text of [title, message]) assert.match(String(text), /^[A-Za-z0-9]/);
});
