import type { Notification } from '../../model/notification.ts';
import { arranged, type Parts } from './kit/arranged.ts';
import { clip } from './kit/clip.ts';
import { headline } from './kit/headline.ts';
import { codeBlock, type Dialect, inlineCode, linkTo, maxFence, prose, strong } from './kit/markdown-text.ts';
import { isName, listLines, nextLines, originLine, sourceLine } from './kit/parts.ts';
import { signs, stateOf } from './kit/state.ts';
import { lengthIn } from './kit/truncate.ts';

export {
  backslashed,
  codeBlock,
  type Dialect,
  githubMarkdown,
  inlineCode,
  linkTo,
  prose,
} from './kit/markdown-text.ts';

/** What a message is made of, as it is shown from top to bottom. */
const shown = [
  ...(['title', 'lead', 'note', 'evidence', 'impact', 'list', 'excerpt', 'next'] as const),
  ...(['facts', 'where', 'links'] as const),
];
/** A part of a message. */
export type Part = (typeof shown)[number];

const room = { title: 300, sentence: 1_000, sentences: 5, lines: 40, facts: 20, links: 8 };
/** Between the parts. */
const gap = '\n\n';

/**
 * A notification as Markdown of a dialect, at most `dialect.max` long. Texts of the cluster are inert. When there is too much, the
 * excerpt is cut first, then facts and lists line by line, always with closed fences. `without`: what the product shows elsewhere.
 */
export function markdown(notification: Notification, dialect: Dialect, without: readonly Part[] = []): string {
  const told = clip(notification, room);
  const page = { ...dialect, gap, shown: shown.filter((part) => !without.includes(part)) };
  return arranged(page, byImportance(told, dialect), ['excerpt', (max) => excerptOf(told, { ...dialect, max })]);
}

/** The lines of every part but the excerpt; what comes last is cut first. */
function byImportance(told: Notification, dialect: Dialect): Parts<Part> {
  const { lead, note, evidence, impact, list, facts, links } = told;
  const max = Math.min(room.sentence, Math.floor(dialect.max / 8));
  const say = (text: string): string => prose(text, max, dialect);
  const asCode = (text: string): string => inlineCode(text, room.sentence, dialect);
  const item = (text: string): string => `${dialect.bullet}${text}`;
  // The cluster stands in the title, here or wherever the product shows it.
  const where = originLine({ ...told, cluster: '' });
  return [
    ['title', [titleLine(told, dialect)]],
    ['lead', [prose(lead, max * 2, dialect)]],
    ['note', note === undefined ? [] : [`(${say(note)})`]],
    ['impact', impact === undefined ? [] : [`${strong('Impact', dialect)}: ${say(impact)}`]],
    ['next', nextLines(told, asCode, (text) => `${strong(text, dialect)}:`)],
    ['links', links.length === 0 ? [] : [links.map((link) => linkTo(link, dialect)).join(' · ')]],
    ['where', where === '' ? [] : [say(where)]],
    ['evidence', evidence.map((proof) => item(say(proof)))],
    ['list', listLines(list).map((line) => item(prose(line, Math.min(max, 300), dialect)))],
    ['facts', facts.map(({ name, value }) => item(`${prose(name, 60, dialect)}: ${factValue(value, 200, dialect)}`))],
  ];
}

/** A name as code, prose as it is. */
export function factValue(value: string, max: number, dialect: Dialect): string {
  return isName(value) ? inlineCode(value, max, dialect) : prose(value, max, dialect);
}

/** A title with the cluster; UTF-16 units. */
const maxHeadline = 360;

/** The title with the cluster on a line of its own, with the sign of its severity: what lists and pop-ups show. */
export function titleLine(told: Notification, dialect: Dialect): string {
  const title = prose(
    headline(told, maxHeadline, 'utf16'),
    Math.min(maxHeadline, Math.floor(dialect.max / 8)),
    dialect,
  );
  if (title === '') return '';
  const sign = signs[stateOf(told)];
  return dialect.heading === '' ? `${sign} ${strong(title, dialect)}` : `${dialect.heading}${sign} ${title}`;
}

function excerptOf({ excerpt }: Notification, dialect: Dialect): string {
  if (!excerpt) return '';
  const [before, after] = aroundLog(excerpt, dialect);
  const block = codeBlock(excerpt.lines, dialect.max - lengthIn(dialect.unit, before + after), dialect);
  return block === '' ? '' : `${before}${block}${after}`;
}

const entities: Dialect['escapes'] = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '`': "'" };
/** Logs of more lines are folded where the product can do so. */
const unfolded = 6;

/** What stands before and after a log. */
function aroundLog(excerpt: NonNullable<Notification['excerpt']>, dialect: Dialect): readonly [string, string] {
  const say = (written: Dialect): string => prose(sourceLine(excerpt), 200, written);
  const fold = excerpt.lines.length > unfolded ? dialect.fold : undefined;
  // Within HTML nothing is read as Markdown, its escapes included, and a line that opens a fence holds no code.
  const { names: _asCode, ...apart } = dialect;
  if (fold === 'details')
    return [`<details><summary>${say({ ...apart, escapes: entities })}</summary>\n\n`, '\n\n</details>'];
  // A fence that is longer than any within: a log's own are shorter or taken apart.
  const fence = '`'.repeat(maxFence + 1);
  if (fold === 'spoiler') return [`${fence}spoiler ${say(apart)}\n`, `\n${fence}`];
  return [`${strong(say(dialect), dialect)}:${dialect.fence === 'none' ? '\n\n' : '\n'}`, ''];
}
