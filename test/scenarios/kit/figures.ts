import type { Severity } from '../../../src/model/severity.ts';
import { firstMessageSeconds } from './judge.ts';
import type { Run } from './run.ts';

/** One figure of the scorecard, with the gate it is held to where it has one. */
export type Figure = {
  readonly name: string;
  readonly value: number;
  readonly unit: '%' | 's' | '';
  readonly gate?: { readonly is: 'at least' | 'at most'; readonly limit: number };
  /** Scenarios that it suffers from. */
  readonly because: readonly string[];
};

/** Whether a figure passes its gate. */
export function passes({ value, gate }: Figure): boolean {
  if (!gate) return true;
  return gate.is === 'at least' ? value >= gate.limit : value <= gate.limit;
}

/** The smallest value that so many percent of all do not exceed; 0 of none. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? 0;
}

/** Severities whose first message has a gate. */
const gated: ReadonlySet<Severity> = new Set(['critical', 'high']);

const round = (value: number): number => Math.round(value * 10) / 10;
const share = (part: number, all: number): number => (all === 0 ? 0 : round((100 * part) / all));

/** The figures of the labelled and the quiet scenarios. */
export function figuresOf(runs: readonly Run[]): readonly Figure[] {
  const labelled = runs.filter(({ set }) => set !== 'quiet');
  const quiet = runs.filter(({ set }) => set === 'quiet');
  const expected = labelled.flatMap(({ expectation }) => expectation.incidents);
  const told = labelled.flatMap(({ name, verdict }) => verdict.told.map((one) => ({ name, ...one })));
  const missing = labelled.filter(({ verdict }) => verdict.missed.length > 0);
  const missed = missing.reduce((sum, { verdict }) => sum + verdict.missed.length, 0);
  const counts = told.map(({ messages }) => messages.length);
  const named = (is: (run: Run) => boolean): string[] => runs.filter(is).map(({ name }) => name);
  const sum = (of: (run: Run) => number): number => runs.reduce((total, run) => total + of(run), 0);

  /** Time to the first message of the incidents that were announced so. */
  function delay(severity: Severity): Figure {
    const own = told.filter(({ messages: [first] }) => first?.notification.severity === severity);
    const limit = firstMessageSeconds[severity];
    return {
      name: `first message, ${severity}, p95 of ${own.length}`,
      value: round(
        percentile(
          own.map(({ seconds = 0 }) => seconds),
          95,
        ),
      ),
      unit: 's',
      ...(gated.has(severity) && own.length > 0 && { gate: { is: 'at most' as const, limit } }),
      because: own.filter(({ seconds = 0 }) => seconds > limit).map(({ name }) => name),
    };
  }

  const wrong = sum(({ verdict }) => verdict.wrongAndSure);
  return [
    {
      ...{ name: `correct root, ${expected.length} incidents of ${labelled.length} labelled scenarios`, unit: '%' },
      value: share(expected.length - missed, expected.length),
      gate: { is: 'at least', limit: 98 },
      because: missing.map(({ name }) => name),
    },
    {
      ...{ name: 'wrong root stated with high confidence', unit: '%', value: share(wrong, told.length) },
      gate: { is: 'at most', limit: 2 },
      because: named(({ verdict }) => verdict.wrongAndSure > 0),
    },
    {
      ...{ name: `notifications from ${quiet.length} non-events`, unit: '' },
      value: quiet.reduce((total, { played }) => total + played.messages.length, 0),
      gate: { is: 'at most', limit: 0 },
      because: quiet.filter(({ played }) => played.messages.length > 0).map(({ name }) => name),
    },
    {
      ...{ name: 'messages per incident, p95', unit: '', value: percentile(counts, 95) },
      gate: { is: 'at most', limit: 2 },
      because: told.filter(({ messages }) => messages.length > 2).map(({ name }) => name),
    },
    {
      ...{ name: 'messages per incident, most', unit: '', value: Math.max(0, ...counts) },
      gate: { is: 'at most', limit: 4 },
      because: told.filter(({ messages }) => messages.length > 4).map(({ name }) => name),
    },
    ...(['critical', 'high', 'medium'] as const).map(delay),
    {
      ...{ name: 'announced again while open', unit: '', value: sum(({ verdict }) => verdict.reannouncements) },
      gate: { is: 'at most', limit: 0 },
      because: named(({ verdict }) => verdict.reannouncements > 0),
    },
    {
      ...{ name: 'updates that say nothing new', unit: '', value: sum(({ verdict }) => verdict.unchangedUpdates) },
      gate: { is: 'at most', limit: 0 },
      because: named(({ verdict }) => verdict.unchangedUpdates > 0),
    },
  ];
}
