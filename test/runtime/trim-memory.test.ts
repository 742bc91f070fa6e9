import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trimMemory } from '../../src/runtime/trim-memory.ts';

test('all garbage is collected beside the work, where the engine offers it, and nothing happens where it does not', () => {
  const before = globalThis.gc;
  const asked: unknown[] = [];
  try {
    globalThis.gc = (async (options: unknown) => void asked.push(options)) as NonNullable<typeof globalThis.gc>;
    trimMemory();
    assert.deepEqual(asked, [{ type: 'major', flavor: 'last-resort', execution: 'async' }]);
    globalThis.gc = undefined;
    trimMemory();
    assert.equal(asked.length, 1);
  } finally {
    globalThis.gc = before;
  }
});
