import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isGsm, measure, plainest } from '../../../../src/message/render/kit/gsm.ts';
import { fc } from '../../../fast-check.ts';

const of = (text: string): string => {
  const { alphabet, units, segments } = measure(text);
  return `${alphabet} ${units} in ${segments}`;
};

test('160 septets are one segment, more are segments of 153', () => {
  assert.equal(of(''), 'gsm 0 in 1');
  assert.equal(of('a'.repeat(160)), 'gsm 160 in 1');
  assert.equal(of('a'.repeat(161)), 'gsm 161 in 2');
  assert.equal(of('a'.repeat(306)), 'gsm 306 in 2');
  assert.equal(of('a'.repeat(307)), 'gsm 307 in 3');
  assert.equal(of('a'.repeat(459)), 'gsm 459 in 3');
  assert.equal(of('a'.repeat(460)), 'gsm 460 in 4');
});

test('characters of the extension table are two septets, which stay together', () => {
  assert.equal(of('^{}\\[~]|€\f'), 'gsm 20 in 1');
  assert.equal(of(`${'a'.repeat(158)}[`), 'gsm 160 in 1');
  assert.equal(of(`${'a'.repeat(152)}[${'a'.repeat(151)}`), 'gsm 305 in 2');
  // The bracket does not fit behind 152 others, so it takes one septet of room away.
  assert.equal(of(`${'a'.repeat(152)}[${'a'.repeat(152)}`), 'gsm 306 in 3');
});

test('one other character makes it UCS-2: 70 units, then 67', () => {
  assert.equal(of(`${'a'.repeat(69)}é`), 'gsm 70 in 1');
  assert.equal(of(`${'a'.repeat(69)}ê`), 'ucs2 70 in 1');
  assert.equal(of(`${'a'.repeat(70)}ê`), 'ucs2 71 in 2');
  assert.equal(of('世'.repeat(134)), 'ucs2 134 in 2');
  assert.equal(of('世'.repeat(201)), 'ucs2 201 in 3');
  assert.equal(of('世'.repeat(202)), 'ucs2 202 in 4');
});

test('a surrogate pair is two units, which stay together', () => {
  assert.equal(of('😀'.repeat(35)), 'ucs2 70 in 1');
  assert.equal(of(`${'a'.repeat(66)}😀${'a'.repeat(65)}`), 'ucs2 133 in 2');
  assert.equal(of(`${'a'.repeat(66)}😀${'a'.repeat(66)}`), 'ucs2 134 in 3');
});

test('the basic table is that of the standard', () => {
  // TS 23.038 §6.2.1 has 128 places; the escape is none of them that a text may use.
  const all = Array.from({ length: 0xffff }, (_, code) => String.fromCharCode(code));
  assert.equal(all.filter((character) => measure(character).alphabet === 'gsm').length, 127 + 10);
  assert.ok(isGsm('@£$¥èéùìòÇØøÅåΔΦΓΛΩΠΨΣΘΞÆæßÉ¤¡ÄÖÑÜ§¿äöñüà_'));
  for (const character of ['`', 'ç', 'á', '\t', '\u001b', '·', '…', '’', '\u00a0'])
    assert.ok(!isGsm(character), character);
});

test('what has a counterpart in the alphabet is written so', () => {
  const pairs: readonly (readonly [string, string])[] = [
    ['CrashLoopBackOff · Deployment shop/api', 'CrashLoopBackOff - Deployment shop/api'],
    ['“so” ‘far’ – 5 → 6…', '"so" \'far\' - 5 -> 6...'],
    ['`api`\tcafé, ça, Łódź, naïve', "'api' café, ca, Lodz, naive"],
    ['cafe\u0301', 'café'],
    ['20\u00a0% of a ﬁle, ２ × ３', '20 % of a file, 2 x 3'],
    ['🚨all 👩‍👩‍👧gone✅ 🇩🇪\u200b\u2060!', 'all gone!'],
  ];
  for (const [text, written] of pairs) assert.equal(plainest(text), written);
});

test('a sign that is left out leaves no space behind', () => {
  for (const [text, written] of [
    ['its program panics (no config ✗).', 'its program panics (no config).'],
    ['done ✓ and told', 'done and told'],
    ['🔥 down', ' down'],
    ['two  spaces – kept', 'two  spaces - kept'],
  ] as const)
    assert.equal(plainest(text), written);
});

test('other scripts stay as they are', () => {
  for (const text of ['生产', 'прод', 'ירושלים', 'ɮ\u0301']) assert.equal(plainest(text), text);
});

test('a text of the alphabet is never changed, and no text grows a character that is not of it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 50 }), (text) => {
      const written = plainest(text);
      assert.equal(plainest(written), written);
      if (isGsm(text)) assert.equal(written, text);
      for (const character of written) assert.ok(isGsm(character) || text.includes(character), character);
    }),
  );
});
