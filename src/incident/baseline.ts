import { shortHash } from '../model/hash.ts';
import type { Incident } from '../model/incident.ts';
import type { Ref } from '../model/ref.ts';
import type { ProviderSettings, Settings } from '../model/settings.ts';
import type { SummaryTelling } from '../model/telling.ts';
import { audienceOf, providersFor, viewFor } from './audiences.ts';
import type { Book } from './book.ts';
import { summaryOf, wasListed, withListing } from './summary.ts';
import { judgeAlone } from './suppression.ts';

/**
 * Summarizes what is open to a provider that becomes able to deliver: at the start what the baseline found, later the
 * incidents whose opening never reached it (nobody was configured yet, or it was broken and is repaired).
 */
export type Newcomers = {
  /** `usable`: providers that can deliver now. `fresh`: a baseline was taken in this life, not continued from state. */
  welcome(
    usable: readonly Ref[],
    fresh: boolean,
    clusterId: string,
    book: Book,
    settings: Settings,
    now: number,
  ): SummaryTelling[];
};

/** What a summary would tell this provider: not what it knows, nor what is muted or goes to the digest. */
function unknownTo(provider: ProviderSettings, book: Book, settings: Settings, now: number): Incident[] {
  const audience = audienceOf(provider, settings);
  return book.all().filter((incident) => {
    const standing = incident.standings[audience]?.disposition;
    if (incident.state !== 'Open' && incident.state !== 'Recovering') return false;
    if (standing !== 'Delivered' && standing !== 'Baseline') return false;
    if (incident.toldTo.includes(provider.ref) || wasListed(incident, provider.ref)) return false;
    const view = viewFor(audience, incident.explanation);
    if (view === undefined || !providersFor(audience, view, settings).includes(provider)) return false;
    if (standing === 'Delivered') return true;
    const { disposition } = judgeAlone(view, audience, settings, now);
    return settings.app.startupMessage !== 'Never' && disposition !== 'Filtered' && disposition !== 'Silenced';
  });
}

/** Makes a watch over which providers can deliver. */
export function createNewcomers(): Newcomers {
  let known = new Map<Ref, number>();
  /** Whether a start with nothing broken has been told, or something else instead. */
  let greeted = false;
  return {
    welcome(usable, fresh, clusterId, book, settings, now) {
      const able = settings.providers.filter(({ ref }) => usable.includes(ref));
      const arrived = able.filter(({ ref, generation }) => known.get(ref) !== generation);
      known = new Map(able.map(({ ref, generation }) => [ref, generation]));
      const lists = arrived.map((provider) => ({ provider, incidents: unknownTo(provider, book, settings, now) }));
      const greets = fresh && !greeted && settings.app.startupMessage === 'Always';
      if (arrived.length > 0) greeted = true;
      // Providers of one audience that are to read the same get one message.
      const same = Map.groupBy(lists, ({ provider, incidents }) =>
        [audienceOf(provider, settings), ...incidents.map(({ id }) => id)].join('|'),
      );
      return [...same.values()].flatMap((group) => {
        const [first] = group;
        if (first === undefined || (first.incidents.length === 0 && !greets)) return [];
        const refs = group.map(({ provider }) => provider.ref);
        const id = shortHash(['startup', clusterId, now, ...refs]);
        for (const provider of refs)
          for (const { id: incidentId } of first.incidents) {
            const incident = book.get(incidentId);
            if (incident === undefined) continue;
            const listed = withListing(incident, provider, 'startup', id);
            // What is no baseline counts as announced: its end will be told. Of the baseline only the summary speaks.
            book.put(incident.baseline ? listed : { ...listed, toldTo: [...listed.toldTo, provider] });
          }
        return [summaryOf('startup', id, 'opening', first.incidents, audienceOf(first.provider, settings), refs)];
      });
    },
  };
}
