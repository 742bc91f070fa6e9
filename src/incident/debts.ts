import type { SummaryAnnouncement } from '../model/announcement.ts';
import { shortHash } from '../model/hash.ts';
import { expected, hearingOf } from '../model/hearing.ts';
import type { Decision, Incident, ProviderUid } from '../model/incident.ts';
import { isTrue, type Memory, recall } from '../model/memory.ts';
import { effectiveRoutes } from '../model/routes.ts';
import type { ProviderSettings } from '../model/settings.ts';
import { compareSeverity } from '../model/severity.ts';
import { makesThings } from '../model/traits.ts';
import { viewFor, wholeCluster } from '../model/view.ts';
import { audienceOf, type StepContext, traitsOf } from './context.ts';
import { isOwedEnd, owedEnd } from './endings.ts';
import { afterListing, afterSending, isOwed, openingFor, toldByList, withHearing } from './hearing.ts';
import { makesAlert, startupKey } from './list-endings.ts';
import { isMuted, ruleAlone } from './muting.ts';
import { newsFor } from './news.ts';
import { isTakenBy, type Message } from './notices.ts';
import type { Reach, Reached } from './reach.ts';
import { readerOf } from './readers.ts';
import { standInsFor } from './stand-ins.ts';
import type { IncidentStore } from './store.ts';
import { summaryOf } from './summary.ts';
import { asTold } from './told.ts';

/** What is told to providers of what they should know and do not. */
export type Paid = {
  /** Come first: what ended under a key must be closed before it is opened anew. */
  readonly ends: readonly Message[];
  readonly summaries: readonly SummaryAnnouncement[];
  readonly messages: readonly Message[];
  readonly decisions: readonly Decision[];
};

/** The ends that are told. */
type Ends = Pick<Paid, 'decisions'> & { readonly messages: readonly Message[] };

/** What was there before Tocsin could see it, found in this step: every provider that can be told reads of it. */
export type Found = { readonly incidents: ReadonlySet<string>; readonly newlySeen: readonly string[] };

/** What a provider reads in one summary, and what it is told one by one. `reader`: whoever can show its summaries. */
type Reading = {
  readonly provider: ProviderSettings;
  readonly reader: ProviderSettings | undefined;
  readonly listed: readonly Incident[];
  readonly alone: readonly Message[];
};

/** Which of what is owed is told: all, what the product could not be reached for, or one thing to find out whether it takes messages. */
type Extent = 'all' | 'unreached' | 'one';

/** What this provider should know and does not: neither told nor listed, nor muted, nor left to the digest. */
function isUnknownTo(
  incident: Incident,
  provider: ProviderSettings,
  reader: ProviderSettings,
  context: StepContext,
): boolean {
  const { settings } = context;
  const audience = audienceOf(provider, settings);
  const standing = incident.standings[audience]?.disposition;
  if (incident.state !== 'Open' && incident.state !== 'Recovering') return false;
  if (standing !== 'Delivered' && standing !== 'Baseline') return false;
  const hearing = hearingOf(incident, provider.uid);
  if (openingFor(hearing, traitsOf(provider, context.traits).closesByKey) === undefined) return false;
  if (toldByList(incident, hearingOf(incident, reader.uid)) === 'whole') return false;
  const view = viewFor(audience, incident.explanation);
  if (view === undefined || !isTakenBy(provider, incident)) return false;
  // As it is now: what recovers is not ruled on in every step.
  if (isMuted(ruleAlone(view, audience, context).disposition)) return false;
  return standing === 'Delivered' || settings.app.startupMessage !== 'Never';
}

/** Whether something is told to this extent: what the product refused as it is stays refused, however well the product is. */
function isWithin(extent: Extent, incident: Incident, { uid }: ProviderSettings): boolean {
  return extent !== 'unreached' || hearingOf(incident, uid).trouble?.refused !== true;
}

/** What was given up least often, then what is worst, then what is oldest: one that is refused for ever keeps no other from its turn. */
const byUrgency =
  ({ uid }: ProviderSettings) =>
  (a: Incident, b: Incident): number =>
    (hearingOf(a, uid).trouble?.givenUp ?? 0) - (hearingOf(b, uid).trouble?.givenUp ?? 0) ||
    compareSeverity(a.explanation.severity, b.explanation.severity) ||
    a.startedAt - b.startedAt;

