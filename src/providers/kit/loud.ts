import type { Notification } from '../../model/notification.ts';
import { compareSeverity } from '../../model/severity.ts';

/**
 * Whether everybody must see a later act, not only the readers of a thread or of an edit: it is back, worse or much wider than was
 * told, or a reminder that somebody asked for.
 */
export function isLoud({ act, incident, severity }: Notification): boolean {
  const before = incident?.previousSeverity;
  if (act !== 'update') return act === 'reopen';
  return incident?.ring === true || (before !== undefined && compareSeverity(severity, before) < 0);
}
