import type { Announcement, SummaryAnnouncement } from '../model/announcement.ts';
import { shortHash } from '../model/hash.ts';
import type { Incident } from '../model/incident.ts';
import type { Ref } from '../model/ref.ts';
import type { ProviderSettings, Settings } from '../model/settings.ts';
import { chatTraits, makesThings, type Traits } from '../model/traits.ts';
import { audienceOf, providersFor, viewFor } from './audiences.ts';
import type { Book } from './book.ts';
import type { Desk } from './desk.ts';
import { readerOf } from './readers.ts';
import { summaryOf, wasListed, withListing } from './summary.ts';
import { judgeAlone } from './suppression.ts';

/** What welcoming needs to know. */
export type Welcome = {
  /** Providers that can deliver now. */
  readonly usable: readonly Ref[];
  /** A baseline was taken in this life, not continued from state. */
  readonly fresh: boolean;
  readonly clusterId: string;
  readonly book: Book;
  readonly settings: Settings;
  readonly traits: Traits;
  readonly now: number;
  readonly introduce: Desk['introduce'];
};

/**
 * Tells a provider that becomes able to deliver what is open: at the start what the baseline found, later the incidents whose
 * opening never reached it (nobody was configured yet, or it was broken and is repaired). Chats read one summary; trackers
 * and pagers get what is no baseline one by one, and pagers one alert for what is urgent of the baseline.
 */
export type Newcomers = { welcome(context: Welcome): Announcement[] };

/** What this provider should know and does not: neither told nor listed, nor muted, nor left to the digest. */
function unknownTo(provider: ProviderSettings, reader: Ref, { book, settings, now }: Welcome): Incident[] {
  const audience = audienceOf(provider, settings);
  return book.all().filter((incident) => {
    const standing = incident.standings[audience]?.disposition;
    if (incident.state !== 'Open' && incident.state !== 'Recovering') return false;
    if (standing !== 'Delivered' && standing !== 'Baseline') return false;
    if (incident.toldTo.includes(provider.ref) || wasListed(incident, reader)) return false;
    const view = viewFor(audience, incident.explanation);
    if (view === undefined || !providersFor(audience, view, settings).includes(provider)) return false;
    if (standing === 'Delivered') return true;
    const { disposition } = judgeAlone(view, audience, settings, now);
    return settings.app.startupMessage !== 'Never' && disposition !== 'Filtered' && disposition !== 'Silenced';
  });
}

/** What a provider reads in one summary, and what it is told one by one. `reader`: whoever can show its summaries. */
type Reading = {
  readonly provider: ProviderSettings;
  readonly reader: Ref | undefined;
  readonly listed: readonly Incident[];
  readonly alone: readonly Incident[];
};

function readingOf(provider: ProviderSettings, context: Welcome): Reading {
  const { settings, traits } = context;
  const kind = traits.get(provider.type) ?? chatTraits;
  const reader = readerOf(provider, 'startup', settings, traits);
  const unknown = unknownTo(provider, reader?.ref ?? provider.ref, context);
  const alone = makesThings(kind) ? unknown.filter(({ baseline }) => !baseline) : [];
  const rest = unknown.filter((incident) => !alone.includes(incident));
  const urgent = ({ explanation: { severity } }: Incident): boolean => severity === 'critical' || severity === 'high';
  const listed = reader === undefined ? [] : kind.plain === 'alert' ? rest.filter(urgent) : rest;
  return { provider, reader: reader?.ref, listed, alone };
}

/** Makes a watch over which providers can deliver. */
export function createNewcomers(): Newcomers {
  let known = new Map<Ref, number>();
  /** Whether a start with nothing broken has been told, or something else instead. */
  let greeted = false;

  function summarize(group: readonly Reading[], greets: boolean, { settings, clusterId, book, traits, now }: Welcome) {
    const [first] = group;
    if (first === undefined || (first.listed.length === 0 && !greets)) return [];
    const refs = group.flatMap(({ reader }) => reader ?? []);
    if (refs.length === 0) return [];
    const id = shortHash(['startup', clusterId, now, ...refs]);
    for (const provider of refs)
      for (const { id: incidentId } of first.listed) {
        const incident = book.get(incidentId);
        if (incident === undefined) continue;
        const listed = withListing(incident, provider, 'startup', id);
        // What is no baseline counts as announced: its end will be told. Of the baseline only the summary speaks.
        book.put(incident.baseline ? listed : { ...listed, toldTo: [...listed.toldTo, provider] });
      }
    const summary = summaryOf('startup', id, 'opening', first.listed, audienceOf(first.provider, settings), refs);
    return [isAlert(first.provider, traits) ? { ...summary, alertKey: startupKey(clusterId) } : summary];
  }

  return {
    welcome(context) {
      const { usable, fresh, settings, traits, introduce } = context;
      const able = settings.providers.filter(({ ref }) => usable.includes(ref));
      const arrived = able.filter(({ ref, generation }) => known.get(ref) !== generation);
      known = new Map(able.map(({ ref, generation }) => [ref, generation]));
      const readings = arrived.map((provider) => readingOf(provider, context));
      const greets = fresh && !greeted && settings.app.startupMessage === 'Always';
      if (arrived.length > 0) greeted = true;
      // Providers of one audience that are to read the same get one message; an alert is a message of another kind.
      const same = Map.groupBy(readings, ({ provider, listed }) =>
        [audienceOf(provider, settings), isAlert(provider, traits), ...listed.map(({ id }) => id)].join('|'),
      );
      return [
        ...[...same.values()].flatMap((group) =>
          summarize(group, greets && !group.some(({ provider }) => isAlert(provider, traits)), context),
        ),
        ...readings.flatMap(({ provider, alone }) => introduce(provider, alone)),
      ];
    },
  };
}

const isAlert = ({ type }: ProviderSettings, traits: Traits): boolean => traits.get(type)?.plain === 'alert';

/** What a pager knows the alert of the startup summary by: after a restart the same alert goes on. */
function startupKey(clusterId: string): string {
  return shortHash(['startup', clusterId]);
}

/** The end of the one alert that a pager made of the startup summary, once nothing that it stood for is open any more. */
export function startupsOver(
  resolved: readonly Incident[],
  { book, settings, traits, clusterId }: Pick<Welcome, 'book' | 'settings' | 'traits' | 'clusterId'>,
): SummaryAnnouncement[] {
  return settings.providers.flatMap((provider) => {
    if (!provider.active.is || !isAlert(provider, traits)) return [];
    const isIn = (incident: Incident): boolean => wasListed(incident, provider.ref, 'startup');
    if (!resolved.some(isIn)) return [];
    const stoodFor = book.all().filter(isIn);
    if (stoodFor.some(({ state }) => state !== 'Resolved')) return [];
    const id = stoodFor.at(-1)?.listedIn?.findLast(({ provider: reader }) => reader === provider.ref)?.id ?? '';
    const summary = summaryOf('startup', id, 'closing', stoodFor, audienceOf(provider, settings), [provider.ref]);
    return [{ ...summary, alertKey: startupKey(clusterId) }];
  });
}
