import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isText, MemoLedger, memoryOf, recall } from '../../src/model/memory.ts';

test('only what differs from what is saved is written, and what is not remembered any more is forgotten', () => {
  const ledger = new MemoLedger();
  const counts = new Map([['a', { of: 1 }]]);
  assert.deepEqual(ledger.changes({ counts }), [{ topic: 'counts', key: 'a', value: { of: 1 } }]);
  counts.set('a', { of: 1 });
  assert.deepEqual(ledger.changes({ counts }), [], 'it says the same');
  counts.set('a', { of: 2 }).set('b', { of: 1 });
  assert.deepEqual(ledger.changes({ counts }), [
    { topic: 'counts', key: 'a', value: { of: 2 } },
    { topic: 'counts', key: 'b', value: { of: 1 } },
  ]);
  counts.delete('a');
  assert.deepEqual(ledger.changes({ counts }), [{ topic: 'counts', key: 'a' }]);
});

test('what was saved before is known, and topics of others are left alone', () => {
  const ledger = new MemoLedger();
  ledger.take([
    { topic: 'counts', key: 'a', value: 1 },
    { topic: 'theirs', key: 'x', value: 1 },
  ]);
  assert.deepEqual(ledger.changes({ counts: new Map([['a', 1]]) }), []);
  assert.deepEqual(ledger.changes({ counts: new Map() }), [{ topic: 'counts', key: 'a' }]);
});

test('what has another shape than expected is not recalled', () => {
  const memory = memoryOf([
    { topic: 'names', key: 'a', value: 'x' },
    { topic: 'names', key: 'b', value: 7 },
  ]);
  assert.deepEqual([...recall(memory, 'names', isText)], [['a', 'x']]);
  assert.deepEqual([...recall(memory, 'nothing', isText)], []);
});
