import type { SummaryAnnouncement } from '../model/announcement.ts';
import { shortHash } from '../model/hash.ts';
import { hearingOf } from '../model/hearing.ts';
import type { Hearing, Incident, ProviderUid } from '../model/incident.ts';
import type { ProviderSettings } from '../model/settings.ts';
import { collapses, type Traits } from '../model/traits.ts';
import { audienceOf, hearsEnds, mayReceive, type StepContext, traitsOf } from './context.ts';
import { withHearing } from './hearing.ts';
import type { IncidentStore } from './store.ts';
import { summaryOf } from './summary.ts';

/** A list of which the end is told: an overview, or the alert that a pager made of a startup summary. */
type List = {
  readonly id: string;
  readonly act: 'startup' | 'overview' | 'digest';
  readonly provider: ProviderSettings;
};

/** Whether a provider makes one alert of a startup summary, which has to be closed. */
export function makesAlert({ type }: Pick<ProviderSettings, 'type'>, traits: Traits): boolean {
  return traits.get(type)?.plain === 'alert';
}

/**
 * What a pager knows the alert of the startup summary by: after a restart the same alert goes on. Each AlertProvider has its own: two may
 * lead to one account of the vendor.
 */
export function startupKey(clusterId: string, { ref }: Pick<ProviderSettings, 'ref'>): string {
  return shortHash(['startup', clusterId, ref]);
}

/** The overview of a flood as a pager gets it: its id stays the same as long as the flood lasts, and each says how it stands then. */
export function asFlood(
  summary: SummaryAnnouncement,
  provider: ProviderSettings,
  { traits, now }: Pick<StepContext, 'traits' | 'now'>,
): SummaryAnnouncement {
  if (collapses(traitsOf(provider, traits)) !== 'namespace') return summary;
  return { ...summary, sequence: now, ...(makesAlert(provider, traits) && { isAlert: true }) };
}

/** Whether a provider is told the end of a list: an overview's, and of a startup summary where it made an alert of it. */
function closes(act: 'startup' | 'overview' | 'digest', provider: ProviderSettings, traits: Traits): boolean {
  return act === 'overview' || (act === 'startup' && makesAlert(provider, traits));
}

/** The lists that name one of these incidents and are to be closed. `uids`: only of these providers. */
function listsOf(
  incidents: readonly Incident[],
  { providers, traits }: StepContext,
  uids?: ReadonlySet<ProviderUid>,
): ReadonlyMap<string, List> {
  const lists = new Map<string, List>();
  for (const { hearings } of incidents)
    for (const [uid, { listed = [] }] of Object.entries(hearings)) {
      const provider = providers.get(uid);
      if (provider === undefined || !mayReceive(provider) || uids?.has(uid) === false) continue;
      for (const { act, id, over } of listed)
        if (!over && closes(act, provider, traits)) lists.set(`${id}|${uid}`, { id, act, provider });
    }
  return lists;
}

/** The incidents that each list names, by list. */
function namedIn(lists: ReadonlyMap<string, List>, store: IncidentStore): ReadonlyMap<string, Incident[]> {
  const named = new Map<string, Incident[]>();
  for (const incident of store.all())
    for (const [uid, { listed = [] }] of Object.entries(incident.hearings))
      for (const key of new Set(listed.map(({ id }) => `${id}|${uid}`)))
        if (lists.has(key)) named.set(key, [...(named.get(key) ?? []), incident]);
  return named;
}

type Listed = NonNullable<Hearing['listed']>[number];

/** The incident with the lists of an id changed. */
function withList(incident: Incident, uid: ProviderUid, id: string, change: (list: Listed) => Listed): Incident {
  const hearing = hearingOf(incident, uid);
  const listed = hearing.listed?.map((list) => (list.id === id ? change(list) : list));
  return listed ? withHearing(incident, uid, { ...hearing, listed }) : incident;
}

/** How often the closing of a list was told, or tried. */
function closingsOf(incident: Incident, uid: ProviderUid, id: string): number {
  return hearingOf(incident, uid).listed?.find((list) => list.id === id)?.closings ?? 0;
}

/** The closing of a list could not be told. */
export function closeAnew(incident: Incident, uid: ProviderUid, id: string): Incident {
  return withList(incident, uid, id, ({ over, ...list }) => list);
}

/**
 * Tells that everything is over of which a list was all that somebody read: one closing message once nothing that it named is open any
 * more. `resolved`: in this step. `due`: UIDs of providers that are owed what they could not be told.
 */
export function listsOver(
  resolved: readonly Incident[],
  due: ReadonlySet<ProviderUid>,
  store: IncidentStore,
  context: StepContext,
): SummaryAnnouncement[] {
  const owed = due.size === 0 ? [] : store.all().filter(({ state }) => state === 'Resolved');
  const lists = new Map([...listsOf(resolved, context), ...listsOf(owed, context, due)]);
  if (lists.size === 0) return [];
  const named = namedIn(lists, store);
  return [...lists].flatMap(([key, { id, act, provider }]) => {
    const listed = named.get(key) ?? [];
    if (listed.some(({ state }) => state !== 'Resolved')) return [];
    const closings = 1 + Math.max(0, ...listed.map((incident) => closingsOf(incident, provider.uid, id)));
    for (const incident of listed)
      store.put(
        withList(store.get(incident.id) ?? incident, provider.uid, id, (list) => ({ ...list, over: true, closings })),
      );
    if (!hearsEnds(provider)) return [];
    const audience = audienceOf(provider, context.settings);
    // Each try is a message of its own.
    const summary = { ...summaryOf(act, id, 'closing', listed, audience, [provider.ref]), sequence: 1 + closings };
    if (act === 'startup') return [{ ...summary, alertKey: startupKey(context.clusterId, provider) }];
    return [act === 'overview' ? asFlood(summary, provider, context) : summary];
  });
}
