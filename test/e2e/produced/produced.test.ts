import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type ProducedCase, titleOf } from './case.ts';
import { producedCases } from './cases.ts';
import { judge } from './judge.ts';
import { type Outcome, play } from './play.ts';
import { describeOutcome } from './report.ts';

/** `ONLY=S1,PVCPending node --test test/e2e/produced/produced.test.ts` plays these rows or reasons alone. */
const only = (process.env.ONLY ?? '').split(',').filter((word) => word !== '');
const all = await producedCases();
const cases = only.length === 0 ? all : all.filter(({ id, reason }) => only.includes(id) || only.includes(reason));
let outcomes: ReadonlyMap<ProducedCase, Outcome>;

before(async () => {
  outcomes = await play(cases);
});

/** Whether a subject, in which `*` stands for any text, is this one. */
function isMeant(ref: string, subject: string): boolean {
  const [first = '', ...rest] = subject.split('*');
  const last = rest.at(-1);
  return last === undefined ? ref === first : ref.startsWith(first) && ref.endsWith(last);
}

for (const row of cases)
  test(titleOf(row), () => {
    const outcome = outcomes.get(row);
    assert.ok(outcome, 'it was not played');
    if ('error' in outcome) throw new Error(`it did not come about: ${outcome.error}\n${describeOutcome(outcome, [])}`);
    const { found, opened } = judge(row, outcome);
    const told = (what: string): string => `${what}\n${describeOutcome(outcome, found)}`;
    const subject = row.subject(outcome.ns);
    const meant = found.find(({ finding }) => finding.reason === row.reason && isMeant(finding.subject.ref, subject));
    assert.ok(meant, told(`no ${row.reason} on ${subject} within ${row.withinSeconds ?? 120} s`));
    const named = row.names?.(outcome.ns);
    const { names } = meant.finding;
    assert.ok(named === undefined || names.some((ref) => ref === named), told(`it names ${names.join(', ')}`));
    const waitedSeconds = (meant.at - meant.finding.since) / 1000;
    assert.ok(waitedSeconds >= (row.quietBeforeSeconds ?? 0), told(`it was found ${waitedSeconds} s after it began`));
    if (row.root)
      assert.deepEqual([...new Set(opened.map(({ root }) => root))], [row.root(outcome.ns)], told('its root'));
    const expected = new Set<string>([row.reason, ...(row.also ?? [])]);
    const others = found.filter(({ finding }) => !expected.has(finding.reason));
    assert.deepEqual(
      others.map(({ finding }) => `${finding.subject.ref} ${finding.reason}`),
      [],
      told('something else was found of it'),
    );
  });
