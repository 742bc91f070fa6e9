import { lastLines } from '../../message/render/kit/truncate.ts';
import type { Reference } from '../../model/delivery.ts';
import type { Notification } from '../../model/notification.ts';

/** Of a log that is kept: enough to see why it fails, and little for a store that holds it for each open incident. Bytes. */
const maxKeptBytes = 2_000;

/**
 * The log of a message that later acts overwrite, for its reference: logs are read for openings and relapses alone, and an edit must
 * not take away what the opening has shown.
 */
export function keptLog({ excerpt }: Pick<Notification, 'excerpt'>): { readonly log?: string } {
  if (!excerpt || excerpt.lines.length === 0) return {};
  const lines = lastLines(excerpt.lines, maxKeptBytes, 'bytes').split('\n');
  return { log: JSON.stringify({ source: excerpt.source, lines }) };
}

/** The notification with the log that was kept with the message it overwrites, unless it has one of its own. */
export function withKeptLog(notification: Notification, ref: Reference | undefined): Notification {
  const excerpt = notification.excerpt ? undefined : excerptOf(ref?.log);
  return excerpt ? { ...notification, excerpt } : notification;
}

function excerptOf(log: string | undefined): Notification['excerpt'] {
  if (log === undefined) return undefined;
  const { source, lines }: { readonly source?: unknown; readonly lines?: unknown } = Object(parsed(log));
  if (typeof source !== 'string' || !Array.isArray(lines)) return undefined;
  return { source, lines: lines.filter((line) => typeof line === 'string') };
}

/** References are read from disk: what is none of ours is nothing. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
