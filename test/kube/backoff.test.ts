import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBackoff } from '../../src/kube/backoff.ts';

test('waits begin at 0.8 s and double to 30 s', () => {
  const backoff = createBackoff(() => 1);
  assert.deepEqual(
    Array.from({ length: 8 }, () => backoff.next()),
    [800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000],
  );
  backoff.reset();
  assert.equal(backoff.next(), 800);
});

test('full jitter: any part of the wait, down to none', () => {
  const randoms = [0, 0.25, 1];
  const backoff = createBackoff(() => randoms.shift() ?? 1);
  assert.deepEqual([backoff.next(), backoff.next(), backoff.next()], [0, 400, 3_200]);
});
