import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createVirtualClock } from '../../sandbox/clock.ts';
import { MemoryTrimmer } from '../../src/runtime/trim-memory.ts';

const mebibyte = 1024 * 1024;

/** What was waited for has been done. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function stage() {
  const clock = createVirtualClock(0);
  const state = { resident: 160 * mebibyte, busy: 0.02 };
  let collected = 0;
  const memory = {
    resident: () => state.resident,
    busyShare: () => state.busy,
    collect: async () => void collected++,
  };
  new MemoryTrimmer(clock, memory).start();
  clock.advance(5_000);
  await turn();
  clock.advance(30_000);
  return { clock, state, collected: () => collected };
}

test('what the first lists leave behind is collected once', async () => {
  const { clock, collected } = await stage();
  for (let look = 0; look < 10; look++) {
    clock.advance(30_000);
    await turn();
  }
  assert.equal(collected(), 1);
});

test('much that has come together since is collected when there is little else to do, and not while there is', async () => {
  const { clock, state, collected } = await stage();
  state.resident = 180 * mebibyte;
  state.busy = 0.6;
  clock.advance(30_000);
  assert.equal(collected(), 1);
  state.busy = 0.02;
  clock.advance(30_000);
  assert.equal(collected(), 2);
});

test('what is still there after a collection is needed: it is not collected for again until more has come', async () => {
  const { clock, state, collected } = await stage();
  state.resident = 180 * mebibyte;
  for (let look = 0; look < 10; look++) {
    clock.advance(30_000);
    await turn();
  }
  assert.equal(collected(), 2);
  state.resident = 200 * mebibyte;
  clock.advance(30_000);
  assert.equal(collected(), 3);
});

test('all garbage is collected beside the work, where the engine offers it, and nothing happens where it does not', async () => {
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
