/** `docs/detectors.md`: every detector from its own declaration, by what people notice. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { detectors } from '../../src/detect/catalogue.ts';
import type { Declaration } from '../../src/detect/detector.ts';
import { type ExemptionName, exemptions } from '../../src/detect/exemptions.ts';
import { namedDetectors } from '../../src/detect/named.ts';
import { type Symptom, symptoms } from '../../src/detect/symptom.ts';
import { mark } from './mark.ts';

const openings = join(import.meta.dirname, '../../test/message/golden/open');

/** A detector as the page needs it. */
export type DetectorRow = Declaration & { readonly judges: string; readonly exemptions?: readonly ExemptionName[] };

/** Every detector, those of what findings name last. */
export const detectorRows: readonly DetectorRow[] = [...detectors, ...namedDetectors];

const reasonsOf = ({ reasons }: Declaration): string => reasons.map(({ reason }) => reason).join(', ');
const isSymptom = (text: string): text is Symptom => Object.hasOwn(symptoms, text);
/** As GitHub makes an anchor of a heading. */
const anchor = (heading: string): string =>
  `#${heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-')}`;

/** The title and the first sentence of the message that tests keep of a reason: what people read. */
function looksLike({ reasons: [{ reason }] }: Declaration): readonly string[] {
  const file = join(openings, `${reason}.txt`);
  if (!existsSync(file)) return [];
  const [title = '', , sentence = ''] = readFileSync(file, 'utf8').split('\n');
  return [`> **${title}**<br>`, `> ${sentence.replaceAll('<', '\\<')}`, ''];
}

function heldBack({ exemptions: names = [] }: DetectorRow): string {
  return names.length === 0
    ? ''
    : ` [Held back](#what-holds-a-detector-back) by ${names.map((name) => exemptions[name].id).join(', ')}.`;
}

function section(row: DetectorRow): readonly string[] {
  const settles = row.settle === 'conclusive' ? 'it does not pass by itself' : 'it may pass by itself';
  return [
    `### ${reasonsOf(row)}`,
    '',
    ...looksLike(row),
    `- **Found** on a ${row.judges} when ${row.predicate}.`,
    `- **Over** when ${row.clears}.`,
    `- **Waits:** ${row.patience}.`,
    `- **Not:** ${row.isNot}.${heldBack(row)}`,
    `- **Severity** ${row.severity}; ${settles}. **Edition** ${row.edition}. **Row** ${row.id}.`,
    `- **Mute** with \`reasons: [${reasonsOf(row)}]\`.`,
    `- **Source** ${row.source}.`,
    '',
  ];
}

function chapter(symptom: Symptom): readonly string[] {
  const rows = detectorRows.filter((row) => row.symptom === symptom);
  if (rows.length === 0) return [];
  const { title, about } = symptoms[symptom];
  const contents = rows.map((row) => `[${reasonsOf(row)}](${anchor(reasonsOf(row))})`);
  return [`## ${title}`, '', about, '', contents.join(' · '), '', ...rows.flatMap(section)];
}

/** The page. */
export function detectorsPage(): string {
  const told = Object.keys(symptoms).filter(isSymptom);
  const used = told.filter((symptom) => detectorRows.some((row) => row.symptom === symptom));
  return `${[
    '# Detectors',
    '',
    `<!-- ${mark} -->`,
    '',
    'What Tocsin notices, by what you see. Each entry begins with a message as people get it, made by its test, and says how long is',
    'waited before it is told and why, what looks alike and is left alone, and how to mute it.',
    '',
    ...used.map((symptom) => `- [${symptoms[symptom].title}](${anchor(symptoms[symptom].title)})`),
    '- [What holds a detector back](#what-holds-a-detector-back)',
    '- [How to mute one](#how-to-mute-one)',
    '',
    'How each is tested, and which of them are shown on a real control plane: [detectors-cases.md](contributing/detectors-cases.md).',
    '',
    ...used.flatMap(chapter),
    '## What holds a detector back',
    '',
    'Shared by all detectors, so that every one is patient with the same things.',
    '',
    '| exemption | nothing is judged while |',
    '| --- | --- |',
    ...Object.values(exemptions).map(({ id, says }) => `| ${id} | ${says.replaceAll('|', '\\|')} |`),
    '',
    '## How to mute one',
    '',
    'A Silence names the reason, and mostly a namespace or a name besides. It ends by itself, and what still fails then is told.',
    '',
    '```yaml',
    'apiVersion: tocsin.dev/v1alpha1',
    'kind: Silence',
    'metadata: { name: known-trouble, namespace: tocsin }',
    'spec:',
    '  selector: { reasons: [PodNotReady], namespaces: [staging] }',
    '  durationSeconds: 86400',
    '  comment: slow test database, until Friday',
    '```',
    '',
    'For good, `spec.detection.overrides` of the [AlertConfig](reference/alertconfig.md) gives what a selector of the same form matches',
    'another severity or a longer wait, and a provider is sent only what its routes take: [routing.md](routing.md).',
    '',
    '## What a severity here is',
    '',
    'It is the severity of the finding alone. The severity of the incident is a matter of its impact: raised when users lose',
    'a service, lowered when the workload has all but a few of its replicas.',
  ].join('\n')}\n`;
}
