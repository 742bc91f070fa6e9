import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextWaitMs } from '../../src/delivery/retry.ts';

test('waits double from five seconds to five minutes with full jitter', () => {
  const wait = (failures: number, random: number): number | undefined => nextWaitMs({ failures, retry: {}, random });
  assert.deepEqual(
    [1, 2, 3, 7, 50].map((failures) => wait(failures, 1)),
    [5000, 10_000, 20_000, 300_000, 300_000],
  );
  assert.equal(wait(3, 0.5), 10_000);
  assert.equal(wait(3, 0), 0);
});

test('a first wait longer than five minutes is kept', () => {
  const retry = { delayMs: 600_000 };
  assert.equal(nextWaitMs({ failures: 1, retry, random: 1 }), 600_000);
  assert.equal(nextWaitMs({ failures: 2, retry, random: 1 }), 600_000);
});

test('the number of retries is the setting, else without end', () => {
  const ends = (failures: number, maxAttempts?: number): boolean =>
    nextWaitMs({ failures, retry: maxAttempts === undefined ? {} : { maxAttempts }, random: 1 }) === undefined;
  assert.deepEqual([ends(1, 0), ends(1, 1), ends(2, 1)], [true, false, true]);
  assert.equal(ends(1000), false);
});
