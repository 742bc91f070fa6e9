import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryTrimmer } from '../../src/runtime/trim-memory.ts';
import { createVirtualClock } from '../../src/sandbox/clock.ts';

const mebibyte = 1024 * 1024;

function stage() {
  const clock = createVirtualClock(0);
  const state = { resident: 160 * mebibyte, busy: 0.02 };
  let collected = 0;
  const memory = {
    resident: () => state.resident,
    busyShare: () => state.busy,
    collect: () => void collected++,
  };
  new MemoryTrimmer(clock, memory).start();
  clock.advance(5_000);
  clock.advance(30_000);
  return { clock, state, collected: () => collected };
}

test('what the first lists leave behind is collected once', () => {
  const { clock, collected } = stage();
  for (let look = 0; look < 10; look++) clock.advance(30_000);
  assert.equal(collected(), 1);
});

test('much that has come together since is collected when there is little else to do, and not while there is', () => {
  const { clock, state, collected } = stage();
  state.resident = 180 * mebibyte;
  state.busy = 0.6;
  clock.advance(30_000);
  assert.equal(collected(), 1);
  state.busy = 0.02;
  clock.advance(30_000);
  assert.equal(collected(), 2);
});

test('what is still there after a collection is needed: it is not collected for again until more has come', () => {
  const { clock, state, collected } = stage();
  state.resident = 180 * mebibyte;
  for (let look = 0; look < 10; look++) clock.advance(30_000);
  assert.equal(collected(), 2);
  state.resident = 200 * mebibyte;
  clock.advance(30_000);
  assert.equal(collected(), 3);
});

test('all garbage is collected beside the work, where the engine offers it, and nothing happens where it does not', () => {
  const before = globalThis.gc;
  const asked: unknown[] = [];
  try {
    globalThis.gc = (async (options: unknown) => void asked.push(options)) as NonNullable<typeof globalThis.gc>;
    const clock = createVirtualClock(0);
    new MemoryTrimmer(clock).start();
    clock.advance(5_000);
    assert.deepEqual(asked, [{ type: 'major', flavor: 'last-resort', execution: 'async' }]);
    globalThis.gc = undefined;
    new MemoryTrimmer(clock).start();
    clock.advance(5_000);
    assert.equal(asked.length, 1);
  } finally {
    globalThis.gc = before;
  }
});
