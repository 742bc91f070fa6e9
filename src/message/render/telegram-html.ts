import type { Link, Notification } from '../../model/notification.ts';
import type { Button } from '../../model/press.ts';
import { arranged, type Parts } from './kit/arranged.ts';
import { clip } from './kit/clip.ts';
import { escapeHtml } from './kit/escape-html.ts';
import { headline, oneLine } from './kit/headline.ts';
import { writeNames } from './kit/names.ts';
import { isName, listLines, nextLines, originLine, sourceLine } from './kit/parts.ts';
import { signs, stateOf } from './kit/state.ts';
import { lastLines, truncate } from './kit/truncate.ts';

/** What `sendMessage` and `editMessageText` show with `parse_mode` HTML; the buttons open addresses, or tell the bot that they were pressed. */
export type TelegramContent = {
  text: string;
  reply_markup?: { inline_keyboard: ({ text: string; url: string } | { text: string; callback_data: string })[][] };
};

/**
 * Telegram takes 4,096 UTF-16 units once tags and entities are parsed. Here those count as well, since a long source is refused
 * too and no alert of ours comes near.
 */
export const maxTelegramText = 4_096;
/** Not documented; longer ones were seen to be refused. UTF-16 units. */
const maxButtonText = 64;
const maxButtonUrl = 2_048;
/** Buttons beside each other: as many as a message usually has, and a phone is wide enough for their words. */
const perRow = 3;

/**
 * Of a log, as much as a phone shows at once: a quote that folds shows its first lines, of which the last ones tell why, and holds no
 * monospaced text.
 */
const room = { title: 200, sentence: 600, sentences: 4, lines: 15, facts: 12, links: 4 };
/** A title and the cluster behind it; UTF-16 units. */
const maxHeadline = 270;
/** UTF-16 units of a sentence, as it is written. */
const maxSentence = 300;
/** An address that is not on a button is not cut: a longer one is left out. */
const maxShownUrl = 300;
/** Less of a log than this tells nothing. */
const smallestLog = 40;

/** What a message is made of, as it is shown from top to bottom. */
const shown = ['head', 'evidence', 'impact', 'list', 'log', 'next', 'facts', 'links', 'where'] as const;
type Part = (typeof shown)[number];
const page = { shown, max: maxTelegramText, unit: 'utf16', gap: '\n\n', lineBreak: '\n' } as const;

/** A notification as HTML of the tags that Telegram knows, with its links as buttons. The log is cut first. `call`: whom it rings, as HTML. */
export function telegramHtml(notification: Notification, call = ''): TelegramContent {
  const told = clip(notification, room);
  const buttons = told.links.filter(fitsButton).map(buttonOf);
  const rows = Array.from({ length: Math.ceil(buttons.length / perRow) }, (_, row) =>
    buttons.slice(perRow * row, perRow * (row + 1)),
  );
  return {
    text: arranged(page, byImportance(told, call), ['log', (max) => logOf(told, max)]),
    ...(rows.length > 0 && { reply_markup: { inline_keyboard: rows } }),
  };
}

/** The same content, with a row of buttons above the others that tell the bot that they were pressed. */
export function telegramWith(content: TelegramContent, buttons: readonly Button[]): TelegramContent {
  if (buttons.length === 0) return content;
  const row = buttons.map(({ text, carries }) => ({ text, callback_data: carries }));
  return { ...content, reply_markup: { inline_keyboard: [row, ...(content.reply_markup?.inline_keyboard ?? [])] } };
}

/**
 * Zero-width spaces where Telegram would find something to tap in plain text: mentions, hashtags, cashtags, commands, and
 * addresses with or without a scheme. Bot API, "Formatting options": entities that are detected by themselves.
 */
export function inert(text: string): string {
  return text
    .replace(
      /@(?!sha\d{3}:)(?=[\p{L}\p{N}_])|#(?=[\p{L}\p{N}_])|\$(?=[A-Z])|:(?=\/\/)|(?<=[\p{L}\p{N}_-])\.(?=\p{L})/gu,
      '$&\u200b',
    )
    .replace(/(?<=\d\.\d{1,3}\.\d{1,3})\.(?=\d)/g, '$&\u200b')
    .replace(/(?<![\p{L}\p{N}_/<>\u200b])\/(?=\w)/gu, '$&\u200b');
}

