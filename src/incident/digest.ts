import type { SummaryAnnouncement } from '../model/announcement.ts';
import { shortHash } from '../model/hash.ts';
import type { Incident } from '../model/incident.ts';
import type { Settings } from '../model/settings.ts';
import type { Traits } from '../model/traits.ts';
import { audienceOf, providersFor, viewFor } from './audiences.ts';
import type { Book } from './book.ts';
import { readerOf } from './readers.ts';
import { summaryOf, wasListed, withListing } from './summary.ts';

/**
 * The digests that are due: what is of low severity and new to a provider, listed once the first of it has waited for the
 * interval. So there is at most one message per interval, and none when nothing is new. `wakeAt`: when the next one is due
 * (epoch milliseconds).
 */
export function digestsDue(
  book: Book,
  settings: Settings,
  traits: Traits,
  now: number,
): { announcements: SummaryAnnouncement[]; wakeAt?: number } {
  const announcements: SummaryAnnouncement[] = [];
  const wakes: number[] = [];
  for (const provider of settings.providers) {
    const reader = readerOf(provider, 'digest', settings, traits)?.ref;
    if (reader === undefined) continue;
    const audience = audienceOf(provider, settings);
    const isNew = (incident: Incident): boolean => {
      if (incident.state !== 'Open' || incident.standings[audience]?.disposition !== 'Digested') return false;
      const view = viewFor(audience, incident.explanation);
      return (
        !wasListed(incident, reader, 'digest') &&
        view !== undefined &&
        providersFor(audience, view, settings).includes(provider)
      );
    };
    const fresh = book.all().filter(isNew);
    if (fresh.length === 0) continue;
    const first = Math.min(...fresh.map(({ standings }) => standings[audience]?.at ?? now));
    const dueAt = first + settings.digest.intervalSeconds * 1000;
    if (now < dueAt) {
      wakes.push(dueAt);
      continue;
    }
    const id = shortHash(['digest', reader, now]);
    for (const incident of fresh) book.put(withListing(incident, reader, 'digest', id));
    announcements.push(summaryOf('digest', id, 'opening', fresh, audience, [reader]));
  }
  return wakes.length === 0 ? { announcements } : { announcements, wakeAt: Math.min(...wakes) };
}
