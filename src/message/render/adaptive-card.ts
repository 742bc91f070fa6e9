import type { Notification } from '../../model/notification.ts';
import { clip } from './kit/clip.ts';
import { aroundLog, fitting, jsonBytes } from './kit/fitting.ts';
import { headline, oneLine } from './kit/headline.ts';
import { asItIs, listLines, nextLabel, originLine, sourceLine } from './kit/parts.ts';
import { type Tone, toneOf } from './kit/state.ts';
import { lastLines, truncate } from './kit/truncate.ts';

/** A piece of text that is shown as it is: Markdown is parsed in a TextBlock and a Fact, never in a TextRun. */
type TextRun = {
  type: 'TextRun';
  text: string;
  size?: 'Small' | 'Medium';
  weight?: 'Bolder';
  fontType?: 'Monospace';
  italic?: true;
};
type RichTextBlock = { type: 'RichTextBlock'; spacing?: 'None' | 'Small'; inlines: TextRun[] };
type FactSet = { type: 'FactSet'; facts: { title: string; value: string }[] };
type ContainerStyle = 'attention' | 'warning' | 'accent' | 'good' | 'emphasis';
type Container = { type: 'Container'; style: ContainerStyle; bleed?: true; items: RichTextBlock[] };
/** The one element in which a card can mention somebody; its text is ours. */
type TextBlock = { type: 'TextBlock'; text: string; wrap: true };
type CardElement = RichTextBlock | FactSet | Container | TextBlock;
/** Who is rung by a tag of the same text. Source: Teams, cards, mention support. */
type MentionEntity = { type: 'mention'; text: string; mentioned: { id: string; name: string } };
type OpenUrl = { type: 'Action.OpenUrl'; title: string; url: string };

/** An Adaptive Card of the elements that version 1.2 has, which every client of Teams shows. Source: adaptivecards.io. */
export type AdaptiveCard = {
  $schema: 'http://adaptivecards.io/schemas/adaptive-card.json';
  type: 'AdaptiveCard';
  version: '1.2';
  msteams: { width: 'Full'; entities?: MentionEntity[] };
  body: CardElement[];
  actions?: OpenUrl[];
};

const styles: Readonly<Record<Tone, ContainerStyle>> = {
  critical: 'attention',
  high: 'attention',
  medium: 'warning',
  low: 'accent',
  resolved: 'good',
  plain: 'emphasis',
};

/**
 * Teams refuses more than 28 KB, counted after it has expanded the card: 24,453 posted bytes were too many. A flow does not even
 * say so. Bytes of the whole request; what is around the card takes less than the difference.
 */
const maxCardBytes = 18_000;
const room = { title: 200, sentence: 1_000, sentences: 4, lines: 20, facts: 20, links: 4 };
const maxLogBytes = 4_000;
const maxFactsBytes = 4_000;
/** Less of a log than this tells nothing. */
const smallestLog = 40;
/** UTF-16 units of an element's text. */
const maxLead = 1_000;
const maxSentence = 400;
const maxEntry = 200;

/** A cluster's text: one line, without the tag of a mention. */
function say(text: string, max: number): string {
  return truncate(quiet(oneLine(text)), max, 'utf16');
}

/** Teams mentions somebody only where the message lists an entity, which none of ours does; the tag is broken all the same. */
const quiet = (text: string): string => text.replace(/<(?=\/?at\b)/gi, '<\u200b');

