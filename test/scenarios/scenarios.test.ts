import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { figuresOf, passes } from './kit/figures.ts';
import { courseText, goldenText, wholeCourses } from './kit/golden.ts';
import { knownMisses } from './kit/known-misses.ts';
import { ratchets } from './kit/ratchets.ts';
import { isRecorded, logText, textFileOf } from './kit/recorded.ts';
import { run } from './kit/run.ts';
import { scenarioSets, setOf } from './kit/sets.ts';
import { stories } from './kit/stories.ts';

/** `UPDATE_GOLDEN=1` writes the texts anew. Read what changed like a person on call before committing it. */
const update = process.env.UPDATE_GOLDEN === '1';
const told = await stories();
/** Whoever tuned to what is held out would hold nothing out: it is only scored (`make scorecard`). */
const gated = [...told].filter(([name]) => setOf(name) !== 'held-out' && isRecorded(name));
const runs = gated.map((each) => run(...each));

/** The text is that of the golden file. */
function approved(file: string, text: string): void {
  if (update) writeFileSync(file, text);
  assert.ok(existsSync(file), `there is no ${file} yet: run again with UPDATE_GOLDEN=1 and read it`);
  assert.equal(text, readFileSync(file, 'utf8'));
}

/** A whole day of a cluster. */
const mayBeLarger = new Set(['labelled/staging-day']);

for (const { name, expectation, played, verdict } of runs) {
  if (!Object.hasOwn(knownMisses, name))
    test(`${name}: ${expectation.description}`, () => assert.deepEqual(verdict.faults, []));

  if (expectation.incidents.length > 0)
    test(`${name}: the openings read as people approved them`, () => {
      approved(textFileOf(name, 'open'), goldenText(played));
    });

  if (wholeCourses.has(name))
    test(`${name}: all that is told of it reads as people approved it`, () =>
      approved(textFileOf(name, 'course'), courseText(played)));
}

for (const figure of figuresOf(runs))
  if (figure.gate) {
    const limit = ratchets[figure.key] ?? figure.gate.limit;
    test(`gate: ${figure.key} ${figure.gate.is} ${limit}${figure.unit}`, () =>
      assert.ok(passes(figure, limit), `it is ${figure.value}${figure.unit}, because of ${figure.because.join(', ')}`));
  }

test('what is known to be missed is a scenario that is gated, and still is missed', () => {
  for (const name of Object.keys(knownMisses)) {
    const verdict = runs.find((one) => one.name === name)?.verdict;
    assert.ok(verdict, `${name} is no scenario`);
    assert.notDeepEqual(verdict.faults, [], `${name} is told as it is labelled: take it off the list`);
  }
});

test('every story is recorded', () => {
  assert.deepEqual(
    [...told.keys()].filter((name) => !isRecorded(name)),
    [],
  );
});

test('what is kept in the folders of the sets is the log or a text of a story', () => {
  const kept = globSync(`{${scenarioSets.join(',')}}/*`, { cwd: import.meta.dirname });
  const nameOf = (file: string): string => file.replace(/\.(?:jsonl\.zst|open\.txt|course\.txt)$/, '');
  assert.deepEqual(
    kept.filter((file) => nameOf(file) === file || !told.has(nameOf(file))),
    [],
  );
});

test('no log of a scenario is larger than 500 KB when it is unpacked, none of a storm larger than 2 MB', () => {
  for (const name of [...told.keys()].filter(isRecorded)) {
    if (mayBeLarger.has(name)) continue;
    const bytes = Buffer.byteLength(logText(name));
    assert.ok(bytes <= (setOf(name) === 'storm' ? 2_000_000 : 500_000), `${name}: ${bytes} bytes`);
  }
});
