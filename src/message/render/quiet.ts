import type { Notification } from '../../model/notification.ts';

/**
 * Plain text for products that hand it on to chat: a zero-width space follows whatever Slack, Teams or Discord would take for a
 * mention or a link with another name. The text still reads and copies as it is, but for these.
 */
export function quietText(text: string): string {
  return text.replace(/<(?=[!@#&/]|[a-z])|@(?=here|channel|everyone|all|group)|\](?=\()/gi, '$&\u200b');
}

/** The notification with every text in it made harmless by `quiet`; the addresses of its links stay as they are. */
export function quieted(notification: Notification, quiet: (text: string) => string): Notification {
  const { title, lead, evidence, impact, nextStep, excerpt, facts, links, note, cluster, list } = notification;
  return {
    ...notification,
    title: quiet(title),
    lead: quiet(lead),
    evidence: evidence.map(quiet),
    facts: facts.map(({ name, value }) => ({ name: quiet(name), value: quiet(value) })),
    links: links.map((link) => ({ ...link, title: quiet(link.title) })),
    cluster: quiet(cluster),
    ...(impact !== undefined && { impact: quiet(impact) }),
    ...(note !== undefined && { note: quiet(note) }),
    ...(nextStep && { nextStep: { ...nextStep, command: quiet(nextStep.command) } }),
    ...(excerpt && { excerpt: { source: quiet(excerpt.source), lines: excerpt.lines.map(quiet) } }),
    ...(list && { list: { ...list, entries: list.entries.map((entry) => ({ ...entry, says: quiet(entry.says) })) } }),
  };
}
