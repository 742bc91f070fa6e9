import type { Link } from '../../../model/notification.ts';
import { tapped, writeNames } from './names.ts';
import { lastLines, lengthIn, truncate, type Unit } from './truncate.ts';

/** How a product writes Markdown, as data: a product is one such table. */
export type Dialect = {
  /** The most a whole text may be, and what the product counts in. */
  readonly max: number;
  readonly unit: Unit;
  /** What stands on both sides of bold text; `''` where there is none. */
  readonly bold: string;
  /** What stands before a title (`### `); `''` makes it a line of bold text. */
  readonly heading: string;
  /** What stands before an item of a list. */
  readonly bullet: string;
  /** What ends a line within a paragraph: two spaces before the line feed where a single one is taken for a space. */
  readonly lineBreak: string;
  /** Whether there is code between backticks within a line. Nothing is interpreted inside. */
  readonly code: boolean;
  /** Blocks of code: absent, closed by the first three backticks, or by a fence as long as the one that opened it. */
  readonly fence: 'none' | 'three' | 'longer';
  /** How a log is folded, where the product can: HTML's `<details>`, or a block of its own around it (Zulip). */
  readonly fold?: 'details' | 'spoiler';
  /** What follows an opening fence: a language, where the product would guess one. */
  readonly fenceInfo: string;
  /** `[title](url)`, `<url|title>` or `title: url`. */
  readonly links: 'inline' | 'angle' | 'bare';
  /** Whether the product makes a link of a bare `host.example`. */
  readonly linksNames: boolean;
  /**
   * What stands around such a name or an address within a sentence, where nothing is interpreted inside: then no link is made of it, and
   * it is copied as it is. Absent, it is taken apart.
   */
  readonly names?: readonly [opening: string, closing: string];
  /** Character → how it is written to mean nothing. Brackets need none: what would make a link of them is taken apart. */
  readonly escapes: Readonly<Record<string, string>>;
  /** The same within code, for products where nothing is known to be safe there; absent, code holds what it is given. */
  readonly escapesInCode?: Readonly<Record<string, string>>;
  /** What would begin a mention or reference besides `@` and `#`: a zero-width space follows each match. Global. */
  readonly silence?: RegExp;
  /** The same within code, for what the product looks for even there. Global. */
  readonly silenceInCode?: RegExp;
  /** Rewrites the times in a text, already escaped, where the product shows them in the zone of whoever reads. */
  readonly times?: (text: string) => string;
};

/** Each of the characters behind a backslash. */
export function backslashed(characters: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...characters].map((character) => [character, `\\${character}`]));
}

/** CommonMark with the extensions of GitHub, the base of other dialects. Body and comment hold 65,536 characters there, some counted twice. */
export const githubMarkdown: Dialect = {
  max: 60_000,
  unit: 'utf16',
  bold: '**',
  heading: '',
  bullet: '- ',
  lineBreak: '\n',
  code: true,
  fence: 'longer',
  fenceInfo: '',
  links: 'inline',
  linksNames: false,
  escapes: backslashed('\\`*_<>~|'),
};

const gap = '\u200b';
/** Mentions (but no digest of an image, `app@sha256:…`), references, entities, links and what makes a link of a bare address, in any dialect. */
const sigils = /@(?!sha\d{3}:)|#|&(?=#?\w{1,32};)|\](?=[([:]|$)|:(?=\/\/)|www(?=\.)/gi;
/** A dot within a name. */
const dots = /(?<=[\p{L}\p{N}_-])\.(?=\p{L})/gu;
/** What makes a list, a rule, a heading or a command of a line that begins so. */
const lineStart = /^(?=[-+=/>]|\d{1,9}[.)])/;
/** The longest run of backticks that text keeps where a fence can be longer. */
const maxRun = 8;
/** The longest fence there is. */
export const maxFence = maxRun + 1;

