/** FlockML is strict XML: one character too many and nothing is shown. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flockml } from '../../src/message/render/flockml.ts';
import { hostile, materials, oversize } from './conformance/hostile.ts';
import { notifications } from './notifications.ts';

test('every document is well-formed, of the tags that Flock knows, and within its bytes', () => {
  const long = Object.values(materials).flatMap((unit) => [oversize(unit, 'open'), oversize(unit, 'digest')]);
  for (const notification of [...Object.values(notifications), hostile(), ...long]) {
    const text = flockml(notification);
    const open: string[] = [];
    for (const [tag, closing, name = '', empty] of text.matchAll(/<(\/?)(\w+)(?: href="[^"<>]*")?(\/?)>/g)) {
      assert.match(name, /^(?:flockml|b|i|a|br)$/, tag);
      assert.equal(empty === '/', name === 'br');
      if (closing === '/') assert.equal(open.pop(), name);
      else if (name !== 'br') open.push(name);
    }
    assert.deepEqual(open, []);
    assert.doesNotMatch(text.replace(/<\/?\w+(?: href="[^"<>]*")?\/?>/g, ''), /[<>\n]|&(?!amp;|lt;|gt;|quot;|#39;)/);
    assert.ok(text.startsWith('<flockml>') && Buffer.byteLength(text) <= 7_000);
  }
});

test('what XML does not allow is left out of texts and log lines', () => {
  const bad = 'a\u0000b\u001bc\ufffed\ud800e\tf';
  const excerpt = { source: bad, lines: [bad, '\u0007'] };
  const text = flockml({ ...notifications.open, title: bad, facts: [{ name: bad, value: bad }], excerpt });
  assert.match(text, /<b>abcd\ufffde f \(prod eu\)<\/b>/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  assert.doesNotMatch(text, /[\u0000-\u001f\ufffe\uffff]/);
  assert.ok(text.isWellFormed());
});
