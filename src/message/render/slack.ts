import type { Notification } from '../../model/notification.ts';
import type { Button } from '../../model/press.ts';
import { replaceTimes, type WrittenTime } from '../parts/times.ts';
import { clip } from './kit/clip.ts';
import { fitting } from './kit/fitting.ts';
import { headline, oneLine } from './kit/headline.ts';
import { listLines, nextLines, originLine, sourceLine } from './kit/parts.ts';
import { colours, type State, stateOf } from './kit/state.ts';
import { lastLines, truncate } from './kit/truncate.ts';

type Mrkdwn = { type: 'mrkdwn'; text: string; verbatim: true };
/** A block of Block Kit, of the kinds a message is made of. */
export type SlackBlock =
  | { type: 'section'; text: Mrkdwn }
  | { type: 'section'; fields: Mrkdwn[] }
  | { type: 'context'; elements: Mrkdwn[] };
/** Buttons: what stands on each, and what a press of it carries. */
type SlackButtons = {
  type: 'actions';
  elements: {
    type: 'button';
    text: { type: 'plain_text'; text: string; emoji: false };
    action_id: string;
    value: string;
  }[];
};
/** What chat.postMessage, chat.update and incoming webhooks show. */
export type SlackContent = {
  text: string;
  /** Shown whole, in place of `text`, which pop-ups and lists show; what is in an attachment is folded when it is long. */
  blocks?: (SlackBlock | SlackButtons)[];
  attachments?: { color: string; fallback: string; blocks: SlackBlock[] }[];
};

const emoji: Readonly<Record<State, string>> = {
  critical: ':rotating_light:',
  high: ':large_orange_circle:',
  medium: ':large_yellow_circle:',
  low: ':large_blue_circle:',
  resolved: ':white_check_mark:',
};

/** Slack hard-cuts `text` far above; chat.update refuses more than 4,000. UTF-16 units, as everywhere here. */
const maxText = 4_000;
/** Block Kit: 3,000 for the text of a section, 2,000 for a field, 10 fields, 10 elements of a context. */
const maxSection = 3_000;
const maxFields = 10;
/** Undocumented: `msg_blocks_too_long` was seen from 11,000 characters of block text on. */
const maxBlocksText = 9_000;
/** A title and the cluster behind it. */
const maxHeadline = 320;
const room = { title: 250, sentence: 1_000, sentences: 3, lines: 30, facts: 20, links: 5 };

/** A cluster's text in mrkdwn: nothing of it is a mention, a link or an entity. */
function say(text: string, max: number): string {
  return truncate(quiet(text), max, 'utf16', escaped);
}

/** Slack shows such a time in the zone and in the way of whoever reads; as it is written where it cannot. */
function slackTime({ at, withDay, asWritten }: WrittenTime): string {
  return `<!date^${at / 1000}^${withDay ? '{date_short_pretty}, {time}' : '{time}'}|${asWritten}>`;
}

/** The same as `say` with the times in it in the reader's zone. `now`: of the message (epoch milliseconds). */
function sayTimes(text: string, max: number, now: number): string {
  return truncate(quiet(text), max, 'utf16', (part) => replaceTimes(escaped(part), now, slackTime));
}

/** The three characters that Slack asks to be escaped, in code too. */
function escaped(text: string): string {
  return text.replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character] ?? character);
}

/** Zero-width spaces where clients that parse texts for names would ring everybody, and where a fence would begin or end. */
function quiet(text: string): string {
  return text.replace(/@(?=here|channel|everyone|group)/gi, '@\u200b').replaceAll('```', '`\u200b`\u200b`');
}

/** A text outside of blocks, where nothing keeps Slack from making links of addresses and names in it. */
function sayLoose(text: string, max: number): string {
  return say(loose(text), max);
}

function loose(text: string): string {
  return text.replace(/:(?=\/\/)|(?<=[\p{L}\p{N}_-])\.(?=\p{L})/gu, '$&\u200b');
}

const mrkdwn = (text: string): Mrkdwn => ({ type: 'mrkdwn', text, verbatim: true });
const section = (text: string): SlackBlock => ({ type: 'section', text: mrkdwn(text) });

/** A notification for Slack: a line that notifications and lists show, and blocks beside a bar in the severity's colour. */
export function slackMessage(notification: Notification): SlackContent {
  const state = stateOf(notification);
  const clipped = clip(notification, room);
  const title = sayLoose(headline(clipped, maxHeadline, 'utf16'), maxText);
  const text = `${emoji[state]} *${title}*`;
  const top = [section(text), ...opening(clipped)];
  const left = top.reduce((most, block) => most - lengthOf(block), maxBlocksText);
  const blocks = fitting(
    [
      ...proofs(clipped),
      ...entries(clipped),
      ...log(clipped),
      ...next(clipped),
      ...facts(clipped),
      ...context(clipped),
    ],
    left,
    lengthOf,
  );
  return {
    text,
    blocks: top,
    ...(blocks.length > 0 && { attachments: [{ color: colours[state], fallback: title, blocks: [...blocks] }] }),
  };
}

/** Content that rings somebody, below its first line. `call`: whom, as markup of ours; `''`: nobody. */
export function slackCalling(content: SlackContent, call: string): SlackContent {
  if (call === '') return content;
  const [first, ...others] = content.blocks ?? [];
  return { ...content, text: `${content.text} ${call}`, ...(first && { blocks: [first, section(call), ...others] }) };
}

