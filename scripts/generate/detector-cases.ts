/** `docs/contributing/detectors-cases.md`: what shows each detector at work, and which of them lack something. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProducedCase } from '../../test/e2e/produced/case.ts';
import { producedCases } from '../../test/e2e/produced/cases.ts';
import { type DetectorRow, detectorRows } from './detectors-page.ts';
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
  for (const file of globSync('**/*.test.ts', { cwd: folder }).sort())
    for (const { groups } of readFileSync(join(folder, file), 'utf8').matchAll(declared)) {
      const { rows = '', does = '' } = title.exec(groups?.text ?? '')?.groups ?? {};
      for (const row of rows.split(/,? /))
        for (const what of shown)
          if (does.includes(what)) count.set(`${row} ${what}`, (count.get(`${row} ${what}`) ?? 0) + 1);
    }
  return count;
}

const tests = countTests();
/** `W2, W3`: a detector of two rows. */
const idsOf = ({ id }: DetectorRow): readonly string[] => id.split(', ');
const testsOf = (row: DetectorRow, what: Shown): number =>
  idsOf(row).reduce((sum, id) => sum + (tests.get(`${id} ${what}`) ?? 0), 0);
const producedOf = ({ reasons }: DetectorRow): readonly ProducedCase[] =>
  produced.filter((each) => reasons.some(({ reason }) => reason === each.reason));

/** Rows without a test that they fire, stay quiet or clear, and cases of reasons that no detector states: what must not be. */
export function holesOfDetectors(): readonly string[] {
  const unshown = detectorRows.flatMap((row) =>
    shown
      .filter((what) => testsOf(row, what) === 0)
      .map((what) => `${row.id}: no test in test/detect is titled "${idsOf(row)[0]} ${what}: …"`),
  );
  const unknown = produced
    .filter((each) => !detectorRows.some((row) => producedOf(row).includes(each) && idsOf(row).includes(each.id)))
    .map(
      ({ id, reason }) => `${id}: a case in test/e2e/produced names ${reason}, which no detector of this row states`,
    );
  return [...new Set([...unshown, ...unknown])];
}

function line(row: DetectorRow): string {
  const counts = shown.map((what) => String(testsOf(row, what) || '**none**'));
  const cases = producedOf(row);
  const real = cases.length === 0 ? '' : String(cases.length);
  return `| ${[row.id, row.reasons.map(({ reason }) => reason).join(', '), row.edition, ...counts, real].join(' | ')} |`;
}

/** The page. */
export function detectorCasesPage(): string {
  const ids = (rows: readonly DetectorRow[]): number => new Set(rows.flatMap(idsOf)).size;
  const real = new Set(produced.map(({ id }) => id)).size;
  return `${[
    '# How each detector is tested',
    '',
    `<!-- ${mark} -->`,
    '',
    'Tests whose title says that a row fires, stays quiet or clears (`test/detect`), and cases in which real controllers, the real',
    'scheduler, admission and simulated kubelets bring the condition about and the finding appears (`test/e2e/produced`). A row that lacks',
    'one of the first three fails `make check`.',
    '',
    `${ids(detectorRows)} rows in ${detectorRows.length} detectors; ${real} rows are produced on a real control plane, in ${produced.length} cases.`,
    '',
    '| row | reasons | edition | fires | is quiet | clears | produced |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...detectorRows.toSorted(byRow).map(line),
  ].join('\n')}\n`;
}

/** `P2` before `P15`, in the order of the groups of the catalogue. */
function byRow(a: DetectorRow, b: DetectorRow): number {
  const groups = 'PWASTNGE';
  const at = ({ id }: DetectorRow): number => groups.indexOf(id.charAt(0)) * 1000 + Number.parseInt(id.slice(1), 10);
  return at(a) - at(b);
}
