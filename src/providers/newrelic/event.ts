import { lastLines } from '../../message/render/kit/truncate.ts';
import { logEntry } from '../../message/render/log-entry.ts';
import type { Notification } from '../../model/notification.ts';

/** The largest of an event's texts; New Relic takes 4,096 characters and drops or cuts what is longer. UTF-16 units. */
const maxValue = 4_000;
/** Bytes; New Relic takes a million. An eighth of it is the longest row but the log. */
const maxEventBytes = 30_000;
/** New Relic drops events whose time is more than 24 h from its own: later ones get the time of the attempt. Milliseconds. */
const oldestMs = 23 * 3_600_000;

/** A flat event for NRQL: texts and numbers only, since anything nested makes New Relic drop it without a word. */
export function eventOf(notification: Notification, alertKey: string, now: number) {
  const { logs, ...entry } = logEntry(notification, alertKey, { max: maxEventBytes, quiet: withoutControls });
  return {
    eventType: notification.incident ? 'TocsinIncident' : 'TocsinMessage',
    timestamp: now - notification.at > oldestMs ? now : notification.at,
    occurredAt: new Date(notification.at).toISOString(),
    source: 'tocsin',
    ...entry,
    ...(typeof logs === 'string' && { logs: lastLines(logs.split('\n'), maxValue, 'utf16') }),
  };
}

function withoutControls(text: string): string {
  return text.replace(/(?![\n\t])\p{Cc}/gu, ' ');
}