/** The same content, with buttons below its opening, where they are not folded away; one line stays one. */
export function slackWith(content: SlackContent, buttons: readonly Button[]): SlackContent {
  if (buttons.length === 0 || content.blocks === undefined) return content;
  const elements = buttons.map(({ text, carries }, index) => ({
    ...({ type: 'button', text: { type: 'plain_text', text, emoji: false } } as const),
    ...{ action_id: `tocsin-${index}`, value: carries },
  }));
  return { ...content, blocks: [...content.blocks, { type: 'actions', elements }] };
}

/** The same in one line, without blocks: how bad, what, in which cluster, the story, and the worst of a list. */
export function slackLine(notification: Notification): SlackContent {
  const told = clip(notification, room);
  const { lead, note, list } = told;
  const line = (text: string, max: number): string => sayLoose(oneLine(text), max);
  const parts = [
    `${emoji[stateOf(told)]} *${line(headline(told, maxHeadline, 'utf16'), 600)}*`,
    sayTimes(loose(oneLine(lead)), 1_400, told.at),
    ...(note === undefined ? [] : [line(`(${note})`, 500)]),
    ...(list ? [line(worstOf(list), 1_300)] : []),
  ];
  return { text: parts.filter((part) => part !== '').join(' ') };
}

/** Entries of a list that one line shows. */
const maxListed = 5;
function worstOf(list: NonNullable<Notification['list']>): string {
  const shown = listLines({ ...list, entries: list.entries.slice(0, maxListed) });
  return shown.map((entry) => `• ${truncate(entry, 250, 'utf16')}`).join(' ');
}

/** The text alone, for a product that refused the blocks. */
export function slackText(notification: Notification): SlackContent {
  const told = clip(notification, room);
  const { lead, note, evidence, impact, list } = told;
  const lines = [
    headline(told, maxHeadline, 'utf16'),
    lead,
    ...(note === undefined ? [] : [`(${note})`]),
    ...listLines(list).map((entry) => `• ${entry}`),
    ...evidence,
    ...(impact === undefined ? [] : [impact]),
  ];
  const next = nextLines(told, asCode).join('');
  return { text: `${sayLoose(lines.join('\n'), maxText - next.length - 1)}${next === '' ? '' : `\n${next}`}` };
}

function opening({ lead, note, at }: Notification): SlackBlock[] {
  const lines = [sayTimes(lead, 1_500, at), ...(note === undefined ? [] : [`_(${sayTimes(note, 500, at)})_`])].filter(
    (line) => line !== '',
  );
  return lines.length === 0 ? [] : [section(lines.join('\n'))];
}

function proofs({ evidence, impact, at }: Notification): SlackBlock[] {
  const lines = evidence.map((proof) => `• ${sayTimes(proof, 600, at)}`).join('\n');
  return [
    ...(lines === '' ? [] : [section(lines)]),
    ...(impact === undefined ? [] : [section(`*Impact:* ${sayTimes(impact, 600, at)}`)]),
  ];
}

function entries({ list, at }: Notification): SlackBlock[] {
  const lines = listLines(list).map((line) => `• ${sayTimes(line, 280, at)}`);
  return [lines.slice(0, 10), lines.slice(10)]
    .filter((part) => part.length > 0)
    .map((part) => section(part.join('\n')));
}

function log({ excerpt }: Notification): SlackBlock[] {
  if (!excerpt) return [];
  return [
    section(
      `*${say(sourceLine(excerpt), 200)}*\n\`\`\`${lastLines(excerpt.lines.map(quiet), maxSection - 800, 'utf16', escaped)}\`\`\``,
    ),
  ];
}

/** Nothing is interpreted inside, and there is no way to write a backtick there: a command has none. */
const asCode = (text: string): string => `\`${say(text, 600)}\``;

function next(told: Notification): SlackBlock[] {
  return nextLines(told, asCode, (text) => `*${text}:*`).map(section);
}

function facts({ facts: all, at }: Notification): SlackBlock[] {
  const fields = all.map(({ name, value }) => mrkdwn(`*${say(name, 60)}*\n${sayTimes(value, 260, at)}`));
  return [fields.slice(0, maxFields), fields.slice(maxFields)]
    .filter((part) => part.length > 0)
    .map((part) => ({ type: 'section', fields: part }));
}

function context(notification: Notification): SlackBlock[] {
  const { links } = notification;
  const where = originLine({ ...notification, cluster: '' });
  const elements = [
    ...(where === '' ? [] : [say(where, 300)]),
    ...links.map(({ title, url }) => `<${escaped(new URL(url).href).replaceAll('|', '%7C')}|${say(title, 75)}>`),
  ];
  return elements.length === 0 ? [] : [{ type: 'context', elements: elements.map(mrkdwn) }];
}

/** UTF-16 units of a block's texts. */
function lengthOf(block: SlackBlock): number {
  return textsOf(block).reduce((sum, { text }) => sum + text.length, 0);
}

function textsOf(block: SlackBlock): readonly Mrkdwn[] {
  if (block.type === 'context') return block.elements;
  return 'fields' in block ? block.fields : [block.text];
}
