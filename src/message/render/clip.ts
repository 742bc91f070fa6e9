import type { Link, Notification } from '../../model/notification.ts';
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

/** The notification with every text and every list cut to the room there is, so that whatever is made of it has an upper bound. */
export function clip(notification: Notification, room: Room): Notification {
  const { title, lead, evidence, impact, nextStep, excerpt, facts, links, note, cluster, list } = notification;
  const sentence = (text: string): string => truncate(text, room.sentence, 'utf16');
  return {
    ...notification,
    title: truncate(title, room.title, 'utf16'),
    lead: sentence(lead),
    evidence: firstOf(evidence, room.sentences).map(sentence),
    facts: facts.slice(0, room.facts).map(({ name, value }) => ({ name: sentence(name), value: sentence(value) })),
    links: webLinks(links, room.links).map((link) => ({ ...link, title: sentence(link.title) })),
    cluster: sentence(cluster),
    ...(impact !== undefined && { impact: sentence(impact) }),
    ...(note !== undefined && { note: sentence(note) }),
    ...(nextStep && { nextStep: { ...nextStep, command: sentence(nextStep.command) } }),
    ...(excerpt && {
      excerpt: { source: sentence(excerpt.source), lines: excerpt.lines.slice(-room.lines).map(sentence) },
    }),
    ...(list && {
      list: { ...list, entries: list.entries.slice(0, 20).map((entry) => ({ ...entry, says: sentence(entry.says) })) },
    }),
  };
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
