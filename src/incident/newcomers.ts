import type { SummaryAnnouncement } from '../model/announcement.ts';
import type { DeliveryReport } from '../model/delivery.ts';
import { shortHash } from '../model/hash.ts';
import type { Incident } from '../model/incident.ts';
import { isText, isTrue, type Memory, recall } from '../model/memory.ts';
import type { Ref } from '../model/ref.ts';
import { effectiveRoutes } from '../model/routes.ts';
import type { ProviderSettings } from '../model/settings.ts';
import { makesThings } from '../model/traits.ts';
import { viewFor, wholeCluster } from '../model/view.ts';
import { audienceOf, type StepContext, traitsOf } from './context.ts';
import { makesAlert, startupKey } from './list-endings.ts';
import { isMuted, ruleAlone } from './muting.ts';
import { readerOf } from './readers.ts';
import { isTakenBy, knowsOpen, type Message } from './routing.ts';
import type { IncidentStore } from './store.ts';
import { summaryOf, wasListed, withListing } from './summary.ts';

/** What is told to providers that come to know of what is open. */
export type CatchUp = { readonly summaries: SummaryAnnouncement[]; readonly messages: Message[] };

/** What was there before Tocsin could see it, found in this step: every provider that can be told reads of it. */
export type Found = { readonly incidents: ReadonlySet<string>; readonly newlySeen: readonly string[] };

/** What a provider reads in one summary, and what it is told one by one. `reader`: whoever can show its summaries. */
type Reading = {
  readonly provider: ProviderSettings;
  readonly reader: ProviderSettings | undefined;
  readonly listed: readonly Incident[];
  readonly alone: readonly Incident[];
};

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
  if (knowsOpen(provider, incident) || wasListed(incident, reader.uid)) return false;
  const view = viewFor(audience, incident.explanation);
  if (view === undefined || !isTakenBy(provider, incident)) return false;
  if (standing === 'Delivered') return true;
  const { disposition } = ruleAlone(view, audience, context);
  return settings.app.startupMessage !== 'Never' && !isMuted(disposition);
}

function readingOf(provider: ProviderSettings, incidents: readonly Incident[], context: StepContext): Reading {
  const { settings } = context;
  const traits = traitsOf(provider, context.traits);
  const reader = readerOf(provider, 'startup', settings, context.traits);
  const unknown = incidents.filter((incident) => isUnknownTo(incident, provider, reader ?? provider, context));
  const alone = makesThings(traits) ? unknown.filter(({ baseline }) => !baseline) : [];
  const rest = makesThings(traits) ? unknown.filter(({ baseline }) => baseline) : unknown;
  const urgent = ({ explanation: { severity } }: Incident): boolean => severity === 'critical' || severity === 'high';
  const listed = reader === undefined ? [] : traits.plain === 'alert' ? rest.filter(urgent) : rest;
  return { provider, reader, listed, alone };
}

/** An opening for each incident that the provider is told one by one; who was told the end of one hears that it is open again. */
function introductions({ provider, alone }: Reading, { settings }: StepContext): Message[] {
  const audience = audienceOf(provider, settings);
  return alone.flatMap((incident): Message[] => {
    const view = viewFor(audience, incident.explanation);
    if (view === undefined) return [];
    const act = incident.toldTo.includes(provider.uid) ? 'reopen' : 'open';
    const about = { incident: incident.id, audience, act, reasonCode: 'CurrentlyOpen', view, notes: [] } as const;
    return [{ notice: about, provider, act }];
  });
}

/** What makes a provider worth another try: it was made anew or edited, its credentials changed, its routes count now or do not; or so with its fallbacks. */
function signatureOf(provider: ProviderSettings, settings: StepContext['settings']): string {
  const parts: string[] = [];
  const seen = new Set<string>();
  let next: ProviderSettings | undefined = provider;
  while (next && !seen.has(next.ref)) {
    seen.add(next.ref);
    const chosen = effectiveRoutes(next, settings).length;
    if (next.usable) parts.push(`${next.uid}@${next.generation}@${next.credentialVersion ?? ''}@${chosen}`);
    const fallback: string | undefined = next.fallback;
    next = settings.providers.find(({ ref }) => ref === fallback);
  }
  return parts.join('|');
}

/**
 * Watches which providers can deliver, and tells one that becomes able to what is open: at the start what the baseline
 * found, later the incidents whose opening never reached it (nobody was configured yet, or it was broken and is repaired).
 * Chats read one summary; trackers and pagers get what is no baseline one by one, and pagers one alert for what is urgent of
 * the baseline.
 */
export class Newcomers {
  /** Provider UID → what it was like when it could deliver last. */
  #known = new Map<string, string>();
  /** UIDs of providers whose product could not be reached for so long that something was given up. */
  readonly #missed = new Set<string>();
  /** Whether a start with nothing broken has been told, or something else instead. */
  #startTold = false;