/** Names with a dot, addresses with or without a scheme. */
const tapped = /:\/\/|[\p{L}\p{N}_-]\.\p{L}|\d\.\d{1,3}\.\d{1,3}\.\d/u;

/** A cluster's text as text: nothing of it is markup, and nothing can be tapped. Names are code, so that they are copied as they are. */
function say(text: string, max = maxSentence): string {
  const quiet = writeNames(oneLine(text), tapped, { name: (name) => name, rest: inert });
  return truncate(quiet, max, 'utf16', (part) =>
    writeNames(part, tapped, { name: (name) => `<code>${name}</code>`, rest: escapeHtml }),
  );
}
/** A cluster's text to be copied: nothing is detected within code. */
const code = (text: string, max: number): string => `<code>${truncate(oneLine(text), max, 'utf16', escapeHtml)}</code>`;
/** A tag around what is not code: Telegram has no code within anything else ("Formatting options", nested entities). */
function around(tag: 'b' | 'i', html: string): string {
  const apart = html.replace(/<code>.*?<\/code>/g, `</${tag}>$&<${tag}>`);
  return `<${tag}>${apart}</${tag}>`.replaceAll(`<${tag}></${tag}>`, '');
}
const bold = (html: string): string => around('b', html);

/** The lines of every part but the log; what comes last is cut first. */
function byImportance(told: Notification, call: string): Parts<Part> {
  const { lead, note, evidence, impact, list, facts, links } = told;
  const where = originLine({ ...told, cluster: '' });
  return [
    [
      'head',
      [
        `${signs[stateOf(told)]} ${bold(say(headline(told, maxHeadline, 'utf16'), 400))}`,
        say(lead, room.sentence),
        ...(note === undefined ? [] : [around('i', `(${say(note)})`)]),
        ...(call === '' ? [] : [call]),
      ],
    ],
    [
      'next',
      nextLines(
        told,
        (text) => code(text, room.sentence),
        (text) => bold(`${text}:`),
      ),
    ],
    ['where', where === '' ? [] : [say(where)]],
    ['links', links.filter((link) => !fitsButton(link)).flatMap(addressOf)],
    ['impact', impact === undefined ? [] : [`${bold('Impact:')} ${say(impact)}`]],
    ['evidence', evidence.map((proof) => `• ${say(proof)}`)],
    ['list', listLines(list).map((line) => `• ${say(line)}`)],
    [
      'facts',
      facts.map(({ name, value }) => `${say(name, 60)}: ${isName(value) ? code(value, 200) : say(value, 200)}`),
    ],
  ];
}

function logOf({ excerpt }: Notification, max: number): string {
  if (!excerpt) return '';
  const [opening, closing] = [`${bold(`${say(sourceLine(excerpt), 200)}:`)}\n<pre>`, '</pre>'];
  const left = max - opening.length - closing.length;
  return left < smallestLog ? '' : `${opening}${lastLines(excerpt.lines, left, 'utf16', escapeHtml)}${closing}`;
}

/** Whether Telegram takes an address on a button: it refuses the whole message for a host without a dot (`grafana`) or in brackets. */
function fitsButton({ url }: Link): boolean {
  const { hostname, href } = new URL(url);
  return hostname.includes('.') && !hostname.startsWith('[') && href.length <= maxButtonUrl;
}

function buttonOf({ title, url }: Link): { text: string; url: string } {
  return { text: truncate(oneLine(title), maxButtonText, 'utf16'), url: new URL(url).href };
}

function addressOf({ title, url }: Link): readonly string[] {
  const { href } = new URL(url);
  return escapeHtml(href).length > maxShownUrl ? [] : [`${say(title, 60)}: ${code(href, maxShownUrl)}`];
}
