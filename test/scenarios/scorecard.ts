/** Replays every scenario, prints the figures and writes docs/scorecard.md: `node test/scenarios/scorecard.ts`. */
import { writeFileSync } from 'node:fs';
import { type Figure, figuresOf, passes } from './kit/figures.ts';
import { type Run, run } from './kit/run.ts';
import { isRecorded, stories } from './kit/stories.ts';

const all = [...(await stories()).keys()].filter(isRecorded).map(run);
const runs = all.filter(({ set }) => set !== 'held-out');
const gateOf = ({ gate, unit }: Figure): string =>
  gate ? `${gate.is === 'at least' ? '≥' : '≤'} ${gate.limit}${unit && ` ${unit}`}` : '';
const verdictOf = (figure: Figure): string => (figure.gate ? (passes(figure) ? 'yes' : '**no**') : '');

function figureRow(figure: Figure): string {
  const { name, value, unit, because } = figure;
  return `| ${name} | ${value}${unit && ` ${unit}`} | ${gateOf(figure)} | ${verdictOf(figure)} | ${because.join(', ')} |`;
}

function scenarioRow({ name, expectation, verdict, played }: Run): string {
  const roots = expectation.incidents.map(({ root, reason }) => `${root} ${reason}`).join('; ') || 'quiet';
  const seconds = verdict.told.map(({ seconds: after }) => (after === undefined ? '' : `${Math.round(after)} s`));
  const cells = [name, expectation.recordedFrom, roots, played.messages.length, seconds.join(', ')];
  return `| ${[...cells, verdict.faults.join('; ') || 'as expected'].join(' | ')} |`;
}

const text = `# Scorecard

<!-- Written by \`node test/scenarios/scorecard.ts\`. Do not edit. -->

What the replayed scenarios of \`test/scenarios\` say. A gate that is not met fails \`make test\`. "First message" counts from
the first failing observation in the log, waiting and settling included.

| figure | value | gate | met | suffers from |
| --- | --- | --- | --- | --- |
${figuresOf(runs).map(figureRow).join('\n')}

| scenario | recorded from | root | messages | first after | result |
| --- | --- | --- | --- | --- | --- |
${runs.map(scenarioRow).join('\n')}
`;
console.log(text);
writeFileSync(new URL('../../docs/scorecard.md', import.meta.url), text);