/** An opening, or that it is open again, for who was told of its end. */
function introduction(incident: Incident, provider: ProviderSettings, context: StepContext): Message[] {
  const audience = audienceOf(provider, context.settings);
  const whole = viewFor(audience, incident.explanation);
  const hearing = hearingOf(incident, provider.uid);
  const act = openingFor(hearing, traitsOf(provider, context.traits).closesByKey);
  if (whole === undefined || act === undefined) return [];
  const { view } = ruleAlone(whole, audience, context);
  const notice = { incident: incident.id, audience, reasonCode: 'CurrentlyOpen', view, notes: [] };
  return [{ notice, provider, act }];
}

/** An update that a provider could not be told. */
function lateUpdate(incident: Incident, provider: ProviderSettings, context: StepContext): Message[] {
  const { settings, now, traits } = context;
  const audience = audienceOf(provider, settings);
  const hearing = hearingOf(incident, provider.uid);
  const whole = viewFor(audience, incident.explanation);
  const { told } = expected(hearing);
  const disposition = incident.standings[audience]?.disposition;
  if (incident.state !== 'Open' || (disposition !== 'Delivered' && disposition !== 'Digested')) return [];
  if (whole === undefined || told === undefined || !isOwed(hearing)) return [];
  if (openingFor(hearing, traitsOf(provider, traits).closesByKey) !== undefined) return [];
  const { view } = ruleAlone(whole, audience, context);
  const news = newsFor(told, incident, view, settings, now);
  if (news === undefined || 'notBefore' in news) return [];
  const notice = {
    incident: incident.id,
    audience,
    reasonCode: news.reasonCode,
    view,
    notes: news.notes,
    before: told,
  };
  return [{ notice, provider, act: 'update' }];
}

function readingOf(
  provider: ProviderSettings,
  incidents: readonly Incident[],
  extent: Extent,
  context: StepContext,
): Reading {
  const { settings } = context;
  const traits = traitsOf(provider, context.traits);
  const reader = readerOf(provider, 'startup', settings, context.traits);
  const own = incidents.filter((incident) => isWithin(extent, incident, provider));
  const unknown = own.filter((incident) => isUnknownTo(incident, provider, reader ?? provider, context));
  // What a list has named as milder is told by itself: the next list is no place to find out that it is worse.
  const isAlone = (incident: Incident): boolean =>
    makesThings(traits) ? !incident.baseline : toldByList(incident, hearingOf(incident, provider.uid)) === 'milder';
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
  return { provider, reader, listed, alone: extent === 'one' ? alone.slice(0, listed.length > 0 ? 0 : 1) : alone };
}

/** The ends that a provider is owed. One of an earlier incident whose key is open again for another is no end any more. */
function endsFor(
  provider: ProviderSettings,
  incidents: readonly Incident[],
  extent: Extent,
  context: StepContext,
  store: IncidentStore,
): Ends {
  const messages: Message[] = [];
  const decisions: Decision[] = [];
  for (const incident of extent === 'one' ? incidents.toSorted(byUrgency(provider)) : incidents) {
    if (!isOwedEnd(incident, provider) || !isWithin(extent, incident, provider)) continue;
    if (extent === 'one' && messages.length > 0) break;
    if (isOpenUnder(incident, provider, store, context)) {
      const { trouble, ...hearing } = hearingOf(incident, provider.uid);
      store.hear(incident.id, provider.uid, { ...hearing, knows: 'over' });
      continue;
    }
    const paid = owedEnd(incident, provider, context);
    messages.push(...paid.messages);
    decisions.push(...paid.decisions);
  }
  return { messages, decisions };
}

/** What a fallback could not be told, for whom it stands in. */
function standInDebts(
  fallback: ProviderSettings,
  incidents: readonly Incident[],
  extent: Extent,
  context: StepContext,
  store: IncidentStore,
): Message[] {
  const audience = audienceOf(fallback, context.settings);
  const messages: Message[] = [];
  for (const incident of incidents) {
    const { trouble, standsInFor, ...hearing } = hearingOf(incident, fallback.uid);
    if (incident.state !== 'Open' || trouble === undefined || expected(hearing).knows !== 'nothing') continue;
    if (!isWithin(extent, incident, fallback) || incident.standings[audience]?.disposition !== 'Delivered') continue;
    if (extent === 'one' && messages.length > 0) break;
    const asked = withHearing(incident, fallback.uid, hearing);
    const whole = viewFor(audience, incident.explanation);
    if (whole === undefined) continue;
    const { view } = ruleAlone(whole, audience, context);
    for (const { provider, act, note } of standInsFor(audience, asked, [], context)) {
      if (provider !== fallback) continue;
      store.put(asked);
      messages.push({
        notice: { incident: incident.id, audience, reasonCode: 'StandsIn', view, notes: [note] },
        provider,
        act,
      });
    }
  }
  return messages;
}