  /** By topic: whom it knows, whom it missed, whether a start was told. */
  memory(): Memory {
    return {
      providers: this.#known,
      missed: new Map([...this.#missed].map((uid) => [uid, true])),
      start: new Map(this.#startTold ? [['told', true]] : []),
    };
  }

  /** Whoever was known is none. */
  restore(memory: Memory): void {
    this.#known = recall(memory, 'providers', isText);
    for (const uid of recall(memory, 'missed', isTrue).keys()) this.#missed.add(uid);
    this.#startTold = recall(memory, 'start', isTrue).has('told');
  }

  /**
   * UIDs of the providers that have become able to deliver, or were repaired, since the step before; and of those whose
   * product, after an outage that outlasted messages, has taken one again. `asked`: those that somebody wants told once more.
   */
  takeArrived(
    { settings, providers }: StepContext,
    reports: readonly DeliveryReport[],
    asked: readonly Ref[],
  ): ReadonlySet<string> {
    for (const uid of this.#missed) if (!providers.has(uid)) this.#missed.delete(uid);
    const able = settings.providers.filter(({ active, usable }) => active.is && usable);
    const now = new Map(able.map((provider) => [provider.uid, signatureOf(provider, settings)]));
    const arrived = [...now].filter(([uid, signature]) => this.#known.get(uid) !== signature);
    this.#known = now;
    const back = this.#takeBack(reports).filter((uid) => now.has(uid));
    const wanted = able.filter(({ ref }) => asked.includes(ref));
    return new Set([...arrived.map(([uid]) => uid), ...back, ...wanted.map(({ uid }) => uid)]);
  }

  /** UIDs of the providers that could deliver in the last step. */
  able(): Iterable<string> {
    return this.#known.keys();
  }

  /** What was refused stays refused, however well the product is; what it could not be reached for is worth another try. */
  #takeBack(reports: readonly DeliveryReport[]): string[] {
    const back: string[] = [];
    for (const { ended, providerUid, untold, failure } of reports) {
      if (failure?.class === 'retryable') for (const one of untold) this.#missed.add(one.providerUid);
      if (ended === 'delivered' && this.#missed.delete(providerUid)) back.push(providerUid);
    }
    return back;
  }

  /** `arrived`: providers that read all they do not know; `found`: what everybody reads. `fresh`: this life took a baseline. */
  catchUp(
    { arrived, found, fresh }: { arrived: ReadonlySet<string>; found: Found | undefined; fresh: boolean },
    store: IncidentStore,
    context: StepContext,
  ): CatchUp {
    const { settings, traits } = context;
    const readers = settings.providers.filter(({ uid }) => (found ? this.#known.has(uid) : arrived.has(uid)));
    if (readers.length === 0) return { summaries: [], messages: [] };
    const all = store.all();
    const onlyFound = found ? all.filter(({ id }) => found.incidents.has(id)) : [];
    const readings = readers.map((provider) =>
      readingOf(provider, arrived.has(provider.uid) ? all : onlyFound, context),
    );
    const tellsStart = fresh && !this.#startTold && settings.app.startupMessage === 'Always';
    if (arrived.size > 0) this.#startTold = true;
    // Providers of one audience that are to read the same get one message; an alert is a message of another kind.
    const same = Map.groupBy(readings, ({ provider, listed }) =>
      [
        ...[audienceOf(provider, settings), makesAlert(provider, traits), readsOfPart(provider, settings)],
        ...listed.map(({ id }) => id),
      ].join('|'),
    );
    return {
      summaries: [...same.values()].flatMap((group) => summarize(group, tellsStart, found, store, context)),
      messages: readings.flatMap((reading) => introductions(reading, context)),
    };
  }
}

/** Whether a provider is told of part of the cluster only. */
function readsOfPart(provider: ProviderSettings, settings: StepContext['settings']): boolean {
  return audienceOf(provider, settings) !== wholeCluster || effectiveRoutes(provider, settings).length > 0;
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
  const alert = makesAlert(first.provider, traits);
  const readers = group.flatMap(({ reader }) => reader ?? []);
  if (readers.length === 0 || (first.listed.length === 0 && (!tellsStart || alert))) return [];
  const refs = readers.map(({ ref }) => ref);
  const id = shortHash(['startup', clusterId, now, ...refs]);
  for (const reader of readers) for (const { id: incident } of first.listed) remember(incident, reader.uid, id, store);
  const summary = summaryOf('startup', id, 'opening', first.listed, audienceOf(first.provider, settings), refs);
  const late = found && summary.atStart && first.listed.every((one) => found.incidents.has(one.id));
  return [
    {
      ...summary,
      ...(late && found.newlySeen.length > 0 && { newlySeen: found.newlySeen }),
      ...(alert && { alertKey: startupKey(clusterId) }),
      ...(readsOfPart(first.provider, settings) && { ofPart: true }),
    },
  ];
}

/** What is no baseline counts as announced: its end will be told. Of the baseline only the summary speaks. */
function remember(incident: string, reader: string, summary: string, store: IncidentStore): void {
  const known = store.get(incident);
  if (known === undefined) return;
  const listed = withListing(known, reader, 'startup', summary);
  if (known.baseline) store.put(listed);
  else {
    const endToldTo = known.endToldTo?.filter((uid) => uid !== reader);
    store.put({
      ...listed,
      toldTo: [...new Set([...known.toldTo, reader])],
      ...(endToldTo && { endToldTo }),
    });
  }
}
