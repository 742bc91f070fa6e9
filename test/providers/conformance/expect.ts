/** What the cases compare with and look for. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { lengthIn } from '../../../src/message/render/kit/truncate.ts';
import type { Outcome, Reference } from '../../../src/model/delivery.ts';
import { type AnswerCase, folderOf, type Limit } from './case-file.ts';

/** Compares with a golden file; with UPDATE_GOLDEN=1, writes it. A missing one is written, and the test fails once. */
export function compare(
  { type, name }: { readonly type: string; readonly name: string },
  file: string,
  found: unknown,
): void {
  const folder = folderOf(type, name);
  const path = join(folder, `${file}.json`);
  const text = `${JSON.stringify(found, null, 2)}\n`;
  const update = process.env.UPDATE_GOLDEN === '1';
  const missing = !existsSync(path);
  if (missing || update) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, text);
  }
  assert.ok(!missing || update, `${path} was missing and has been written: read it, then run again`);
  assert.equal(text, readFileSync(path, 'utf8'));
}

/** An outcome is what a row says of it; what the row leaves out may be anything. */
export function assertOutcome(outcome: Outcome, row: Omit<AnswerCase, 'name'>): void {
  const said = inspect(outcome);
  assert.equal(outcome.is, row.is, said);
  if (row.code !== undefined) assert.equal('code' in outcome ? outcome.code : undefined, row.code, said);
  if (row.credential !== undefined)
    assert.equal('credential' in outcome ? outcome.credential : undefined, row.credential, said);
  if (row.afterMs !== undefined) assert.equal('afterMs' in outcome ? outcome.afterMs : undefined, row.afterMs, said);
  if (row.keeps !== undefined) assert.deepEqual(referenceIn(outcome), row.keeps, said);
  if (row.mayHaveArrived !== undefined)
    assert.equal('mayHaveArrived' in outcome && outcome.mayHaveArrived === true, row.mayHaveArrived, said);
  if (row.says !== undefined) assert.match('reason' in outcome ? outcome.reason : '', new RegExp(row.says), said);
}

/** The reference without the log that is kept beside it (kept-log.test.ts), which is the same in all types. */
function referenceIn({ ref }: Outcome): Reference | null {
  const { log: _kept, ...rest } = ref ?? {};
  return Object.keys(rest).length === 0 ? null : rest;
}

/** Every text at a limit's path is within it. */
export function assertWithin({ at, max, unit }: Limit, body: string, parsed: unknown): void {
  const texts = at === 'body' ? [body] : textsOf(lookUp(parsed, at.split('.')));
  for (const text of texts) assert.ok(lengthIn(unit, text) <= max, `${at}: ${lengthIn(unit, text)} ${unit} > ${max}`);
}

/** The values at a path; `*` stands for every key. */
export function lookUp(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  if (key === '*') return Object.values(value).map((each) => lookUp(each, rest));
  return lookUp(new Map(Object.entries(value)).get(key), rest);
}

/** Every string in a value, whatever its depth. */
export function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** No grapheme of this one material was cut in two. */
export function assertWhole(text: string, unit: string): void {
  assert.ok(text.isWellFormed(), 'half a character');
  if (unit.length === 1) return;
  for (const { segment } of graphemes.segment(text))
    assert.ok(segment === unit || !unit.startsWith(segment) || segment === '', `a part of ${unit}: ${segment}`);
}

/** Of a secret address, the parts that are secret by themselves: not the plain words of its path (`services`, `workflows`). */
export function partsOf(value: string): readonly string[] {
  if (!URL.canParse(value)) return [];
  const { pathname, searchParams } = new URL(value);
  return [...pathname.split('/'), ...searchParams.values()].filter(
    (part) => part.length >= 6 && !/^[a-z]+$/.test(part),
  );
}

/** With long texts cut: they are in the files of the acts. */
export function shortened(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_key, each: unknown) =>
    typeof each === 'string' && each.length > 80 ? `${each.slice(0, 80)}…` : each,
  );
}
