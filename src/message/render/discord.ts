import type { Link, Notification } from '../../model/notification.ts';
import { replaceTimes, type WrittenTime } from '../parts/times.ts';
import { clip } from './kit/clip.ts';
import { originLine } from './kit/parts.ts';
import { colours, stateOf } from './kit/state.ts';
import { backslashed, type Dialect, factValue, githubMarkdown, markdown, prose, titleLine } from './markdown.ts';

type LinkButton = { readonly type: 2; readonly style: 5; readonly label: string; readonly url: string };
/** What webhooks show: a line that lists and notifications show, and one embed. */
export type DiscordMessage = {
  readonly content: string;
  readonly embeds: readonly {
    readonly description: string;
    readonly color: number;
    readonly timestamp: string;
    readonly fields: readonly { readonly name: string; readonly value: string; readonly inline: boolean }[];
    readonly footer?: { readonly text: string };
  }[];
  /** Buttons that open links: one row, which holds five. */
  readonly components?: readonly [{ readonly type: 1; readonly components: readonly LinkButton[] }];
  /** Nobody but those who are asked for, whatever the texts hold. */
  readonly allowed_mentions: {
    readonly parse: readonly [];
    readonly users?: readonly string[];
    readonly roles?: readonly string[];
  };
};

/** An embed holds 4,096 in its description and 6,000 in all; 4,000 leave room for facts and footer. */
const dialect: Dialect = {
  ...githubMarkdown,
  max: 4_000,
  fence: 'three',
  escapes: backslashed('\\`*_<>~|'),
  silence: /:(?=\w+:)/g,
};
/** Discord shows such a time in the zone of whoever reads: `16:20`, or with its day. */
const discordTime = ({ at, withDay }: WrittenTime): string => `<t:${at / 1000}:${withDay ? 'f' : 't'}>`;

/** The dialect of a message that was made at `now` (epoch milliseconds). */
function dialectAt(now: number): Dialect {
  return { ...dialect, times: (text) => replaceTimes(text, now, discordTime) };
}

/** What is left for 7 facts and the footer: 7 × (60 + 150) + 300. */
const room = { title: 300, sentence: 1_000, sentences: 5, lines: 40, facts: 7, links: 5 };
/** Discord: 5 in a row, 80 characters, 512 of an address. */
const maxButtons = 5;
const maxButtonLabel = 80;
const maxButtonUrl = 512;
const maxFact = { name: 60, value: 150 };
const maxFooter = 300;
/** Facts up to this length stand side by side. */
const shortValue = 30;

/** A notification for Discord. UTF-16 units, the safer of the measures that were seen. */
export function discordMessage(notification: Notification): DiscordMessage {
  const told = clip(notification, room);
  const { facts, at } = told;
  const inTime = dialectAt(at);
  const buttons = told.links.every(fitsButton) ? told.links.slice(0, maxButtons).map(buttonOf) : [];
  const where = originLine({ ...told, cluster: '' });
  return {
    content: titleLine(told, dialect),
    embeds: [
      {
        description: markdown(notification, inTime, [
          'title',
          'facts',
          'where',
          ...(buttons.length > 0 ? (['links'] as const) : []),
        ]),
        color: Number.parseInt(colours[stateOf(told)].slice(1), 16),
        timestamp: new Date(at).toISOString(),
        fields: facts
          .filter(({ name, value }) => name.trim() !== '' && value.trim() !== '')
          .map(({ name, value }) => ({
            name: prose(name, maxFact.name, dialect),
            value: factValue(value, maxFact.value, inTime),
            inline: value.length <= shortValue,
          })),
        ...(where !== '' && { footer: { text: prose(where, maxFooter, { ...dialect, escapes: {} }) } }),
      },
    ],
    ...(buttons.length > 0 && { components: [{ type: 1, components: buttons }] as const }),
    allowed_mentions: { parse: [] },
  };
}

/** Discord refuses the whole message for a longer address. */
const fitsButton = ({ url }: Link): boolean => new URL(url).href.length <= maxButtonUrl;

function buttonOf({ title, url }: Link): LinkButton {
  const label = prose(title, maxButtonLabel, { ...dialect, escapes: {} }) || 'Link';
  return { type: 2, style: 5, label, url: new URL(url).href };
}

/** The text alone, for a product that refused the embed; a message holds 2,000. */
export function discordText(notification: Notification): DiscordMessage {
  const content = markdown(notification, { ...dialectAt(notification.at), max: 1_900 }, ['excerpt', 'links', 'facts']);
  return { content, embeds: [], allowed_mentions: { parse: [] } };
}

/** The name of a post in a forum channel. */
export function discordPost({ title }: Notification): string {
  return prose(title, 100, { ...dialect, escapes: {} });
}
