import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCrashBackoff, goDuration } from '../../sandbox/kubelet/crash-backoff.ts';

test('the first restart is at once, the next waits double from 10 s to 5 min', () => {
  const backoff = createCrashBackoff();
  let now = 0;
  const waits: number[] = [];
  for (let crash = 0; crash < 8; crash += 1) {
    const wait = backoff.remaining(now, now);
    waits.push(wait / 1000);
    now += wait;
    backoff.next(now, now);
  }
  assert.deepEqual(waits, [0, 10, 20, 40, 80, 160, 300, 300]);
  assert.equal(backoff.length(), '5m0s');
});

test('ten good minutes are forgiven', () => {
  const backoff = createCrashBackoff();
  for (let crash = 0; crash < 4; crash += 1) backoff.next(0, 0);
  assert.equal(backoff.remaining(599_000, 599_000), 80_000);
  assert.equal(backoff.remaining(601_000, 601_000), 0);
  backoff.next(601_000, 601_000);
  assert.equal(backoff.remaining(602_000, 602_000), 10_000);
});

test('durations read as Go writes them', () => {
  assert.deepEqual([10_000, 60_000, 80_000, 300_000].map(goDuration), ['10s', '1m0s', '1m20s', '5m0s']);
});
