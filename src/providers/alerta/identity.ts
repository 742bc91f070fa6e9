import { truncate } from '../../message/render/kit/truncate.ts';
import type { Act, Notification } from '../../model/notification.ts';
import { kindOf, nameOf, namespaceOf } from '../../model/ref.ts';

/** What Alerta knows an alert by; there is no key of the sender's choice. */
export type Identity = { readonly environment: string; readonly resource: string; readonly event: string };

/** Messages about no incident → their event. */
const plainEvents: Readonly<Partial<Record<Act, string>>> = {
  startup: 'TocsinStartup',
  digest: 'TocsinDigest',
  overview: 'TocsinOverview',
  test: 'TocsinTest',
};

/** Room for the longest names there are; UTF-16 units. Alerta has no limit. */
const maxName = 512;

/** Where it is and what is wrong there, as it was told first. Of two incidents with one name, the later key ends in `#2`. */
export function identityOf(notification: Notification, alertKey: string, environment: string): Identity {
  const { act, cluster, incident } = notification;
  if (!incident) {
    // Storms may last at a time, and the end of one closes its own alert alone.
    const which = act === 'overview' ? alertKey : '';
    return { environment, resource: path([cluster, 'tocsin', which]), event: plainEvents[act] ?? 'Tocsin' };
  }
  const { root, reason } = incident;
  const resource = path([cluster, namespaceOf(root), kindOf(root), nameOf(root)]);
  return { environment, resource, event: `${reason}${/#\d+$/.exec(alertKey)?.[0] ?? ''}` };
}

function path(parts: readonly string[]): string {
  return safeName(parts.filter((part) => part !== '').join('/'));
}

/** A name that is nothing else. Alerta shows these fields escaped; no name needs the characters of HTML all the same. */
export function safeName(text: string): string {
  return truncate(text.replace(/[<>&"'`\s]+/g, ' ').trim(), maxName, 'utf16');
}
