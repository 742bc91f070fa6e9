import type { SummaryAnnouncement } from '../model/announcement.ts';
import { shortHash } from '../model/hash.ts';
import type { Incident } from '../model/incident.ts';
import { earliest } from '../model/instants.ts';
import type { ProviderSettings } from '../model/settings.ts';
import { audienceOf, type StepContext } from './context.ts';
import { readerOf } from './readers.ts';
import { isTakenBy } from './routing.ts';
import type { IncidentStore } from './store.ts';
import { summaryOf, wasListed, withListing } from './summary.ts';

/** What is of low severity and was not listed yet, be it over by now: what came and went in the interval is told as well. */
function isNew(
  incident: Incident,
  provider: ProviderSettings,
  reader: ProviderSettings,
  context: StepContext,
): boolean {
  const audience = audienceOf(provider, context.settings);
  if (incident.standings[audience]?.disposition !== 'Digested') return false;
  // Who was told of it by itself, when it was worse, need not read of it again.
  if (wasListed(incident, reader.uid, 'digest') || incident.toldTo.includes(reader.uid)) return false;
  return isTakenBy(provider, incident);
}

/**
 * The digests that are due: what is of low severity and new to a provider, listed once the first of it has waited for the
 * interval. So there is at most one message per interval, and none when nothing is new. `wakeAt`: when the next one is due
 * (epoch milliseconds).
 */
export function digestsDue(
  store: IncidentStore,
  context: StepContext,
): { announcements: SummaryAnnouncement[]; wakeAt: number } {
  const { settings, traits, now } = context;
  const announcements: SummaryAnnouncement[] = [];
  const wakes: number[] = [];
  for (const provider of settings.providers) {
    const reader = provider.active.is ? readerOf(provider, 'digest', settings, traits) : undefined;
    if (reader === undefined) continue;
    const audience = audienceOf(provider, settings);
    const fresh = store.all().filter((incident) => isNew(incident, provider, reader, context));
    if (fresh.length === 0) continue;
    const first = earliest(fresh.map(({ standings }) => standings[audience]?.at ?? now));
    const dueAt = first + settings.digest.intervalSeconds * 1000;
    if (now < dueAt) {
      wakes.push(dueAt);
      continue;
    }
    const id = shortHash(['digest', reader.ref, now]);
    for (const incident of fresh) store.put(withListing(incident, reader.uid, 'digest', id));
    announcements.push(summaryOf('digest', id, 'opening', fresh, audience, [reader.ref]));
  }
  return { announcements, wakeAt: earliest(wakes) };
}