/** Whether a pager was told of a later incident under the same key: for its product that is the same alert. */
function isOpenUnder(
  { id, alertKey }: Incident,
  provider: ProviderSettings,
  store: IncidentStore,
  { traits }: StepContext,
): boolean {
  if (traitsOf(provider, traits).family !== 'pager') return false;
  const { uid } = provider;
  return store
    .withKey(alertKey)
    .some((other) => other.id !== id && expected(hearingOf(other, uid)).knows !== 'nothing');
}

/** Whether a provider is told of part of the cluster only. */
function readsOfPart(provider: ProviderSettings, settings: StepContext['settings']): boolean {
  return audienceOf(provider, settings) !== wholeCluster || effectiveRoutes(provider, settings).length > 0;
}

/**
 * Tells providers what they should know and do not: at the start what the baseline found, later what never reached them (nobody was
 * configured yet, or it could not be told and can be now). Chats read one summary; trackers and pagers get what is no baseline one by one,
 * and pagers one alert for what is urgent of the baseline.
 */
export class Debts {
  /** Whether a start with nothing broken has been told, or something else instead. */
  #startTold = false;

  /** Whether a start was told. */
  memory(): Memory {
    return { start: new Map(this.#startTold ? [['told', true]] : []) };
  }

  /** Goes on from what was known before a restart. */
  restore(memory: Memory): void {
    this.#startTold = recall(memory, 'start', isTrue).has('told');
  }

  /** `found`: what everybody reads. `fresh`: this life took a baseline. */
  pay(
    reached: Reached,
    { found, fresh, reach }: { found: Found | undefined; fresh: boolean; reach: Reach },
    store: IncidentStore,
    context: StepContext,
  ): Paid {
    const { settings, providers, now } = context;
    const { arrived, answered, probed, settled } = reached;
    const uids = new Set([...arrived, ...answered, ...probed, ...(found ? settled : [])]);
    if (uids.size === 0) return { ends: [], summaries: [], messages: [], decisions: [] };
    const all = store.all();
    const onlyFound = found ? all.filter(({ id }) => found.incidents.has(id)) : [];
    const ends: Ends[] = [];
    const readings: Reading[] = [];
    const standing: Message[] = [];
    for (const provider of settings.providers) {
      const { uid } = provider;
      if (!uids.has(uid) || !providers.has(uid)) continue;
      const isDue = arrived.has(uid) || answered.has(uid) || probed.has(uid);
      const extent = arrived.has(uid) ? 'all' : answered.has(uid) ? 'unreached' : 'one';
      const paid = isDue ? endsFor(provider, all, extent, context, store) : { messages: [], decisions: [] };
      ends.push(paid);
      if (isDue && !provider.active.is) standing.push(...standInDebts(provider, all, extent, context, store));
      const isDone = extent === 'one' && isDue && paid.messages.length > 0;
      const reading =
        provider.active.is && !isDone
          ? readingOf(provider, isDue ? all : onlyFound, isDue ? extent : 'all', context)
          : undefined;
      if (reading) readings.push(reading);
      const told = [
        paid.messages,
        standing.filter((message) => message.provider === provider),
        reading?.listed ?? [],
        reading?.alone ?? [],
      ];
      const isTold = told.some(({ length }) => length > 0);
      if (probed.has(uid)) reach.probed(uid, isTold, now);
    }
    const tellsStart = fresh && !this.#startTold && settings.app.startupMessage === 'Always';
    if (readings.some(({ provider }) => arrived.has(provider.uid))) this.#startTold = true;
    return {
      summaries: groupsOf(readings, context).flatMap((group) => summarize(group, tellsStart, found, store, context)),
      ends: ends.flatMap(({ messages }) => messages),
      messages: [...standing, ...readings.flatMap(({ alone }) => alone)],
      decisions: ends.flatMap(({ decisions }) => decisions),
    };
  }
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
  const id = shortHash(['startup', clusterId, now, ...refs]);
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
