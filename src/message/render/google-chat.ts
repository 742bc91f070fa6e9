import type { Notification } from '../../model/notification.ts';
import { clip } from './kit/clip.ts';
import { fitting, jsonBytes } from './kit/fitting.ts';
import { listLines, nextLines, originLine, sourceLine } from './kit/parts.ts';
import { lastLines } from './kit/truncate.ts';
import { type Dialect, githubMarkdown, prose, titleLine } from './markdown.ts';

/** A part of a card: a text in a few tags of HTML, a fact, or buttons. */
type Widget =
  | { readonly textParagraph: { readonly text: string } }
  | { readonly decoratedText: { readonly topLabel: string; readonly text: string; readonly wrapText: true } }
  | { readonly buttonList: { readonly buttons: readonly Button[] } };
type Button = { readonly text: string; readonly onClick: { readonly openLink: { readonly url: string } } };
type Section = { readonly header?: string; readonly collapsible?: true; readonly widgets: readonly Widget[] };
/** What spaces.messages.create shows: a line that notifications show, and one card. */
export type GoogleChatMessage = {
  readonly text: string;
  readonly cardsV2: readonly { readonly cardId: string; readonly card: { readonly sections: readonly Section[] } }[];
};

/** A message holds 32,000 bytes, text and cards together, and 4,096 characters of text. */
const maxCardBytes = 26_000;
/** With less room than this for it, a log is left out, and it takes no more than that; bytes. A line always fits into the first. */
const log = { min: 1_600, max: 12_000 };
/** A log of more lines is folded. */
const unfolded = 6;
/** UTF-16 units. */
const maxLogLine = 400;
const room = { title: 300, sentence: 1_000, sentences: 4, lines: 40, facts: 12, links: 5 };

/** There are no escapes in the text: what would be markup is written with a sign that looks like it. */
const textDialect: Dialect = {
  ...githubMarkdown,
  bold: '*',
  linksNames: true,
  escapes: { '*': '∗', '~': '∼', '`': "'", '<': '‹' },
};
/** Cards know a few tags of HTML and no mentions. */
const cardDialect: Dialect = {
  ...githubMarkdown,
  escapes: { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' },
};
/** Headers, labels and buttons are shown as they are. */
const plainDialect: Dialect = { ...githubMarkdown, escapes: {}, silence: /</g };

const say = (text: string, max: number): string => prose(text, max, cardDialect);
const paragraph = (lines: readonly string[]): readonly Widget[] =>
  lines.length === 0 ? [] : [{ textParagraph: { text: lines.join('<br>') } }];

/** A notification for Google Chat. UTF-16 units where nothing else is said. */
export function googleChatMessage(notification: Notification): GoogleChatMessage {
  const told = clip(notification, room);
  // In the order of importance: what comes last is left out first.
  const all = [
    ...storyOf(told).map((widget) => ({ widget, part: 'story' as const })),
    ...impactOf(told).map((widget) => ({ widget, part: 'impact' as const })),
    ...nextOf(told).map((widget) => ({ widget, part: 'next' as const })),
    ...linksOf(told).map((widget) => ({ widget, part: 'links' as const })),
    ...proofsOf(told).map((widget) => ({ widget, part: 'story' as const })),
    ...factsOf(told).map((widget) => ({ widget, part: 'facts' as const })),
  ];
  const kept = fitting(all, maxCardBytes, ({ widget }) => jsonBytes(widget));
  const left = kept.reduce((bytes, { widget }) => bytes - jsonBytes(widget), maxCardBytes);
  const widgets = (part: (typeof all)[number]['part']): readonly Widget[] =>
    kept.filter((each) => each.part === part).map(({ widget }) => widget);
  const sections: readonly Section[] = [
    { widgets: [...widgets('story'), ...widgets('impact')] },
    // JSON may write a character of a log as two.
    ...logOf(told, Math.min(Math.floor(left / 2), log.max)),
    { widgets: [...widgets('next'), ...widgets('facts'), ...widgets('links')] },
  ];
  const filled = sections.filter((section) => section.widgets.length > 0);
  return {
    text: titleLine(told, textDialect),
    cardsV2: filled.length === 0 ? [] : [{ cardId: 'tocsin', card: { sections: filled } }],
  };
}

function impactOf({ impact }: Notification): readonly Widget[] {
  return paragraph(impact === undefined ? [] : [`<b>Impact</b>: ${say(impact, 500)}`]);
}

function storyOf({ lead, note }: Notification): readonly Widget[] {
  return [
    ...paragraph(lead === '' ? [] : [say(lead, 1_000)]),
    ...paragraph(note === undefined ? [] : [`<i>(${say(note, 500)})</i>`]),
  ];
}

function nextOf(told: Notification): readonly Widget[] {
  return paragraph(
    nextLines(
      told,
      (text) => say(text, 600),
      (text) => `<b>${text}</b>:`,
    ),
  );
}

function linksOf({ links }: Notification): readonly Widget[] {
  const buttons = links.map(({ title, url }) => ({
    text: prose(title, 80, plainDialect),
    onClick: { openLink: { url: new URL(url).href } },
  }));
  return buttons.length === 0 ? [] : [{ buttonList: { buttons } }];
}

function proofsOf({ evidence, list }: Notification): readonly Widget[] {
  const entries = listLines(list).map((line) => `• ${say(line, 250)}`);
  return [
    ...paragraph(evidence.map((proof) => `• ${say(proof, 500)}`)),
    ...paragraph(entries.slice(0, 10)),
    ...paragraph(entries.slice(10)),
  ];
}

function factsOf(notification: Notification): readonly Widget[] {
  const { facts, incident } = notification;
  const where = originLine({ ...notification, cluster: '' }).replace(' · incident ', ' · ');
  const rows = [...facts, ...(incident ? [{ name: 'Incident', value: where }] : [])];
  return rows.map(({ name, value }) => ({
    decoratedText: { topLabel: prose(name, 60, plainDialect), text: say(value, 200), wrapText: true },
  }));
}

function logOf({ excerpt }: Notification, max: number): readonly Section[] {
  if (!excerpt || max < log.min) return [];
  const lines = excerpt.lines.map((line) => say(line, maxLogLine));
  const folded = lines.length > unfolded ? ({ collapsible: true } as const) : {};
  return [
    {
      header: say(sourceLine(excerpt), 200),
      ...folded,
      widgets: paragraph(lastLines(lines, max, 'bytes').split('\n')),
    },
  ];
}