const silenced = (text: string, pattern: RegExp | undefined): string =>
  pattern ? text.replace(pattern, `$&${gap}`) : text;
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** A text of the cluster as one line, at most `max` as it is written: no markup, mention, link or reference is left of it. */
export function prose(text: string, max: number, dialect: Dialect): string {
  const { unit, linksNames, names, escapes, silence, times = (part) => part } = dialect;
  const apart = (part: string): string => [sigils, silence, linksNames ? dots : undefined].reduce(silenced, part);
  const escaped = (part: string): string =>
    times(part.replace(/[^A-Za-z0-9\s]/g, (character) => escapes[character] ?? character));
  const found = linksNames ? tapped.names : tapped.addresses;
  const line = oneLine(text);
  if (!names) return truncate(apart(line).replace(lineStart, gap), max, unit, escaped);
  const quiet = writeNames(line, found, { name: (name) => name, rest: apart }).replace(lineStart, gap);
  const [opening, closing] = names;
  return truncate(quiet, max, unit, (part) =>
    writeNames(part, found, { name: (name) => `${opening}${name}${closing}`, rest: escaped }),
  );
}

/** A text of the cluster as code within a line, so that it can be copied as it is; as prose where there is no such code. */
export function inlineCode(text: string, max: number, dialect: Dialect): string {
  if (!dialect.code) return prose(text, max, dialect);
  // There is no way to write a backtick that all products understand.
  const plain = silenced(oneLine(text).replaceAll('`', "'"), dialect.silenceInCode);
  const { escapesInCode } = dialect;
  const write = (part: string): string => part.replace(/[<*]/g, (character) => escapesInCode?.[character] ?? character);
  const inside = truncate(plain, max - 2, dialect.unit, write);
  return inside === '' ? '' : `\`${inside}\``;
}

/** Bold, where there is such a thing. `text` is markup already. */
export function strong(text: string, { bold }: Dialect): string {
  return text === '' ? '' : `${bold}${text}${bold}`;
}

/** The last lines of a log as one block of code, at most `max` with its fences; as a quotation where there are no fences. */
export function codeBlock(lines: readonly string[], max: number, dialect: Dialect): string {
  const { unit, fence, fenceInfo, silenceInCode } = dialect;
  const whole = lines.flatMap((line) => line.split(/\r\n?|\n/));
  if (fence === 'none') return quotation(whole, max, dialect);
  const longest = new RegExp(`\`{${fence === 'three' ? 2 : maxRun}}(?=\`)`, 'g');
  const inert = whole.map((line) => silenced(silenced(line, longest), silenceInCode));
  const runs = inert.flatMap((line) => line.match(/`+/g) ?? []).map(({ length }) => length);
  const mark = '`'.repeat(Math.max(3, 1 + Math.max(0, ...runs)));
  const [opening, closing] = [`${mark}${fenceInfo}\n`, `\n${mark}`];
  const room = max - lengthIn(unit, opening + closing);
  return room < smallestLog ? '' : `${opening}${lastLines(inert, room, unit)}${closing}`;
}

/** Less of a log than this tells nothing. */
const smallestLog = 20;
/** A line of a quotation is cut here: it cannot be scrolled. */
const maxQuotedLine = 300;

function quotation(lines: readonly string[], max: number, dialect: Dialect): string {
  const { unit, lineBreak } = dialect;
  const kept: string[] = [];
  let left = max;
  for (const line of lines.toReversed()) {
    const quoted = `> ${inlineCode(line, Math.min(maxQuotedLine, left - 2), dialect)}`;
    left -= lengthIn(unit, quoted) + lengthIn(unit, lineBreak);
    if (left < 0) break;
    kept.unshift(quoted);
  }
  return kept.join(lineBreak);
}

/** A link of our own: its address can end neither itself nor the markup around it. */
export function linkTo({ title, url }: Link, dialect: Dialect): string {
  const { origin, pathname, search, hash } = new URL(url);
  const path = `${pathname}${search}${hash}`.replace(
    /[()<>[\]|\\`*"^{}]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const address = `${origin}${path}`;
  const label = prose(title.replaceAll('[', '(').replaceAll(']', ')'), 80, dialect);
  if (dialect.links === 'inline') return `[${label}](${address})`;
  return dialect.links === 'angle' ? `<${address}|${label}>` : `${label}: ${address}`;
}
