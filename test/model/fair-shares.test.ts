import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairShares } from '../../src/model/fair-shares.ts';
import { fc } from '../fast-check.ts';

/** Entries are called by their namespace and a number: `a/1`. */
const shares = (max: number) => new FairShares<string, string>(max, (value) => value.split('/')[0] ?? '');

test('whoever has most gives way, of theirs what came first; of equals whoever was there first', () => {
  const all = shares(4);
  for (const key of ['a/1', 'b/1', 'a/2', 'a/3']) assert.equal(all.set(key, key), undefined);
  assert.equal(all.set('b/2', 'b/2'), 'a/1');
  assert.equal(all.set('c/1', 'c/1'), 'a/2');
  assert.deepEqual(
    [...all.entries()].map(([key]) => key),
    ['b/1', 'a/3', 'b/2', 'c/1'],
  );
});

test('namespaces are served by turns, however much each brought, each in the order in which it came', () => {
  const all = shares(10);
  for (const key of ['a/1', 'a/2', 'a/3', 'b/1', 'c/1', 'c/2']) all.set(key, key);
  const served: (string | undefined)[] = [];
  while (all.size > 0) {
    const next = all.peek();
    served.push(all.take());
    assert.equal(served.at(-1), next);
  }
  assert.deepEqual(served, ['a/1', 'b/1', 'c/1', 'a/2', 'c/2', 'a/3']);
  assert.deepEqual([all.take(), all.peek()], [undefined, undefined]);
});

test('what is set again is the newest, and counts once', () => {
  const all = shares(3);
  for (const key of ['a/1', 'a/2', 'a/1']) all.set(key, key);
  assert.deepEqual([all.size, all.take(), all.get('a/1')], [2, 'a/2', 'a/1']);
  assert.deepEqual([all.delete('a/1'), all.delete('a/1'), all.size], [true, false, 0]);
});

test('no flood of others takes anything from a namespace that has less than an equal share', () => {
  const flood = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(1000)), { minLength: 50, maxLength: 400 });
  fc.assert(
    fc.property(flood, fc.integer({ min: 1, max: 10 }), (others, mine) => {
      const all = shares(40);
      for (let n = 0; n < mine; n += 1) all.set(`mine/${n}`, `mine/${n}`);
      for (const [namespace, n] of others) all.set(`${namespace}/${n}`, `${namespace}/${n}`);
      assert.ok(all.size <= 40);
      for (let n = 0; n < mine; n += 1) assert.equal(all.get(`mine/${n}`), `mine/${n}`);
    }),
  );
});
