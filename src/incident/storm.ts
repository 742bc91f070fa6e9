import type { SummaryAnnouncement } from '../model/announcement.ts';
import { shortHash } from '../model/hash.ts';
import type { Audience, Incident } from '../model/incident.ts';
import type { Ref } from '../model/ref.ts';
import type { Book } from './book.ts';
import { summaryOf, withListing } from './summary.ts';

/** More openings than this in a minute are a storm for people: they get one overview. */
const perMinute = 20;
const windowMs = 60_000;

/** An announcement on its way to one provider. */
export type Opening = { readonly incident: string; readonly provider: Ref; readonly audience: Audience };

/** Watches how much each provider is told. */
export type Storms = {
  /** Of what is about to be announced to one provider, what goes out by itself; the rest becomes an overview. */
  sift(openings: readonly Opening[], book: Book, now: number): { alone: Opening[]; overview?: SummaryAnnouncement };
  /** An overview of what came in the course of storms that are over now. */
  ended(book: Book, now: number): SummaryAnnouncement[];
  /** When the next storm may be over (epoch milliseconds). */
  wakeAt(): number | undefined;
};

type Storm = { readonly provider: Ref; readonly audience: Audience; lastAt: number; readonly unlisted: string[] };

function overview(
  ids: readonly string[],
  provider: Ref,
  audience: Audience,
  book: Book,
  now: number,
): SummaryAnnouncement {
  const id = shortHash(['overview', provider, now, ...ids]);
  const incidents = ids.flatMap((one) => book.get(one) ?? []);
  for (const incident of incidents) book.put(withListing(incident, provider, 'overview', id));
  return summaryOf('overview', id, 'opening', incidents, audience, [provider]);
}

/** Makes a watch that has seen nothing yet. */
export function createStorms(): Storms {
  const recent = new Map<Ref, number[]>();
  const storms = new Map<Ref, Storm>();
  return {
    sift(openings, book, now) {
      const [first] = openings;
      if (first === undefined) return { alone: [] };
      const { provider, audience } = first;
      const storm = storms.get(provider);
      if (storm) {
        storm.unlisted.push(...openings.map(({ incident }) => incident));
        storm.lastAt = now;
        return { alone: [] };
      }
      const times = (recent.get(provider) ?? []).filter((at) => at > now - windowMs);
      if (times.length + openings.length <= perMinute) {
        recent.set(provider, [...times, ...openings.map(() => now)]);
        return { alone: [...openings] };
      }
      recent.delete(provider);
      storms.set(provider, { provider, audience, lastAt: now, unlisted: [] });
      const ids = openings.map(({ incident }) => incident);
      return { alone: [], overview: overview(ids, provider, audience, book, now) };
    },
    ended(book, now) {
      const over = [...storms.values()].filter(({ lastAt }) => now >= lastAt + windowMs);
      return over.flatMap(({ provider, audience, unlisted }) => {
        storms.delete(provider);
        const left = unlisted.filter((id) => ['Open', 'Recovering'].includes(book.get(id)?.state ?? ''));
        return left.length === 0 ? [] : [overview(left, provider, audience, book, now)];
      });
    },
    wakeAt() {
      const ends = [...storms.values()].map(({ lastAt }) => lastAt + windowMs);
      return ends.length === 0 ? undefined : Math.min(...ends);
    },
  };
}

/** One closing overview for each provider once nothing that it saw in an overview is open any more. */
export function closings(
  resolved: readonly Incident[],
  book: Book,
  audience: (provider: Ref) => Audience | undefined,
): SummaryAnnouncement[] {
  const overviews = new Map<string, Ref>();
  for (const { listedIn } of resolved)
    for (const { act, id, provider } of listedIn ?? []) if (act === 'overview') overviews.set(id, provider);
  return [...overviews].flatMap(([id, provider]) => {
    const seen = book
      .all()
      .filter(({ listedIn }) => listedIn?.some((one) => one.id === id && one.provider === provider));
    const speaksTo = audience(provider);
    if (speaksTo === undefined || seen.some(({ state }) => state !== 'Resolved')) return [];
    return [summaryOf('overview', id, 'closing', seen, speaksTo, [provider])];
  });
}
