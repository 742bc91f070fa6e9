import { allFamilies, type Family, familyOf } from './family.ts';
import { confidenceOf, type Entry, entriesOf, percentile, round, share } from './figures.ts';
import { incidentOf } from './judge.ts';
import type { Run } from './run.ts';

/** A table in Markdown. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const rootOf = ({ messages: [first] }: Entry) => first && incidentOf(first)?.root;

/** How often each confidence was right: whether what is called high may be believed. */
export function calibration(sets: readonly (readonly [name: string, runs: readonly Run[]])[]): string {
  const rows = sets.flatMap(([name, runs]) =>
    (['high', 'likely', 'unknown'] as const).map((confidence) => {
      const own = entriesOf(runs).filter((entry) => confidenceOf(entry) === confidence);
      const right = own.filter(({ expected }) => expected).length;
      return [name, confidence, own.length, right, own.length === 0 ? '' : `${share(right, own.length)} %`];
    }),
  );
  return table(['set', 'confidence of the first message', 'incidents', 'root right', 'share'], rows);
}

/** Expected incidents by the family of their root, and the family of what was told instead. */
export function confusion(runs: readonly Run[]): string {
  const counts = new Map<string, number>();
  const count = (expected: Family, told: Family | 'not told'): void => {
    const key = `${expected} ${told}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  };
  for (const { expectation, verdict } of runs) {
    const others = verdict.told.filter(({ expected }) => !expected);
    for (const expected of expectation.incidents) {
      const own = verdict.told.find((one) => one.expected === expected) ?? others[0];
      const root = own && rootOf({ ...own, name: '' });
      count(familyOf(expected.root), root === undefined ? 'not told' : familyOf(root));
    }
  }
  const columns = [...allFamilies, 'not told'] as const;
  const rows = allFamilies
    .map((expected) => [expected, ...columns.map((told) => counts.get(`${expected} ${told}`) ?? '')])
    .filter((row) => row.some((cell) => typeof cell === 'number'));
  return table(['expected, below; told, right', ...columns], rows);
}

/** Seconds to the first message, by the family of the root and by severity. */
export function timeToFirst(runs: readonly Run[]): string {
  const told = entriesOf(runs).filter(({ expected }) => expected);
  const familyIn = (entry: Entry): Family => familyOf(entry.expected?.root ?? 'Pod//none');
  const severityIn = ({ messages: [first] }: Entry): string => first?.notification.severity ?? '';
  const row = (name: string, own: readonly Entry[]): readonly (string | number)[] => {
    const seconds = own.flatMap(({ seconds: value }) => (value === undefined ? [] : [value]));
    const at = (percent: number): string => (seconds.length === 0 ? '' : `${round(percentile(seconds, percent))} s`);
    return [name, seconds.length, at(50), at(95), at(100)];
  };
  return table(
    ['root or severity', 'incidents', 'p50', 'p95', 'longest'],
    [
      ...allFamilies.map((family) =>
        row(
          family,
          told.filter((entry) => familyIn(entry) === family),
        ),
      ),
      ...['critical', 'high', 'medium'].map((severity) =>
        row(
          severity,
          told.filter((entry) => severityIn(entry) === severity),
        ),
      ),
    ].filter(([, count]) => count !== 0),
  );
}
