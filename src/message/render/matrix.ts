import type { Link, Notification } from '../../model/notification.ts';
import { arranged, type Parts } from './kit/arranged.ts';
import { clip } from './kit/clip.ts';
import { escapeHtml } from './kit/escape-html.ts';
import { fitted } from './kit/fitted.ts';
import { headline, oneLine } from './kit/headline.ts';
import { isName, listLines, nextLines, originLine, sourceLine } from './kit/parts.ts';
import { colours, signs, stateOf } from './kit/state.ts';
import { lastLines, lengthIn, truncate } from './kit/truncate.ts';
import { type Dialect, githubMarkdown, prose } from './markdown.ts';

/** What an `m.room.message` shows: plain text for notifications, HTML for rooms. */
export type MatrixContent = {
  readonly body: string;
  readonly format: 'org.matrix.custom.html';
  readonly formatted_body: string;
};

/** An event holds 65,536 bytes of JSON, in which a text can take twice its length; an edit carries little more than the new one. */
const maxBytes = { body: 8_000, html: 14_000 };
const room = { title: 300, sentence: 1_000, sentences: 5, lines: 40, facts: 12, links: 6 };
/** A block has room below it as it is. */
const afterLog = /<\/pre>(?:<br>)+/;
/** Bytes of a sentence, as it is written. */
const maxSentence = 1_000;
/** Less of a log than this tells nothing; bytes. */
const smallestLog = 40;

const shown = ['head', 'evidence', 'impact', 'list', 'log', 'next', 'facts', 'where', 'links'] as const;
type Part = (typeof shown)[number];
const page = { shown, max: maxBytes.html, unit: 'bytes', gap: '<br><br>', lineBreak: '<br>' } as const;

/** HTML in place of Markdown's escapes: clients look through texts for names, rooms and addresses. */
const dialect: Dialect = {
  ...githubMarkdown,
  unit: 'bytes',
  linksNames: true,
  names: ['<code>', '</code>'],
  escapes: { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' },
};
const say = (text: string, max = maxSentence): string => prose(text, max, dialect);
const code = (text: string, max: number): string => `<code>${truncate(oneLine(text), max, 'bytes', escapeHtml)}</code>`;
const bold = (html: string): string => `<strong>${html}</strong>`;

/** A notification as plain text and as HTML of the tags that the specification allows. The log is cut first. */
export function matrixContent(notification: Notification): MatrixContent {
  const told = clip(notification, room);
  return {
    body: fitted(notification, { max: maxBytes.body, unit: 'bytes' }),
    format: 'org.matrix.custom.html',
    formatted_body: arranged(page, byImportance(told), ['log', (max) => logOf(told, max)]).replace(afterLog, '</pre>'),
  };
}

/** The lines of every part but the log; what comes last is cut first. */
function byImportance(told: Notification): Parts<Part> {
  const { lead, note, evidence, impact, list, facts, links } = told;
  const state = stateOf(told);
  const where = originLine({ ...told, cluster: '' });
  return [
    [
      'head',
      [
        `${signs[state]} ${bold(`<span data-mx-color="${colours[state]}">${say(headline(told, 360, 'utf16'))}</span>`)}`,
        say(lead, 2 * maxSentence),
        ...(note === undefined ? [] : [`<em>(${say(note)})</em>`]),
      ],
    ],
    ['impact', impact === undefined ? [] : [`${bold('Impact')}: ${say(impact)}`]],
    [
      'next',
      nextLines(
        told,
        (text) => code(text, maxSentence),
        (text) => `${bold(text)}:`,
      ),
    ],
    ['links', links.length === 0 ? [] : [links.map(linkOf).join(' · ')]],
    ['where', where === '' ? [] : [say(where)]],
    ['evidence', evidence.map((proof) => `• ${say(proof)}`)],
    ['list', listLines(list).map((line) => `• ${say(line, 400)}`)],
    [
      'facts',
      facts.map(({ name, value }) => `${say(name, 100)}: ${isName(value) ? code(value, 300) : say(value, 300)}`),
    ],
  ];
}

const linkOf = ({ title, url }: Link): string => `<a href="${escapeHtml(new URL(url).href)}">${say(title, 120)}</a>`;

function logOf({ excerpt }: Notification, max: number): string {
  if (!excerpt) return '';
  const [opening, closing] = [`${bold(say(sourceLine(excerpt), 300))}:<pre><code>`, '</code></pre>'];
  const left = max - lengthIn('bytes', opening + closing);
  return left < smallestLog ? '' : `${opening}${lastLines(excerpt.lines, left, 'bytes', escapeHtml)}${closing}`;
}
