import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Notification } from '../../src/model/notification.ts';
import { priorityOf } from '../../src/providers/kit/priority.ts';
import { notifications } from './notifications.ts';

const { open, update, resolve, reopen, digest, overview } = notifications;
const usual = { critical: 10, high: 8, medium: 5, low: 2, resolved: 1 };
const { incident } = update;
assert.ok(incident);
const { previousSeverity: _before, ...face } = incident;
const noWorse: Notification = { ...update, incident: face };
const reminder: Notification = { ...update, incident: { ...face, ring: true } };

test('the priority follows the severity, and an end is quiet', () => {
  assert.deepEqual(
    [open, update, resolve, digest].map((each) => priorityOf(each, usual)),
    [8, 10, 1, 2],
  );
  assert.equal(priorityOf({ ...overview, over: true }, usual), 1);
});

test('a fixed priority is for problems that are there; nothing else is louder than it or than usual', () => {
  const fixed = (priority: number): readonly number[] =>
    [open, update, reopen, resolve, digest, overview].map((each) => priorityOf(each, usual, priority));
  assert.deepEqual(fixed(9), [9, 9, 9, 1, 2, 8]);
  assert.deepEqual(fixed(0), [0, 0, 0, 0, 0, 0]);
});

test('an update that is no worse wakes nobody again, whatever is fixed; a reminder does', () => {
  assert.deepEqual(
    [undefined, 9, 0].map((fixed) => priorityOf(noWorse, usual, fixed)),
    [2, 2, 0],
  );
  assert.equal(priorityOf(reminder, usual), 10);
  assert.equal(priorityOf(reminder, usual, 9), 9);
});
