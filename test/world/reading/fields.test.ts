import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messageOf, tailOf } from '../../../src/world/reading/fields.ts';

const password = ['pass', 'word'].join('');

test('of a text of a mebibyte a page is kept and little more is looked at', () => {
  for (const piece of ['token://a:', `${password}=`, 'secret ', '-----BEGIN ', 'a.b:1 ', '\u200b'])
    for (const read of [messageOf, tailOf]) {
      const text = `${piece.repeat(Math.ceil(1_048_576 / piece.length))}!`;
      const timed = (): number => {
        const before = performance.now();
        read(text);
        return performance.now() - before;
      };
      // Whole, the slowest took 277 ms; a page takes less than one. Whatever else the machine does, one of ten readings has it to itself.
      assert.ok(Math.min(...Array.from({ length: 10 }, timed)) < 60, JSON.stringify(piece));
      assert.ok((read(text) ?? '').length <= 1500, JSON.stringify(piece));
    }
});

test('what is cut off takes no secret with it that would show without its name', () => {
  const secret = 'hunter22xyz';
  const filler = 'x'.repeat(30);
  for (let chars = 5_960; chars < 6_040; chars += 1) {
    const end = `${' y'.repeat(chars / 2)}${chars % 2 === 0 ? '' : '.'}`;
    assert.ok(!tailOf(`${filler} ${password}=${secret}${end}`)?.includes(secret.slice(-4)), String(chars));
    assert.ok(!messageOf(`${end} ${password}=${secret} ${filler}`).includes(secret.slice(0, 4)), String(chars));
  }
});
