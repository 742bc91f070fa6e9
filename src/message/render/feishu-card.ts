import type { Link, Notification } from '../../model/notification.ts';
import { clip } from './kit/clip.ts';
import { aroundLog, firstLines, jsonBytes } from './kit/fitting.ts';
import { headline, oneLine } from './kit/headline.ts';
import { listLines, nextLines, originLine, sourceLine } from './kit/parts.ts';
import { type Tone, toneOf } from './kit/state.ts';
import { lastLines, truncate } from './kit/truncate.ts';

/** Text that is shown as it is: only `lark_md` has markup and mentions. */
type PlainText = { tag: 'plain_text'; content: string };
type Field = { is_short: boolean; text: PlainText };
type Button = { tag: 'button'; type: 'default'; text: PlainText; url: string };
/** An element of a card, of the kinds a message is made of. */
export type FeishuElement =
  | { tag: 'div'; text: PlainText | { tag: 'lark_md'; content: string } }
  | { tag: 'div'; fields: Field[] }
  | { tag: 'hr' }
  | { tag: 'action'; actions: Button[] }
  | { tag: 'note'; elements: PlainText[] };
/** A card of JSON 1.0, which every client of Feishu and Lark shows. Source: open.feishu.cn, custom bot guide. */
export type FeishuCard = {
  config: { wide_screen_mode: true };
  header: { template: 'red' | 'orange' | 'yellow' | 'blue' | 'green' | 'grey'; title: PlainText };
  elements: FeishuElement[];
};

const templates: Readonly<Record<Tone, FeishuCard['header']['template']>> = {
  critical: 'red',
  high: 'orange',
  medium: 'yellow',
  low: 'blue',
  resolved: 'green',
  plain: 'grey',
};

/** A request may have 20 KB; bytes of the card alone. */
const maxCardBytes = 17_500;
const room = { title: 100, sentence: 1_000, sentences: 4, lines: 30, facts: 12, links: 4 };
/** Bytes, before anything is escaped. */
const maxListBytes = 6_000;
const maxLogBytes = 3_500;
/** Less of a log than this tells nothing. */
const smallestLog = 40;
/** UTF-16 units. */
const maxSentence = 400;
/** Values up to this length stand side by side; UTF-16 units. */
const shortValue = 30;

const plain = (content: string): PlainText => ({ tag: 'plain_text', content });
const say = (text: string, max = maxSentence): string => truncate(oneLine(text), max, 'utf16');
/** An element with some lines; Feishu refuses empty ones. */
const div = (...lines: readonly string[]): FeishuElement[] =>
  lines.length === 0 ? [] : [{ tag: 'div', text: plain(lines.join('\n') || '…') }];

/**
 * A notification as a card whose header has the colour of its state. When there is too much, the log is cut first. `heading`: the
 * header instead of the title, which then begins the text. `call`: tags, written by us, that notify people.
 */
export function feishuCard(notification: Notification, heading?: string, call = ''): FeishuCard {
  const told = clip(notification, room);
  const title = say(headline(told, room.title, 'utf16'), room.title);
  const header = { template: templates[toneOf(told)], title: plain(say(heading ?? title, room.title) || '…') };
  const elements = aroundLog({
    above: [
      ...callOf(call),
      ...div(...(heading === undefined ? [] : [title]), ...storyOf(told)),
      ...proofOf(told),
      ...listOf(told),
    ],
    below: [...nextOf(told), ...factsOf(told), ...endOf(told)],
    max: maxCardBytes - jsonBytes(header),
    lengthOf: jsonBytes,
    log: (left) => logOf(told, left),
  });
  return { config: { wide_screen_mode: true }, header, elements: [...elements] };
}

/** The only text of a card in which tags are read. */
const callOf = (call: string): FeishuElement[] =>
  call === '' ? [] : [{ tag: 'div', text: { tag: 'lark_md', content: call } }];

function storyOf({ lead, note }: Notification): readonly string[] {
  return [say(lead, room.sentence), ...(note === undefined ? [] : [`(${say(note)})`])];
}

function proofOf({ evidence, impact }: Notification): FeishuElement[] {
  return [
    ...div(...evidence.map((proof) => `• ${say(proof)}`)),
    ...(impact === undefined ? [] : div(`Impact: ${say(impact)}`)),
  ];
}

function listOf({ list }: Notification): FeishuElement[] {
  const lines = listLines(list).map((line) => `• ${say(line, 250)}`);
  const shown = firstLines(lines, maxListBytes, 'bytes').split('\n');
  return lines.length === 0 ? [] : [...div(...shown.slice(0, 10)), ...div(...shown.slice(10))];
}

function logOf({ excerpt }: Notification, free: number): FeishuElement[] {
  if (!excerpt) return [];
  const source = `${say(sourceLine(excerpt), 200)}:`;
  // Quotes and backslashes take two bytes in JSON, and so do line breaks.
  const max = Math.min(maxLogBytes, (free - jsonBytes(div(source))) / 2);
  return max < smallestLog ? [] : div(source, lastLines(excerpt.lines, max, 'bytes'));
}

function nextOf(told: Notification): FeishuElement[] {
  return div(...nextLines(told, (text) => say(text, 600)));
}

function factsOf({ facts }: Notification): FeishuElement[] {
  const fields = facts.map(({ name, value }) => ({
    is_short: value.length <= shortValue,
    text: plain(`${say(name, 60)}\n${say(value, 250)}`),
  }));
  return fields.length === 0 ? [] : [{ tag: 'div', fields }];
}

/** Links as buttons, then where it is from. */
function endOf(notification: Notification): FeishuElement[] {
  const { links } = notification;
  const where = originLine({ ...notification, cluster: '' });
  const elements: FeishuElement[] = [
    ...(links.length === 0 ? [] : [{ tag: 'action' as const, actions: links.map(buttonOf) }]),
    ...(where === '' ? [] : [{ tag: 'note' as const, elements: [plain(say(where))] }]),
  ];
  return elements.length === 0 ? [] : [{ tag: 'hr' }, ...elements];
}

function buttonOf({ title, url }: Link): Button {
  return { tag: 'button', type: 'default', text: plain(say(title, 60) || '…'), url: new URL(url).href };
}
