import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdsPattern } from '../../src/model/signature.ts';

test('a pattern is held somewhere in a text, in whatever case, and only * and ? are special', () => {
  for (const [text, pattern, holds] of [
    ['FATAL: no slots left', 'No Slots', true],
    ['FATAL: no slots left', 'fatal*left', true],
    ['FATAL: no slots left', 'slots ?eft', true],
    ['FATAL: no slots left', 'left*fatal', false],
    ['a.b', 'a?b', true],
    ['axb', 'a.b', false],
    ['(a|b)+$', '(a|b)+$', true],
    ['aaaa', '(a|b)+$', false],
    ['anything', undefined, true],
    ['', 'abc', false],
  ] as const)
    assert.equal(holdsPattern(text, pattern), holds, `${pattern} in ${text}`);
});

test('of a long text the end is looked at', () => {
  assert.equal(holdsPattern(`${'x'.repeat(100_000)}the end`, 'the end'), true);
  assert.equal(holdsPattern(`the beginning${'x'.repeat(100_000)}`, 'the beginning'), false);
});

test('no pattern and no text make it slow: fifty of the worst on the longest take less than a second', () => {
  const text = 'a'.repeat(1_000_000);
  const worst = [
    'a*'.repeat(100),
    `${'a'.repeat(198)}*b`,
    `${'*a'.repeat(99)}b`,
    `${'?'.repeat(199)}b`,
    'a?*'.repeat(66),
  ];
  const before = process.cpuUsage();
  for (let times = 0; times < 10; times += 1) for (const pattern of worst) holdsPattern(text, pattern);
  assert.ok(process.cpuUsage(before).user < 1_000_000, `${process.cpuUsage(before).user} µs`);
});
