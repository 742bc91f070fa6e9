import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { firstBytes, lastBytes } from '../../src/providers/webhook/cut.ts';

const text = fc.string({ unit: 'binary', maxLength: 60 });
const limit = fc.integer({ min: 0, max: 80 });

test('a cut keeps whole code points, as many as fit, from its own end', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        text,
        text.map((rest) => `\ufeff${rest}`),
      ),
      limit,
      (given, max) => {
        const [first, last] = [firstBytes(given, max), lastBytes(given, max)];
        assert.ok(given.startsWith(first) && given.endsWith(last));
        for (const part of [first, last]) {
          const bytes = Buffer.byteLength(part);
          assert.ok(part.isWellFormed() && bytes <= max);
          // A code point has at most four bytes, so no more than three may be left over.
          assert.ok(part === given || bytes > max - 4);
        }
      },
    ),
  );
});
