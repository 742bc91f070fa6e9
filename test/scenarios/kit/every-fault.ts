import { type Figure, share } from './figures.ts';
import type { Run } from './run.ts';

/** Kinds of faults, each by words of its sentence. That a sentence is false no machine can tell: people read for it. */
const kinds: Readonly<Record<string, RegExp>> = {
  'with a message too many': /is not expected$|\d+ × /,
  'told as several incidents': /told as \d+ incidents/,
  'told late, or before anything failed': /first message after|told before anything failed/,
  'with an innocent blamed, or another cause later': /is blamed and innocent|a later message says/,
  'with another reason or severity': /: reason |: severity /,
  'with summaries, updates or repetitions that are too many': /summaries, expected|say nothing new|announced again/,
};

/** Shares of scenarios with a fault, of any kind and of each: a right root alone is not a story that is told well. */
export function everyFault(runs: readonly Run[]): readonly Figure[] {
  const figure = (name: string, faulty: readonly Run[]): Figure => ({
    ...{ key: name, name, unit: '%', value: share(faulty.length, runs.length) },
    because: faulty.map((run) => run.name),
  });
  return [
    figure(
      `scenarios with any fault, of ${runs.length}`,
      runs.filter(({ verdict }) => verdict.faults.length > 0),
    ),
    ...Object.entries(kinds).map(([name, words]) =>
      figure(
        name,
        runs.filter(({ verdict }) => verdict.faults.some((fault) => words.test(fault))),
      ),
    ),
  ];
}
