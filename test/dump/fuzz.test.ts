/** Archives that were cut, flipped, spliced and stuffed with foreign bytes: each is read or refused in words, soon, and nothing crashes. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { diagnosisOf } from '../../src/diagnose/diagnosis.ts';
import { lookAtFile } from '../../src/diagnose/recording.ts';
import { diagnosisText } from '../../src/diagnose/text.ts';
import { DumpError, usualBounds } from '../../src/dump/bounds.ts';
import { tarOf } from './archive.ts';
import { formats } from './formats.ts';
import { holdingOf, linesOf } from './holding.ts';

/** Archives that are tried: `make fuzz` tries 10,000. */
const tries = Number(process.env.FUZZ ?? 300);
/** No archive keeps anybody waiting longer (ms). */
const patienceMs = 10_000;

/** Numbers that look random and are the same each time (mulberry32). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const texts = [
  '{',
  '}',
  '[',
  ']',
  '"',
  '\\',
  '"items":[',
  'items:\n- ',
  '---\n',
  'null',
  '1e999',
  '\u0000',
  '__proto__',
  '==== START logs for container a of pod b/c ====\n',
];

function damaged(whole: Buffer, pick: (below: number) => number): Buffer {
  const at = pick(whole.length);
  const some = 1 + pick(600);
  switch (pick(6)) {
    case 0:
      return whole.subarray(0, at);
    case 1: {
      const flipped = Buffer.from(whole);
      for (let flips = 1 + pick(40); flips > 0; flips--) flipped[pick(flipped.length)] = pick(256);
      return flipped;
    }
    case 2:
      return Buffer.concat([whole.subarray(0, at), whole.subarray(at + some)]);
    case 3:
      return Buffer.concat([whole.subarray(0, at), Buffer.from(texts[pick(texts.length)] ?? ''), whole.subarray(at)]);
    case 4:
      return Buffer.concat([whole.subarray(0, at), whole.subarray(pick(whole.length)), whole.subarray(at, at + some)]);
    default:
      return Buffer.concat([whole.subarray(0, at), Buffer.alloc(some, pick(256)), whole.subarray(at + some)]);
  }
}

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'tocsin-fuzz-'));
});
after(() => rmSync(folder, { recursive: true }));

test(`${tries} damaged archives: none crashes, none hangs, each is judged or refused in words`, async () => {
  const lines = linesOf('labelled/accelerator-falls-off-the-bus');
  const at = Date.parse('2026-11-23T02:50:00Z');
  const holding = holdingOf(lines, at);
  const archives = [
    ...Object.values(formats).map((write) => tarOf(write(holding), at)),
    Buffer.from(lines.join('\n')),
    Buffer.from(JSON.stringify(holding.objects)),
  ];
  const path = join(folder, 'dump');
  const said = { judged: 0, refused: 0 };
  for (let number = 0; number < tries; number++) {
    const pick = numbers(number);
    const whole = archives[pick(archives.length)] ?? Buffer.alloc(0);
    // Damaged before it is packed, or after.
    const packs = pick(3);
    const bytes =
      packs === 0
        ? gzipSync(damaged(whole, pick))
        : packs === 1
          ? damaged(gzipSync(whole), pick)
          : damaged(whole, pick);
    writeFileSync(path, bytes);
    const began = performance.now();
    try {
      const bounds = { ...usualBounds, bytes: 64 * 1024 ** 2, keptBytes: 32 * 1024 ** 2 };
      const seen = await lookAtFile({ path, stdin: Readable.from([]), now: at, version: '0', bounds });
      assert.ok(diagnosisText(diagnosisOf(seen)).length > 0);
      said.judged += 1;
    } catch (error) {
      assert.ok(
        error instanceof DumpError,
        `archive ${number}: ${error instanceof Error ? error.stack : String(error)}`,
      );
      said.refused += 1;
    }
    assert.ok(
      performance.now() - began < patienceMs,
      `archive ${number} took ${Math.round(performance.now() - began)} ms`,
    );
  }
  assert.ok(said.judged > tries / 4 && said.refused > 0, JSON.stringify(said));
});
