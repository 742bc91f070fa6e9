import type { Notification } from '../model/notification.ts';
import { cleanText, redact } from '../model/redact.ts';

/** Longest line of an excerpt, and longest sentence; UTF-16 units. */
const maxLineChars = 500;
const maxSentenceChars = 1000;

/** One line, without secrets and control characters. */
export function cleanLine(text: string, maxChars = maxSentenceChars): string {
  return cleanText(redact(text).replace(/\s+/g, ' ').trim(), maxChars);
}

/** Lines of a log as they may leave the cluster: redacted as a whole, since a key spans several lines. */
export function cleanLines(lines: readonly string[], maxLines: number): readonly string[] {
  return cleanText(redact(lines.join('\n')))
    .split('\n')
    .map((line) => cleanText(line.trimEnd(), maxLineChars))
    .filter((line) => line !== '')
    .slice(-maxLines);
}

/** The notification with every text of the cluster cleaned: names, sentences, facts, labels. */
export function cleanNotification(notification: Notification): Notification {
  const { incident, nextStep, excerpt, note, impact, list } = notification;
  return {
    ...notification,
    title: cleanLine(notification.title),
    lead: cleanLine(notification.lead),
    evidence: notification.evidence.map((text) => cleanLine(text)),
    facts: notification.facts.map(({ name, value }) => ({ name, value: cleanLine(value) })),
    cluster: cleanLine(notification.cluster),
    ...(impact !== undefined && { impact: cleanLine(impact) }),
    ...(note !== undefined && { note: cleanLine(note) }),
    ...(excerpt && { excerpt: { ...excerpt, source: cleanLine(excerpt.source) } }),
    ...(nextStep && { nextStep: { ...nextStep, command: cleanLine(nextStep.command) } }),
    ...(list && {
      list: { ...list, entries: list.entries.map((entry) => ({ ...entry, says: cleanLine(entry.says) })) },
    }),
    ...(incident && {
      incident: {
        ...incident,
        ...(incident.cause !== undefined && { cause: cleanLine(incident.cause) }),
        pods: incident.pods.map((pod) => ({
          ...pod,
          name: cleanLine(pod.name),
          ...(pod.container !== undefined && { container: cleanLine(pod.container) }),
        })),
        labels: Object.fromEntries(Object.entries(incident.labels).map(([key, value]) => [key, cleanLine(value)])),
      },
    }),
  };
}
