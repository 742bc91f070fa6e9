/** `docs/contributing/detectors.md`: what each detector goes by, what shows it at work, and which of them lack something. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { declaredReasons } from '../../src/detect/catalogue.ts';
import { exemptions } from '../../src/detect/kit/exemptions.ts';
import { reasonCases } from '../../test/detect/reason-cases.ts';
import type { ProducedCase } from '../../test/e2e/produced/case.ts';
import { producedCases } from '../../test/e2e/produced/cases.ts';
import { toldReasons } from '../../test/message/reasons.ts';
import { type DetectorRow, detectorRows, idsOf } from './detector-rows.ts';
import { mark } from './mark.ts';

/** What every row is shown to do. */
const shown = ['fires', 'is quiet', 'clears'] as const;
type Shown = (typeof shown)[number];

/** `P15 W3 fires, is quiet and clears: …`: rows, and what a test shows of them. */
const title = /^(?<rows>[A-Z]\d+[a-z]?(?:,? [A-Z]\d+[a-z]?)*) (?<does>(?:(?:, | and )?(?:fires|is quiet|clears))+): /;
/** The title of a test, in its file. */
const declared = /^ *test\(\s*(?<quote>['"`])(?<text>(?:\\.|(?!\k<quote>).)*)\k<quote>/gm;

const folder = join(import.meta.dirname, '../../test/detect');
const produced: readonly ProducedCase[] = await producedCases();

/** How many tests show each thing of each row: `P15 fires` → 3. */
function countTests(): ReadonlyMap<string, number> {
  const count = new Map<string, number>();
  const add = (row: string, what: Shown, more: number): void =>
    void count.set(`${row} ${what}`, (count.get(`${row} ${what}`) ?? 0) + more);
  for (const file of globSync('**/*.test.ts', { cwd: folder }).sort())
    for (const { groups } of readFileSync(join(folder, file), 'utf8').matchAll(declared)) {
      const { rows = '', does = '' } = title.exec(groups?.text ?? '')?.groups ?? {};
      for (const row of rows.split(/,? /)) for (const what of shown) if (does.includes(what)) add(row, what, 1);
    }
  for (const { id, fires, quiet, clears } of reasonCases.values()) {
    add(id, 'fires', Object.keys(fires).length);
    add(id, 'is quiet', Object.keys(quiet).length);
    add(id, 'clears', Object.keys(clears).length);
  }
  return count;
}

const tests = countTests();
const testsOf = (row: DetectorRow, what: Shown): number =>
  idsOf(row).reduce((sum, id) => sum + (tests.get(`${id} ${what}`) ?? 0), 0);
const producedOf = ({ reasons }: DetectorRow): readonly ProducedCase[] =>
  produced.filter((each) => reasons.some(({ reason }) => reason === each.reason));

/** Rows without a test that they fire, stay quiet or clear, reasons that no story tells, and cases of reasons that no detector states: what must not be. */
export function holesOfDetectors(): readonly string[] {
  const unshown = detectorRows.flatMap((row) =>
    shown
      .filter((what) => testsOf(row, what) === 0)
      .map(
        (what) =>
          `detector ${row.id}: no test in test/detect is titled "${idsOf(row)[0]} ${what}: …", and no file of test/detect/cases shows it`,
      ),
  );
  const told: Readonly<Record<string, unknown>> = { ...toldReasons, ...Object.fromEntries(reasonCases) };
  const untold = declaredReasons()
    .filter(({ reason }) => !(reason in told))
    .map(({ reason }) => `reason ${reason}: no story tells it; write test/detect/cases/${reason}.ts`);
  const unknown = produced
    .filter((each) => !detectorRows.some((row) => producedOf(row).includes(each) && idsOf(row).includes(each.id)))
    .map(
      ({ id, reason }) =>
        `detector ${id}: a case in test/e2e/produced names ${reason}, which no detector of this row states`,
    );
  return [...new Set([...unshown, ...untold, ...unknown])];
}

/** Detectors that differ in the kind that they judge alone are one entry. */
function entries(): readonly (readonly [DetectorRow, ...DetectorRow[]])[] {
  const alike = ({ id, reasons, clears, patience, source }: DetectorRow): string =>
    JSON.stringify([id, reasons, clears, patience, source]);
  const groups = Map.groupBy(detectorRows.toSorted(byRow), alike);
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [[first, ...others] as const],
  );
}

function entry(rows: readonly [DetectorRow, ...DetectorRow[]]): readonly string[] {
  const [row] = rows;
  const kinds = [...new Set(rows.map(({ judges }) => judges))];
  const exempt = (row.exemptions ?? []).map((name) => exemptions[name].id);
  const settles = row.settle === 'conclusive' ? 'conclusive' : 'may pass by itself';
  const counts = shown.map((what) => `${what} ${testsOf(row, what) || '**none**'}`);
  const cases = producedOf(row).length;
  return [
    `### ${row.id}: ${row.reasons.map(({ reason }) => reason).join(', ')}`,
    '',
    `- On ${kinds.join(', ')}; ${row.severity}, ${settles}; ${row.edition ?? 'Community'}.`,
    `- Over when ${row.clears}.`,
    `- Waits: ${row.patience}.`,
    ...(exempt.length === 0 ? [] : [`- Held back by ${exempt.join(', ')}.`]),
    `- Goes by: ${row.source}.`,
    `- Tests: ${counts.join(', ')}${cases === 0 ? '' : `; produced ${cases}`}.`,
    '',
  ];
}

/** The page. */
export function detectorCasesPage(): string {
  const ids = (rows: readonly DetectorRow[]): number => new Set(rows.flatMap(idsOf)).size;
  const real = new Set(produced.map(({ id }) => id)).size;
  return `${[
    '# Detectors: what they go by, and their tests',
    '',
    `<!-- ${mark} -->`,
    '',
    'What a detector finds, and what it leaves alone, is on the pages for users ([by symptom](../README.md#by-symptom)). Here is the rest of its',
    'declaration: when a finding is over, why it waits that long, the fields it goes by, and the tests.',
    '',
    'Tests are counted by their titles, which say that a row fires, stays quiet or clears (`test/detect`), or by the stories of a reason (`test/detect/cases`). *Produced* are the cases in which real',
    'controllers, the real scheduler, admission and simulated kubelets bring the condition about (`test/e2e/produced`). A row that lacks one of the',
    'first three fails `make check`.',
    '',
    `${ids(detectorRows)} rows in ${detectorRows.length} detectors; ${real} rows are produced on a real control plane, in ${produced.length} cases.`,
    '',
    '## What holds a detector back',
    '',
    '| exemption | nothing is judged while |',
    '| --- | --- |',
    ...Object.values(exemptions).map(({ id, says }) => `| ${id} | ${says.replaceAll('|', '\\|')} |`),
    '',
    '## Rows',
    '',
    ...entries().flatMap(entry),
  ]
    .join('\n')
    .trimEnd()}\n`;
}

/** `P2` before `P15`, in the order of the groups of the catalogue. */
function byRow(a: DetectorRow, b: DetectorRow): number {
  const groups = 'PWASTNGE';
  const at = ({ id }: DetectorRow): number => groups.indexOf(id.charAt(0)) * 1000 + Number.parseInt(id.slice(1), 10);
  return at(a) - at(b);
}