/** Markdown's characters behind a backslash where they would be read as such (a bracket alone is none), and what would make a line an entry of a list. */
function escaped(text: string): string {
  return text.replace(/[\\*_[\]~]|(?<=\])\(|^#/g, '\\$&').replace(/^(?=[-+]\s)|^(\d+)(?=\.\s)/, '$1\\');
}

const run = (text: string, look: Omit<TextRun, 'type' | 'text'> = {}): TextRun => ({ type: 'TextRun', text, ...look });
const line = (...inlines: TextRun[]): RichTextBlock => ({ type: 'RichTextBlock', inlines });
const tight = (...inlines: TextRun[]): RichTextBlock => ({ type: 'RichTextBlock', spacing: 'None', inlines });

/** The message that Teams takes a card in. `summary` is for connectors and for our own flow (config/teams): the usual one posts the card alone, and pop-ups say so. */
export type CardMessage = {
  type: 'message';
  summary: string;
  attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive'; contentUrl: null; content: AdaptiveCard }];
};

/** What stands in a card besides the notification: a line above its title, and people whom it rings, by their ids. */
export type CardOptions = { readonly heading?: string | undefined; readonly people?: readonly string[] | undefined };

/** A notification as a message with one card. */
export function cardMessage(notification: Notification, options: CardOptions = {}): CardMessage {
  const content = adaptiveCard(notification, options);
  return {
    type: 'message',
    summary: say(headline(notification, room.title, 'utf16'), room.title),
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  };
}

/** The card: the title in the colour of its state, the story, the log, the next step and the facts, links as buttons. */
function adaptiveCard(notification: Notification, { heading, people = [] }: CardOptions): AdaptiveCard {
  const told = clip(notification, room);
  const actions = told.links.map(openUrl);
  const entities = people.map(
    (id): MentionEntity => ({ type: 'mention', text: `<at>${id}</at>`, mentioned: { id, name: id } }),
  );
  const calls: TextBlock[] =
    entities.length === 0 ? [] : [{ type: 'TextBlock', text: entities.map(({ text }) => text).join(' '), wrap: true }];
  const body = aroundLog<CardElement>({
    above: [header(told, heading), ...calls, ...story(told), ...entries(told)],
    below: [...next(told), ...facts(told)],
    max: maxCardBytes - jsonBytes(actions) - jsonBytes(entities),
    lengthOf: jsonBytes,
    log: (left) => log(told, left),
  });
  return {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.2',
    msteams: { width: 'Full', ...(entities.length > 0 && { entities }) },
    body: [...body],
    ...(actions.length > 0 && { actions }),
  };
}

function header(notification: Notification, heading: string | undefined): Container {
  const above = heading === undefined ? [] : [line(run(say(heading, room.title), { size: 'Small' }))];
  const title = line(
    run(say(headline(notification, room.title, 'utf16'), room.title), { size: 'Medium', weight: 'Bolder' }),
  );
  return { type: 'Container', style: styles[toneOf(notification)], bleed: true, items: [...above, title] };
}

function story({ lead, note, evidence, impact }: Notification): RichTextBlock[] {
  return [
    line(run(say(lead, maxLead))),
    ...(note === undefined ? [] : [tight(run(`(${say(note, maxSentence)})`, { italic: true }))]),
    ...bullets(evidence.map((proof) => say(proof, maxSentence))),
    ...(impact === undefined ? [] : [line(run('Impact: ', { weight: 'Bolder' }), run(say(impact, maxSentence)))]),
  ];
}

const entries = ({ list }: Notification): RichTextBlock[] =>
  bullets(listLines(list).map((entry) => say(entry, maxEntry)));

function bullets(texts: readonly string[]): RichTextBlock[] {
  return texts.map((text, index) => (index === 0 ? line : tight)(run(`• ${text}`)));
}

/** An element for each line, since not every client breaks lines within one; as many of the last ones as there is room for. */
function log({ excerpt }: Notification, free: number): Container[] {
  if (!excerpt) return [];
  const source = line(run(`${say(sourceLine(excerpt), maxEntry)}:`, { size: 'Small' }));
  const written = (text: string): RichTextBlock => tight(run(text, { size: 'Small', fontType: 'Monospace' }));
  const container = (items: RichTextBlock[]): Container => ({ type: 'Container', style: 'emphasis', items });
  // Quotes and backslashes take two bytes in JSON.
  const left = (free - jsonBytes(container([source])) - jsonBytes(written('')) * (room.lines + 1)) / 2;
  const lines = excerpt.lines
    .map((text) => quiet(text.replace(/\s*[\r\n]\s*/g, ' ').trimEnd()))
    .filter((text) => text !== '');
  if (left < smallestLog || lines.length === 0) return [];
  const shown = lastLines(lines, Math.min(maxLogBytes, left), 'bytes');
  return [container([source, ...shown.split('\n').map(written)])];
}

function next({ nextStep }: Notification): RichTextBlock[] {
  if (!nextStep) return [];
  const label = run(`${nextLabel(nextStep)}: `, { weight: 'Bolder' });
  const command = asItIs(nextStep.command, (text) => say(text, 600));
  return command === undefined ? [] : [line(label, run(command, { fontType: 'Monospace' }))];
}

function facts(told: Notification): FactSet[] {
  const { facts: all, incident } = told;
  const where = originLine({ ...told, cluster: '' }).replace(' · incident ', ' · ');
  const rows = [...all, ...(incident ? [{ name: 'Incident', value: where }] : [])].map(({ name, value }) => ({
    title: escaped(say(name, 60)),
    value: escaped(say(value, 300)),
  }));
  const shown = fitting(rows, maxFactsBytes, jsonBytes);
  return shown.length === 0 ? [] : [{ type: 'FactSet', facts: [...shown] }];
}

function openUrl({ title, url }: Notification['links'][number]): OpenUrl {
  return { type: 'Action.OpenUrl', title: say(title, 60), url: new URL(url).href };
}
