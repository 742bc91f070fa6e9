import type { Notification } from '../../model/notification.ts';
import { compareSeverity } from '../../model/severity.ts';

/** Whether everybody must see a later act, not only the readers of a thread or of an edit: it is back, or worse than was told. */
export function isLoud({ act, incident, severity }: Notification): boolean {
  const before = incident?.previousSeverity;
  return act === 'reopen' || (act === 'update' && before !== undefined && compareSeverity(severity, before) < 0);
}
