import type { Link, Notification } from '../../model/notification.ts';
import { arranged, type Parts } from './kit/arranged.ts';
import { clip } from './kit/clip.ts';
import { escapeHtml } from './kit/escape-html.ts';
import { headline, oneLine } from './kit/headline.ts';
import { labelLine, listLines, nextLines, sourceLine } from './kit/parts.ts';
import { signs, stateOf } from './kit/state.ts';
import { lastLines, truncate } from './kit/truncate.ts';

const [opening, closing] = ['<flockml>', '</flockml>'];
const lineBreak = '<br/>';

/** No limit is published; 4,000 characters were taken well. Bytes, with tags and entities. */
const maxBytes = 7_000;
const shown = ['title', 'lead', 'evidence', 'impact', 'list', 'log', 'next', 'facts', 'links'] as const;
const page = {
  shown,
  max: maxBytes - opening.length - closing.length,
  unit: 'bytes',
  gap: `${lineBreak}${lineBreak}`,
  lineBreak,
} as const;

const room = { title: 250, sentence: 600, sentences: 4, lines: 30, facts: 12, links: 4 };
const maxSentence = 400;
/** A title and the cluster behind it. */
const maxHeadline = 320;
const smallestLog = 40;

/** What XML 1.0 does not allow, written or escaped; one such character would make the document one that cannot be read. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const illegal = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** A cluster's text for Flock, in markup or not: nothing that XML does not allow, no mention, and no link of a bare address. */
export function quietForFlock(text: string): string {
  return text
    .toWellFormed()
    .replace(illegal, '')
    .replace(/@(?=\w)|:(?=\/\/)/g, '$&\u200b');
}

const say = (text: string, max = maxSentence): string =>
  truncate(quietForFlock(oneLine(text)), max, 'bytes', escapeHtml);
const bold = (markup: string): string => `<b>${markup}</b>`;

/** A notification as a FlockML document, which is strict XML. The log is cut first. Source: docs.flock.com, FlockML. */
export function flockml(notification: Notification): string {
  const told = clip(notification, room);
  return `${opening}${arranged(page, byImportance(told), ['log', (max) => logOf(told, max)])}${closing}`;
}

/** The lines of every part but the log; what comes last is cut first. */
function byImportance(told: Notification): Parts<(typeof shown)[number]> {
  const { lead, note, evidence, impact, list, facts, links } = told;
  const labels = told.incident === undefined ? [] : [say(labelLine(told))];
  return [
    ['title', [`${signs[stateOf(told)]} ${bold(say(headline(told, maxHeadline, 'utf16'), maxHeadline))}`]],
    ['lead', [say(lead, 1_000), ...(note === undefined ? [] : [`<i>(${say(note)})</i>`])]],
    ['impact', impact === undefined ? [] : [`${bold('Impact')}: ${say(impact)}`]],
    [
      'next',
      nextLines(
        told,
        (text) => say(text, 600),
        (text) => `${bold(text)}:`,
      ),
    ],
    ['links', links.length === 0 ? [] : [links.map(anchor).join(' · ')]],
    ['evidence', evidence.map((proof) => `• ${say(proof)}`)],
    ['list', listLines(list).map((line) => `• ${say(line, 300)}`)],
    ['facts', [...labels, ...facts.map(({ name, value }) => `${say(name, 60)}: ${say(value, 250)}`)]],
  ];
}

function logOf({ excerpt }: Notification, max: number): string {
  if (!excerpt) return '';
  const before = `${bold(say(sourceLine(excerpt), 200))}:${lineBreak}`;
  const lines = excerpt.lines.map((line) => quietForFlock(oneLine(line))).filter((line) => line !== '');
  // A line break takes more bytes here than the one it is counted as.
  const left = max - Buffer.byteLength(before) - lines.length * lineBreak.length;
  return left < smallestLog || lines.length === 0
    ? ''
    : `${before}${lastLines(lines, left, 'bytes', escapeHtml).replaceAll('\n', lineBreak)}`;
}

function anchor({ title, url }: Link): string {
  return `<a href="${escapeHtml(new URL(url).href)}">${say(title, 75)}</a>`;
}
