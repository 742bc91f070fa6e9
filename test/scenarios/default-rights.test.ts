import assert from 'node:assert/strict';
import { test } from 'node:test';
import { confidenceOf, entriesOf } from './kit/figures.ts';
import { knownMisses } from './kit/known-misses.ts';
import { isRecorded } from './kit/recorded.ts';
import { runWithoutSecrets } from './kit/run.ts';
import { setOf } from './kit/sets.ts';
import { stories } from './kit/stories.ts';

/** As Tocsin is installed: whoever wants more grants it (docs/security.md). */
const runs = [...(await stories())].flatMap(([name, story]) =>
  setOf(name) === 'held-out' || !isRecorded(name) || Object.hasOwn(knownMisses, name)
    ? []
    : (runWithoutSecrets(name, story) ?? []),
);

test('there are scenarios in which Secrets are edited', () => assert.ok(runs.length > 50, String(runs.length)));

for (const run of runs) {
  const { name, expectation, played } = run;
  test(`${name}: without sight of Secrets nothing is told of a quiet day, and each outage is, by nobody who is surely wrong`, () => {
    const entries = entriesOf([run]);
    assert.ok(entries.length >= Math.min(1, expectation.incidents.length));
    if (expectation.incidents.length === 0) assert.deepEqual(played.messages, []);
    const wrong = entries.filter((entry) => entry.expected === undefined && confidenceOf(entry) === 'high');
    assert.deepEqual(
      wrong.map(({ messages: [first] }) => first?.notification.title),
      [],
    );
  });
}
