import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanText } from '../../src/model/redact.ts';
import { readSigns } from '../../src/signs/read.ts';
import { signRows } from '../../src/signs/table.ts';
import { fc } from '../fast-check.ts';
import { signCases } from './cases.ts';
import { fillers, hostile, lineLength } from './hostile.ts';

const size = 65_536;
/** Milliseconds of the fastest attempt of some: what else the machine does is not the pattern's. */
function fastest(work: () => void, attempts = 3): number {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const start = performance.now();
    work();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

/** A pattern of ordinary cost, for comparison. */
const ordinary = /\b[a-z]{1,40}:\/\/[a-z]{1,40}\.\d{3}/;

test('no row takes long on lines that are made of its own words, beside what an ordinary pattern takes', () => {
  const slow: string[] = [];
  for (const { source, pattern, ...row } of signRows)
    for (const line of hostile({ source, pattern, ...row })) {
      const read = (): void => void pattern.exec(line);
      // Most take a few microseconds. What seems slow is measured again, so that a busy machine does not count.
      if (fastest(read, 1) < 0.3 || fastest(read, 9) < 0.3) continue;
      if (fastest(read, 9) > 100 * fastest(() => void ordinary.exec(line), 9))
        slow.push(`${source}: ${line.slice(0, 60)}`);
    }
  assert.deepEqual(slow, []);
});

test('no pattern repeats without a bound or repeats a repetition', () => {
  for (const { pattern, source } of signRows) {
    const plain = pattern.source.replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'x');
    assert.doesNotMatch(plain, /[^\\][*+](?!\?)/, `${source}: without a bound`);
    assert.doesNotMatch(plain, /\{\d+,\}/, `${source}: without an upper bound`);
    assert.doesNotMatch(plain, /\([^()]*\{\d+,\d{2,}\}[^()]*\)\{\d+,\d{3,}\}/, `${source}: a long one of a long one`);
  }
});

test('what a program writes never makes the reader fail, and what it keeps is bounded', () => {
  const pieces = [
    ...fillers,
    ...signCases.slice(0, 200).flatMap((each) => each.lines),
    '\u0000',
    '\u202e',
    '\ud800',
    '{',
    '}',
    '{"msg":',
    '\n',
    '…',
  ];
  const piece = fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 200 }));
  const line = fc.array(piece, { maxLength: 20 }).map((parts) => parts.join(''));
  const log = fc.array(line, { maxLength: 60 });
  fc.assert(
    fc.property(log, (lines) => {
      const signs = readSigns(lines);
      assert.ok(signs.length <= 5);
      for (const sign of signs) {
        assert.ok(sign.line.length <= 300 && sign.line.isWellFormed());
        assert.ok((sign.name?.length ?? 0) <= 300);
        assert.ok((sign.target?.host.length ?? 0) <= 253);
        assert.equal(cleanText(sign.line), sign.line);
      }
    }),
    { seed: 12, numRuns: 300 },
  );
});

test('64 KB in one line, in lines of 2,000 and in short ones take a time in proportion to a plain log', () => {
  const plain = Array.from(
    { length: 400 },
    (_, index) => `level=error msg="request ${index} failed after 3 attempts" path=/orders status=500`,
  );
  const usual = fastest(() => readSigns(plain));
  for (const filler of fillers) {
    const whole = filler.repeat(size / filler.length);
    const long = Array.from({ length: 32 }, () => filler.repeat(lineLength / filler.length));
    const short = Array.from({ length: 400 }, () => filler.repeat(160 / filler.length));
    // Addresses and paths are looked for only beside a reason.
    const beside = long.flatMap((each) => [
      `: connection refused: ${each.slice(20)}`,
      `${each.slice(20)}: permission denied`,
    ]);
    for (const lines of [[whole], long, short, beside, [`{"msg":"${whole}"}`]])
      assert.ok(fastest(() => readSigns(lines)) < 40 * usual + 20, `${filler} in ${lines.length} lines`);
  }
});
