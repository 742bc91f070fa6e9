/** `docs/noticed/`: what Tocsin notices, for the people it notifies. By symptom, one chapter a reason, nothing that only its authors know. */
import { type Symptom, symptoms } from '../../src/detect/kit/symptom.ts';
import { type Chapter, chapters, type DetectorRow, detectorRows, idsOf } from './detector-rows.ts';
import { mark } from './mark.ts';

/** A page: symptoms that people look for in the same place. */
type NoticedPage = { readonly path: string; readonly title: string; readonly symptoms: readonly Symptom[] };

/** The pages, in the order of the index. */
export const noticed: readonly NoticedPage[] = [
  { path: 'docs/noticed/pods.md', title: 'Pods', symptoms: ['start', 'restart', 'ready', 'gone'] },
  {
    path: 'docs/noticed/workloads.md',
    title: 'Workloads, Jobs and scaling',
    symptoms: ['rollout', 'job', 'scaling'],
  },
  {
    path: 'docs/noticed/network.md',
    title: 'Services, traffic and certificates',
    symptoms: ['service', 'route', 'certificate'],
  },
  { path: 'docs/noticed/nodes.md', title: 'Nodes and storage', symptoms: ['node', 'storage'] },
  {
    path: 'docs/noticed/cluster.md',
    title: 'The cluster itself',
    symptoms: ['controlPlane', 'deletion', 'custom', 'events', 'alerts'],
  },
];

/** More kinds than this are counted, not named. */
const maxKindsNamed = 4;

/** Every page by its path. */
export function noticedPages(): readonly (readonly [path: string, text: string])[] {
  return noticed.map((page) => [page.path, pageText(page)] as const);
}

function pageText({ title, symptoms: own }: NoticedPage): string {
  const jumps = own.map((symptom) => `[${symptoms[symptom].title}](#${anchorOf(symptoms[symptom].title)})`);
  return `${[
    `<!-- ${mark} -->`,
    '',
    `# ${title}`,
    '',
    `${jumps.join(' · ')}`,
    '',
    'Under each reason: the object and its severity, when it becomes an incident, and what is left alone. It is over when that no longer holds, for as long as [detectors](../contributing/detectors.md) says.',
    '[How to mute one, and what a severity means](../messages.md#severity).',
    '',
    ...own.flatMap(symptomText),
  ]
    .join('\n')
    .trimEnd()}\n`;
}

function symptomText(symptom: Symptom): readonly string[] {
  const { title, about } = symptoms[symptom];
  const own = chapters.filter(({ rows: [first] }) => first.symptom === symptom);
  return [`## ${title}`, '', about, '', ...own.flatMap(chapterText)];
}

function chapterText({ reasons, rows }: Chapter): readonly string[] {
  return [`### ${reasons.join(', ')}`, '', ...casesOf(rows).flatMap((same) => [caseText(same), ''])];
}

/** Detectors that say the same of different kinds are one case. */
function casesOf(rows: readonly DetectorRow[]): readonly (readonly DetectorRow[])[] {
  const said = ({ predicate, isNot, clears, severity }: DetectorRow): string =>
    [severity, predicate, isNot, clears].join('\n');
  return [...Map.groupBy(rows, said).values()];
}

function caseText(rows: readonly DetectorRow[]): string {
  const [row] = rows;
  if (row === undefined) return '';
  const pro = row.edition === 'Pro' ? ' · Pro' : '';
  const kinds = [...new Set(rows.map(({ judges }) => judges))];
  const on = kinds.length > maxKindsNamed ? `${kinds.length} kinds` : kinds.join(', ');
  return `*${on} · ${row.severity}${pro}* · ${sentence(row.predicate)} **Left alone:** ${sentence(row.isNot)}`;
}

/** Reasons by the row that states them: people know no rows. */
const reasonOfRow: ReadonlyMap<string, string> = new Map(
  detectorRows.flatMap((row) => idsOf(row).map((id) => [id, `\`${row.reasons[0].reason}\``] as const)).toReversed(),
);

/** A clause of a declaration as a sentence, with reasons for the codes of rows. */
function sentence(clause: string, place: 'first' | 'within' = 'first'): string {
  const plain = clause.replaceAll(/\b[A-Z]\d+\b/g, (id) => reasonOfRow.get(id) ?? id);
  return `${place === 'first' ? plain.replace(/^[a-z]/, (letter) => letter.toUpperCase()) : plain}.`;
}

/** As forges make an anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');
