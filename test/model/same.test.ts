import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { isSame } from '../../src/model/same.ts';
import { fc } from '../fast-check.ts';

test('values are the same when they say the same, whatever the order of their keys', () => {
  assert.ok(isSame({ a: 1, b: [{ c: 'x' }, null] }, { b: [{ c: 'x' }, null], a: 1 }));
  assert.ok(!isSame({ a: 1 }, { a: 1, b: undefined }));
  assert.ok(!isSame({ a: undefined }, { b: undefined }));
  assert.ok(!isSame([], {}));
  assert.ok(!isSame({ 0: 'a' }, ['a']));
  assert.ok(!isSame(null, {}));
  assert.ok(!isSame(1, '1'));
});

test('it agrees with the comparison of Node', () => {
  const few = fc.jsonValue({ maxDepth: 3 });
  fc.assert(
    fc.property(few, few, (a, b) => {
      // -0 and 0 are one number to the API.
      const [left, right] = [JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b))];
      assert.equal(isSame(left, right), isDeepStrictEqual(left, right));
      assert.ok(isSame(left, JSON.parse(JSON.stringify(left))));
    }),
  );
});
