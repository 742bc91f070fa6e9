import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asciiOf } from '../../scripts/build/ascii.ts';

/** What a program says: the value of its last expression. */
const saidBy = (program: string): unknown => new Function(`return ${program}`)();

test('a program in ASCII says the same', () => {
  const programs = [
    `['cut…', \`· \${1}\`]`,
    "'5 µs, ：, ’ 🔔 é'.match(/[µ：’🔔-]/gu)",
    "'5 µs 🔔'.replace(/[µ🔔]/g, '.')",
    '((texts) => texts[0])`a → b`',
    String.raw`/\\…/.test('\\…')`,
  ];
  for (const program of programs) {
    const plain = asciiOf(program);
    assert.match(plain, /^[\0-\x7f]*$/);
    assert.notEqual(plain, program);
    assert.deepEqual(saidBy(plain), saidBy(program));
  }
});

test('what would say something else is refused, with its place', () => {
  for (const program of [String.raw`let cut = /\…$/`, 'let arrow = String.raw`a → b`'])
    assert.throws(() => asciiOf(program), { message: /four digits yourself: let (?:cut|arrow) = / });
});
