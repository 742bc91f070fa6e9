import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logEntry } from '../../../src/message/render/log-entry.ts';
import { hostile, materials, oversize } from '../../providers/conformance/hostile.ts';
import { notifications } from './sample.ts';

test('what can be counted and searched is there: numbers as numbers, how long it lasted, the key of the problem', () => {
  const expected = {
    ...{ action: 'resolve', status: 'resolved', severity: 'high', durationSeconds: 720, podCount: 2 },
    ...{ affectedCount: 3, alertKey: 'key-1', kind: 'Deployment', name: 'payments' },
  };
  const entry = logEntry(notifications.resolve, 'key-1', { max: 9_000 });
  assert.deepEqual(Object.fromEntries(Object.keys(expected).map((key) => [key, entry[key]])), expected);
  assert.equal(logEntry(notifications.update, 'k', { max: 9_000 }).previousSeverity, 'high');
  assert.equal(logEntry(notifications.digest, 'k', { max: 9_000 }).alertKey, undefined);
});

test('as JSON it is never longer than asked, whatever it is made of', () => {
  for (const unit of [...Object.values(materials), '\u0001'])
    for (const max of [4_000, 9_500]) {
      const json = JSON.stringify(logEntry(oversize(unit, 'open'), 'k', { max }));
      assert.ok(Buffer.byteLength(json) <= max, `${unit}: ${Buffer.byteLength(json)} > ${max}`);
    }
});

test('every text goes through `quiet`', () => {
  const quiet = (text: string): string => text.replace(/[<>]/g, '');
  assert.doesNotMatch(JSON.stringify(logEntry(hostile(), 'k', { max: 9_000, quiet })), /[<>]/);
});
