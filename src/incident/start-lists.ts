import type { SummaryAnnouncement } from '../model/announcement.ts';
import { shortHash } from '../model/hash.ts';
import { expected, hearingOf } from '../model/hearing.ts';
import type { Incident, ProviderUid } from '../model/incident.ts';
import { effectiveRoutes } from '../model/routes.ts';
import type { ProviderSettings } from '../model/settings.ts';
import { makesThings } from '../model/traits.ts';
import { viewFor, wholeCluster } from '../model/view.ts';
import { audienceOf, type StepContext, traitsOf } from './context.ts';
import { byUrgency, type Extent, isWithin } from './extent.ts';
import { afterListing, afterSending, isUnderWay, toldByList } from './hearing.ts';
import { introduction, isMutedFor, isUnknownTo, lateUpdate } from './late-messages.ts';
import { makesAlert, startupKey } from './list-endings.ts';
import type { Message } from './notices.ts';
import { readerOf } from './readers.ts';
import type { IncidentStore } from './store.ts';
import { summaryOf } from './summary.ts';
import { asTold } from './told.ts';

/** What was there before Tocsin could see it, found in this step: every provider that can be told reads of it. */
export type Found = { readonly incidents: ReadonlySet<string>; readonly newlySeen: readonly string[] };

/** What a provider reads in one summary, and what it is told one by one. `reader`: whoever can show its summaries. */
export type Reading = {
  readonly provider: ProviderSettings;
  readonly reader: ProviderSettings | undefined;
  readonly listed: readonly Incident[];
  readonly alone: readonly Message[];
  /** It should know of something that is muted now. */
  readonly isMuted: boolean;
};

/** What a provider should know and does not, as it is told: in a summary or one by one. */
export function readingOf(
  provider: ProviderSettings,
  incidents: readonly Incident[],
  extent: Extent,
  context: StepContext,
): Reading {
  const { settings } = context;
  const traits = traitsOf(provider, context.traits);
  const reader = readerOf(provider, 'startup', settings, context.traits);
  const own = incidents.filter((incident) => isWithin(extent, incident, provider));
  // What a flood has swallowed waits for its overview, unless whoever is to read that has just come.
  const waits = (incident: Incident): boolean =>
    extent !== 'all' && hearingOf(incident, provider.uid).collapsed !== undefined;
  const all = own.filter(
    (incident) => !waits(incident) && isUnknownTo(incident, provider, reader ?? provider, context),
  );
  const unknown = all.filter((incident) => !isMutedFor(incident, provider, context));
  // What a list has named as milder is told by itself: the next list is no place to find out that it is worse.
  const isAlone = (incident: Incident): boolean => {
    const hearing = hearingOf(incident, provider.uid);
    return makesThings(traits) ? !incident.baseline : isUnderWay(hearing) || toldByList(incident, hearing) === 'milder';
  };
  const things = unknown.filter(isAlone);
  // Who reads the lists in its place has been told of some by itself.
  const isRead = (incident: Incident): boolean =>
    reader !== undefined && reader !== provider && expected(hearingOf(incident, reader.uid)).knows !== 'nothing';
  const rest = unknown.filter((incident) => !isAlone(incident) && !isRead(incident));
  const urgent = ({ explanation: { severity } }: Incident): boolean => severity === 'critical' || severity === 'high';
  const makesOne = reader !== undefined && makesAlert(reader, context.traits);
  const listed = reader === undefined ? [] : makesOne ? rest.filter(urgent) : rest;
  const alone = [
    ...things.toSorted(byUrgency(provider)).flatMap((incident) => introduction(incident, provider, context)),
    ...own.toSorted(byUrgency(provider)).flatMap((incident) => lateUpdate(incident, provider, context)),
  ];
  const most = listed.length > 0 ? 0 : 1;
  const isMuted = unknown.length < all.length;
  return { provider, reader, listed, alone: extent === 'one' ? alone.slice(0, most) : alone, isMuted };
}

/**
 * The start summaries of these readings, one for providers that are to read the same. `tellsStart`: also that nothing is broken.
 */
export function startLists(
  readings: readonly Reading[],
  tellsStart: boolean,
  found: Found | undefined,
  store: IncidentStore,
  context: StepContext,
): SummaryAnnouncement[] {
  return groupsOf(readings, context).flatMap((group) => summarize(group, tellsStart, found, store, context));
}

/** Whether a provider is told of part of the cluster only. */
function readsOfPart(provider: ProviderSettings, settings: StepContext['settings']): boolean {
  return audienceOf(provider, settings) !== wholeCluster || effectiveRoutes(provider, settings).length > 0;
}

/** Providers of one audience that are to read the same get one message; of pagers each makes an alert of its own. */
function groupsOf(readings: readonly Reading[], { settings, traits }: StepContext): readonly Reading[][] {
  const same = Map.groupBy(readings, ({ provider, reader = provider, listed }) => {
    const alert = makesAlert(reader, traits) ? reader.uid : '';
    const kind = [audienceOf(provider, settings), alert, readsOfPart(provider, settings)];
    return [...kind, ...listed.map(({ id }) => id)].join('|');
  });
  return [...same.values()];
}

/** One startup summary for providers that are to read the same. */
function summarize(
  group: readonly Reading[],
  tellsStart: boolean,
  found: Found | undefined,
  store: IncidentStore,
  { settings, clusterId, traits, now }: StepContext,
): SummaryAnnouncement[] {
  const [first] = group;
  if (first === undefined) return [];
  const { reader: whoReads = first.provider } = first;
  const alert = makesAlert(whoReads, traits);
  const readers = group.flatMap(({ reader }) => reader ?? []);
  if (readers.length === 0 || (first.listed.length === 0 && (!tellsStart || alert))) return [];
  const refs = readers.map(({ ref }) => ref);
  const id = shortHash(['startup', clusterId, now, ...refs, ...first.listed.map((incident) => incident.id)]);
  const audience = audienceOf(first.provider, settings);
  for (const reader of readers)
    for (const { id: incident } of first.listed) remember(incident, reader.uid, id, audience, store, now);
  const summary = summaryOf('startup', id, 'opening', first.listed, audience, refs);
  const late = found && summary.atStart && first.listed.every((one) => found.incidents.has(one.id));
  return [
    {
      ...summary,
      ...(late && found.newlySeen.length > 0 && { newlySeen: found.newlySeen }),
      ...(alert && { alertKey: startupKey(clusterId, whoReads) }),
      ...(readsOfPart(first.provider, settings) && { ofPart: true }),
    },
  ];
}

/**
 * What is no baseline counts as announced: its end will be told. Of the baseline only the summary speaks, and of what is in the one alert that a
 * pager makes of it (`isAlert`), whose end is told instead.
 */
export function remember(
  incident: string,
  reader: ProviderUid,
  summary: string,
  audience: string,
  store: IncidentStore,
  now: number,
  isAlert = false,
): void {
  const known = store.get(incident);
  if (known === undefined) return;
  const hearing = hearingOf(known, reader);
  const view = viewFor(audience, known.explanation) ?? known.explanation;
  const told = asTold(view, now, known);
  const after =
    known.baseline || isAlert
      ? afterListing(hearing, 'startup', summary, view.severity)
      : afterSending(hearing, { act: 'startup', sequence: 1, told, summary });
  store.hear(known.id, reader, after);
}
