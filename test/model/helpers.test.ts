import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Backoff, backoffMs, jittered } from '../../src/model/backoff.ts';
import { BoundedMap } from '../../src/model/bounded-map.ts';
import { TokenBucket } from '../../src/model/token-bucket.ts';

const range = { firstMs: 800, longestMs: 30_000 };

test('waits double from the first to the longest, however many failures there were', () => {
  const backoff = new Backoff(range, () => 1);
  assert.deepEqual(
    Array.from({ length: 8 }, () => backoff.next()),
    [800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000],
  );
  backoff.reset();
  assert.equal(backoff.next(), 800);
  assert.equal(backoffMs(range, 1_000_000), 30_000);
});

test('jitter leaves a share of the wait to chance: all of it, half of it, nothing', () => {
  const randoms = [0, 0.25, 1];
  const backoff = new Backoff(range, () => randoms.shift() ?? 1);
  assert.deepEqual([backoff.next(), backoff.next(), backoff.next()], [0, 400, 3_200]);
  assert.deepEqual([jittered(1000, 0.5, 0), jittered(1000, 0.5, 1), jittered(1000, 0, 0)], [500, 1000, 1000]);
});

test('a bucket gives its burst at once, then one token at a time', () => {
  const bucket = new TokenBucket({ perSecond: 2, burst: 3 }, 0);
  assert.deepEqual([bucket.take(0), bucket.take(0), bucket.take(0), bucket.take(0)], [true, true, true, false]);
  assert.equal(bucket.waitMs(0), 500);
  assert.deepEqual([bucket.take(499), bucket.take(500), bucket.waitMs(500)], [false, true, 500]);
  assert.deepEqual([bucket.waitMs(1_000_000), bucket.take(1_000_000)], [0, true]);
});

test('a bounded map forgets what was set longest ago, and says what', () => {
  const forgotten: number[] = [];
  const map = new BoundedMap<string, number>(2, (value) => forgotten.push(value));
  map.set('a', 1);
  map.set('b', 2);
  map.set('a', 3);
  map.set('c', 4);
  assert.deepEqual(
    [...map.entries()],
    [
      ['a', 3],
      ['c', 4],
    ],
  );
  assert.deepEqual([map.get('b'), map.has('a'), map.size, forgotten], [undefined, true, 2, [2]]);
  assert.equal(map.delete('a'), true);
  assert.deepEqual([...map.values()], [4]);
});
