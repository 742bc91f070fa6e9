/** How much readers do, counted and not timed: each look of a pattern at what is left of a text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostileLogs, readers } from './readers.ts';

const exec = RegExp.prototype.exec;

/** The characters that patterns were given while something was read, and the patterns. */
function looks(read: () => unknown): { readonly characters: number; readonly patterns: ReadonlySet<RegExp> } {
  let characters = 0;
  const patterns = new Set<RegExp>();
  RegExp.prototype.exec = function (this: RegExp, text: string) {
    characters += text.length - (this.global ? this.lastIndex : 0);
    patterns.add(this);
    return exec.call(this, text);
  };
  try {
    read();
  } finally {
    RegExp.prototype.exec = exec;
  }
  return { characters, patterns };
}

const [half, whole] = [hostileLogs(32_768), hostileLogs(65_536)];
const sizeOf = (lines: readonly string[]): number => lines.reduce((sum, { length }) => sum + length, 0);

/** Every address of a line is looked at a few times: 15 shapes, eight matches of each. */
const mostLooks = 130;

for (const [name, read] of Object.entries(readers))
  test(`${name} looks at 64 KB of hostile lines a bounded number of times, and at half of it half as often`, () => {
    for (const [at, lines] of whole.entries()) {
      const { characters } = looks(() => read(lines));
      const before = looks(() => read(half[at] ?? [])).characters;
      assert.ok(characters <= mostLooks * sizeOf(lines), `${characters} characters: ${lines[0]?.slice(0, 60)}`);
      assert.ok(characters <= 2.2 * before + 10_000, `${before}, then ${characters}: ${lines[0]?.slice(0, 60)}`);
    }
  });

test('what a trace complains of is looked for in as much as is fetched of a log', () => {
  const { complaintIn = () => undefined } = readers;
  for (const [at, lines] of whole.entries())
    assert.equal(looks(() => complaintIn(lines)).characters, looks(() => complaintIn(half[at] ?? [])).characters);
});

test('no pattern of a reader repeats without a bound what may begin anywhere, or repeats a long repetition', () => {
  const patterns = new Set<RegExp>();
  for (const read of Object.values(readers))
    for (const lines of half) for (const pattern of looks(() => read(lines)).patterns) patterns.add(pattern);
  assert.ok(patterns.size > 30, `${patterns.size} patterns`);
  for (const { source } of patterns) {
    const plain = source.replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'x');
    if (!plain.startsWith('^') && !plain.endsWith('$')) assert.doesNotMatch(plain, /[^\\][*+](?!\?)/, source);
    assert.doesNotMatch(plain, /\([^()]*\{\d+,\d{2,}\}[^()]*\)\{\d+,\d{3,}\}/, source);
    // An address is looked for where one begins, and not from each word that may stand in front of one.
    assert.doesNotMatch(plain, /\{0,\d{2,}\}[^)|]*https?/, source);
  }
});
