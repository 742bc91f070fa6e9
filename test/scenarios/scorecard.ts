/** Replays every scenario, prints the figures and writes docs/contributing/scorecard.md: `node test/scenarios/scorecard.ts`. */
import { writeFileSync } from 'node:fs';
import { gates } from '../honesty/gates.ts';
import { lineSets, sharesOf } from '../signs/measured.ts';
import { everyFault } from './kit/every-fault.ts';
import { type Figure, figuresOf, passes, rightRoots, wordingFigures } from './kit/figures.ts';
import { knownMisses } from './kit/known-misses.ts';
import { isRecorded } from './kit/recorded.ts';
import { type Run, run, runWithoutSecrets } from './kit/run.ts';
import { scenarioSets, setOf } from './kit/sets.ts';
import { stories } from './kit/stories.ts';
import { calibration, confusion, table, timeToFirst } from './kit/tables.ts';

const recorded = [...(await stories())].filter(([name]) => isRecorded(name));
const all = recorded.map((each) => run(...each));
/** As Tocsin is installed by default: what Secrets are edited it may not see. */
const byDefault = recorded
  .filter(([name]) => setOf(name) === 'held-out')
  .map((each) => runWithoutSecrets(...each) ?? run(...each));
const setsOf = (...sets: readonly Run['set'][]): readonly Run[] => all.filter(({ set }) => sets.includes(set));
const gated = setsOf('labelled', 'quiet', 'storm');
const heldOut = setsOf('held-out');
const noHeldOut =
  'No scenario is held out at present: how Tocsin does on failures that nobody has tuned it to is not known.';

function figureRow(figure: Figure): readonly (string | number)[] {
  const { name, value, unit, because, gate } = figure;
  const withUnit = (number: number): string => `${number}${unit && ` ${unit}`}`;
  const limit = gate ? `${gate.is === 'at least' ? '≥' : '≤'} ${withUnit(gate.limit)}` : '';
  const met = gate ? (passes(figure) ? 'yes' : '**no**') : '';
  const some = because.slice(0, 8).map((each) => each.replace(/^[\w-]+\//, ''));
  const left = because.length > some.length ? `, and ${because.length - some.length} more` : '';
  return [name, withUnit(value), limit, met, `${some.join(', ')}${left}`];
}

const figureTable = (figures: readonly Figure[]): string =>
  table(['figure', 'value', 'gate', 'met', 'suffers from'], figures.map(figureRow));

function scenarioRow({ name, expectation, verdict, played }: Run): readonly (string | number)[] {
  const roots = expectation.incidents.map(({ root }) => root).join('; ') || 'quiet';
  const seconds = verdict.told.map(({ seconds: after }) => (after === undefined ? '' : `${Math.round(after)} s`));
  const result = verdict.faults.join('; ') || 'as expected';
  return [
    name.slice(name.indexOf('/') + 1),
    expectation.recordedFrom,
    roots,
    played.messages.length,
    seconds.join(', '),
    result,
  ];
}

const scenarioTable = (runs: readonly Run[]): string =>
  table(['scenario', 'recorded from', 'root', 'messages', 'first after', 'result'], runs.map(scenarioRow));

const lineTable = table(
  ['lines', 'failing', 'read right', 'read wrongly', 'innocent, chosen to be hard', 'read as a cause'],
  lineSets.map((set) => {
    const { failing, innocent, right, wrong, accused } = sharesOf(set);
    return [set, failing, `${right} %`, `${wrong} %`, innocent, `${accused} %`];
  }),
);
const honestyTable = table(
  ['gate', 'what is wrong', 'wrong', 'stories', 'may be wrong today', 'aim'],
  (await gates('all')).map(({ key, what, stories, wrong, limit }) => [key, what, wrong.length, stories, limit, 0]),
);

const counts = scenarioSets.map((set) => `${setsOf(set).length} ${set}`).join(', ');
const text = `# Scorecard

<!-- Written by \`node test/scenarios/scorecard.ts\`. Do not edit. -->

What the replayed scenarios of \`test/scenarios\` say: ${counts}. A gate of the labelled, quiet and storm scenarios that is not met
fails \`make test\`. Held-out ones were labelled before anybody looked at the rules, and are scored here only: their misses are listed,
not tuned away.

"First message" counts from the first failing observation in the log (for what no object shows by itself: from when all of it was
there), waiting and settling included. "Cannot pass by itself" is what the catalogue calls conclusive and lets wait 20 s at most. It
leaves out what is expected only after more than 3 min, as its row waits for a count, a schedule or a time: nightly Jobs, Nodes that
boot, first starts.

Blind figures come first: the gates on scenarios that were labelled while rules were written show only that nothing gets worse.

Held out:

${heldOut.length > 0 ? figureTable([rightRoots(heldOut, 'held-out', 92), { ...rightRoots(byDefault, 'held-out', 92), name: 'the same without sight of Secrets, as installed by default' }, ...everyFault(heldOut), ...wordingFigures(heldOut)]) : noHeldOut}

Lines of logs, as people posted them and as products write them. The aim is 88 % right, 1 % wrong, 5 % of the innocent ones; where it is not
met, what is reached is the limit and only rises or falls to the better. "blind" was labelled before anybody looked at how it is read, and
nothing is tuned to it; "learned" is its other half.

${lineTable}

Generated stories, told from the one story that each causal rule has: a bystander who fails of his own (a panic, his memory, his variable, words that
nobody reads) before, with and after the trouble; suspects who did not do it; claims without their cause; and noise. **The aim of each is 0. A gate
that does not hold yet is a ratchet: today's number is the limit and may only fall.** \`make honesty\` lists the stories.

${honestyTable}

All that is labelled:

${figureTable(figuresOf(gated))}

## How sure it is, and how often that is right

${calibration([
  ['labelled and storms', setsOf('labelled', 'storm')],
  ['held-out', heldOut],
])}

## What is taken for what

${confusion(setsOf('labelled', 'storm', 'held-out'))}

## Time to the first message

${timeToFirst(setsOf('labelled', 'storm', 'held-out'))}

## What is known to be wrong

Labels stay as they are; these are what is to be done.

${table(['scenario', 'what is wrong'], Object.entries(knownMisses))}

${scenarioSets.map((set) => `## ${set}\n\n${setsOf(set).length > 0 ? scenarioTable(setsOf(set)) : 'None.'}`).join('\n\n')}
`;
console.log(text.slice(0, text.indexOf('\n## labelled')));
writeFileSync(new URL('../../docs/contributing/scorecard.md', import.meta.url), text);
