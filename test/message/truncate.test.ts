import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lengthIn, truncate, type Unit } from '../../src/message/render/kit/truncate.ts';
import { fc } from '../fast-check.ts';

const units: readonly Unit[] = ['bytes', 'utf16', 'characters'];

test('a text is counted in the unit of the product', () => {
  assert.deepEqual(
    units.map((unit) => lengthIn(unit, 'aé日😀')),
    [1 + 2 + 3 + 4, 5, 4],
  );
});

test('what fits stays; what does not is cut with a mark that counts', () => {
  assert.equal(truncate('abcdef', 6, 'utf16'), 'abcdef');
  assert.equal(truncate('abcdef', 5, 'utf16'), 'abcd…');
  assert.equal(truncate('abcdef', 5, 'bytes'), 'ab…');
  assert.equal(truncate('日本語テスト', 10, 'bytes'), '日本…');
  assert.equal(truncate('word next', 6, 'utf16'), 'word…');
  assert.equal(truncate('abcdef', 2, 'bytes'), '');
});

test('a grapheme is kept whole or left out', () => {
  const family = '👩‍👩‍👧';
  assert.equal(truncate(`ab${family}cd`, 6, 'utf16'), 'ab…');
  assert.equal(truncate(`e\u0301e\u0301e\u0301`, 4, 'utf16'), `e\u0301…`);
  assert.equal(truncate('🇩🇪🇫🇷', 6, 'utf16'), '🇩🇪…');
});

test('no text, limit or unit ever gives more than the limit or half a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), fc.constantFrom(...units), (text, max, unit) => {
      const cut = truncate(text, max, unit);
      assert.ok(lengthIn(unit, cut) <= Math.max(max, 0));
      assert.ok(cut.isWellFormed());
      assert.ok(cut === text || cut === '' || text.startsWith(cut.slice(0, -1)));
    }),
  );
});

test('a huge text is cut without reading it all', () => {
  const start = performance.now();
  assert.equal(truncate('x'.repeat(20_000_000), 100, 'utf16').length, 100);
  assert.ok(performance.now() - start < 2000);
});

test('an escape that depends on the character before it is counted: the whole is never longer than allowed', () => {
  const apart = (text: string): string => text.replaceAll('{{', '{\u200b{');
  for (const max of [1, 2, 3, 10, 99, 100]) {
    const cut = truncate('{{7*7}}'.repeat(100), max, 'characters', apart);
    assert.ok(lengthIn('characters', cut) <= max, `${cut.length} of ${max}`);
    assert.ok(max < 10 || cut.startsWith('{\u200b{7'));
  }
});
