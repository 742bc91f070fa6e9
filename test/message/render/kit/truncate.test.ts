import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWithin, lastLines, lengthIn, truncate, type Unit } from '../../../../src/message/render/kit/truncate.ts';
import { fc } from '../../../fast-check.ts';

const units: readonly Unit[] = ['bytes', 'utf16', 'characters'];
const encode = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

test('lengths count what is sent: an escape counts whole and is never cut', () => {
  assert.equal(truncate('a&b', 7, 'utf16', encode), 'a&amp;b');
  assert.equal(truncate('a&b', 6, 'utf16', encode), 'a…');
  assert.equal(truncate('&&&&', 11, 'utf16', encode), '&amp;&amp;…');
});

test('escaped texts keep to the limit in every unit', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('&', '<', 'a', '世', '👩‍👩‍👧') }),
      fc.nat(60),
      fc.constantFrom(...units),
      (text, max, unit) => {
        const cut = truncate(text, max, unit, encode);
        assert.ok(lengthIn(unit, cut) <= max || cut === '');
        assert.doesNotMatch(cut, /&(?!amp;|lt;)/);
      },
    ),
  );
});

test('a text is within a limit exactly where its length is', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'ü', '世', '👩‍👩‍👧', '\ud83d') }),
      fc.nat(60),
      fc.constantFrom(...units),
      (text, max, unit) => assert.equal(isWithin(text, max, unit), lengthIn(unit, text) <= max),
    ),
  );
});

test('of a log the end is kept, with a mark where the beginning is missing', () => {
  assert.equal(lastLines(['one', 'two', 'three'], 100, 'utf16'), 'one\ntwo\nthree');
  assert.equal(lastLines(['one', 'two', 'three'], 12, 'utf16'), '…\ntwo\nthree');
  assert.equal(lastLines(['one', 'two', 'a very long line'], 8, 'utf16'), '…\na ver…');
});

test('the end of a log keeps to the limit, marks and line breaks included', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme', maxLength: 30 })),
      fc.integer({ min: 8, max: 80 }),
      fc.constantFrom(...units),
      (lines, max, unit) => {
        assert.ok(lengthIn(unit, lastLines(lines, max, unit, encode)) <= max);
      },
    ),
  );
});
