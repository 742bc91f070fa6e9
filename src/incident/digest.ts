import { shortHash } from '../model/hash.ts';
import type { Incident } from '../model/incident.ts';
import type { Ref } from '../model/ref.ts';
import type { Settings } from '../model/settings.ts';
import type { SummaryTelling } from '../model/telling.ts';
import { audienceOf, providersFor, viewFor } from './audiences.ts';
import type { Book } from './book.ts';
import { summaryOf, wasListed, withListing } from './summary.ts';

/** Collects what is of low severity and lists it from time to time, each incident once per provider. */
export type Digest = {
  /** The digests that are due, and when the next one is (epoch milliseconds). */
  due(book: Book, settings: Settings, now: number): { tellings: SummaryTelling[]; wakeAt?: number };
};

/** Makes a digest that has listed nothing yet. */
export function createDigest(): Digest {
  const lastAt = new Map<Ref, number>();
  return {
    due(book, settings, now) {
      const intervalMs = settings.digest.intervalSeconds * 1000;
      const tellings: SummaryTelling[] = [];
      const wakes: number[] = [];
      for (const provider of settings.providers) {
        const audience = audienceOf(provider, settings);
        const isNew = (incident: Incident): boolean => {
          if (incident.state !== 'Open' || incident.standings[audience]?.disposition !== 'Digested') return false;
          const view = viewFor(audience, incident.explanation);
          return (
            !wasListed(incident, provider.ref, 'digest') &&
            view !== undefined &&
            providersFor(audience, view, settings).includes(provider)
          );
        };
        const fresh = book.all().filter(isNew);
        if (fresh.length === 0) continue;
        const first = Math.min(...fresh.map(({ standings }) => standings[audience]?.at ?? now));
        const dueAt = Math.max(first, lastAt.get(provider.ref) ?? 0) + intervalMs;
        if (now < dueAt) {
          wakes.push(dueAt);
          continue;
        }
        const id = shortHash(['digest', provider.ref, now]);
        for (const incident of fresh) book.put(withListing(incident, provider.ref, 'digest', id));
        lastAt.set(provider.ref, now);
        tellings.push(summaryOf('digest', id, 'opening', fresh, audience, [provider.ref]));
      }
      return wakes.length === 0 ? { tellings } : { tellings, wakeAt: Math.min(...wakes) };
    },
  };
}
