import type { Link, Notification } from '../../../model/notification.ts';
import { mapTexts } from '../../parts/texts.ts';
import { beyondTitle } from './beyond-title.ts';
import { truncate } from './truncate.ts';

/** How much of a message a page holds: UTF-16 units of one text, and how many of each list. */
export type Room = {
  readonly title: number;
  readonly sentence: number;
  readonly sentences: number;
  readonly lines: number;
  readonly facts: number;
  readonly links: number;
};

/** Addresses are not cut: a longer one is left out. UTF-16 units. */
const maxUrl = 1_000;

/** Entries of a list; more are never made. */
const maxEntries = 20;

/**
 * The notification as people read it, with every text and every list cut to the room there is, so that whatever is made of it has an upper
 * bound. What its title says already is left out.
 */
export function clip(notification: Notification, room: Room): Notification {
  return clipData(beyondTitle(notification), room);
}

/** The same for programs, which get every field whatever the title says. */
export function clipData(notification: Notification, room: Room): Notification {
  const { evidence, excerpt, facts, links, list } = notification;
  const shorter: Notification = {
    ...notification,
    evidence: firstOf(evidence, room.sentences),
    facts: facts.slice(0, room.facts),
    links: webLinks(links, room.links),
    ...(excerpt && { excerpt: { ...excerpt, lines: excerpt.lines.slice(-room.lines) } }),
    ...(list && { list: { ...list, entries: list.entries.slice(0, maxEntries) } }),
  };
  return mapTexts(shorter, (text, kind) => truncate(text, kind === 'title' ? room.title : room.sentence, 'utf16'));
}

/** The first `max` links to web addresses of a bearable length. */
export function webLinks(links: readonly Link[], max: number): readonly Link[] {
  return links
    .filter(({ url }) => /^https?:\/\//i.test(url) && URL.canParse(url) && url.length <= maxUrl)
    .slice(0, max);
}

/** The first of a list, with a visible mark where some are missing. */
function firstOf(texts: readonly string[], max: number): readonly string[] {
  return texts.length <= max ? texts : [...texts.slice(0, max), '…'];
}

/** The notification without the links that the product shows in a place of its own. `shown`: their addresses there. */
export function withoutLinks(notification: Notification, shown: readonly string[]): Notification {
  if (shown.length === 0) return notification;
  const isElsewhere = (url: string): boolean => URL.canParse(url) && shown.includes(new URL(url).href);
  return { ...notification, links: notification.links.filter(({ url }) => !isElsewhere(url)) };
}
