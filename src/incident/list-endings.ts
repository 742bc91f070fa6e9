import type { SummaryAnnouncement } from '../model/announcement.ts';
import { shortHash } from '../model/hash.ts';
import type { Incident } from '../model/incident.ts';
import type { ProviderSettings } from '../model/settings.ts';
import type { Traits } from '../model/traits.ts';
import { audienceOf, type StepContext } from './context.ts';
import type { IncidentStore } from './store.ts';
import { summaryOf, wasListed } from './summary.ts';

/** A list of which the end is told: an overview, or the alert that a pager made of a startup summary. */
type List = { readonly id: string; readonly provider: ProviderSettings };

/** Whether a provider makes one alert of a startup summary, which has to be closed. */
export function makesAlert({ type }: Pick<ProviderSettings, 'type'>, traits: Traits): boolean {
  return traits.get(type)?.plain === 'alert';
}

/** What a pager knows the alert of the startup summary by: after a restart the same alert goes on. */
export function startupKey(clusterId: string): string {
  return shortHash(['startup', clusterId]);
}

/** The overviews that named what was resolved in this step. */
function overviewsOf(resolved: readonly Incident[], { providers }: StepContext): List[] {
  const lists = new Map<string, List>();
  for (const { listedIn = [] } of resolved)
    for (const { act, id, provider: uid } of listedIn) {
      const provider = providers.get(uid);
      if (act === 'overview' && provider?.active.is) lists.set(id, { id, provider });
    }
  return [...lists.values()];
}

function remember(lists: Map<string, Incident[]>, id: string, incident: Incident): void {
  const known = lists.get(id);
  if (known) known.push(incident);
  else lists.set(id, [incident]);
}

/** One closing overview for each provider once nothing that it saw in an overview is open any more. */
function overviewsOver(
  resolved: readonly Incident[],
  store: IncidentStore,
  context: StepContext,
): SummaryAnnouncement[] {
  const lists = overviewsOf(resolved, context);
  if (lists.length === 0) return [];
  const ids = new Set(lists.map(({ id }) => id));
  const seen = new Map<string, Incident[]>();
  for (const incident of store.all())
    for (const id of new Set(incident.listedIn?.map((listing) => listing.id)))
      if (ids.has(id)) remember(seen, id, incident);
  return lists.flatMap(({ id, provider }) => {
    const listed = seen.get(id) ?? [];
    if (listed.some(({ state }) => state !== 'Resolved')) return [];
    return [summaryOf('overview', id, 'closing', listed, audienceOf(provider, context.settings), [provider.ref])];
  });
}

/** The end of the one alert that a pager made of the startup summary, once nothing that it stood for is open any more. */
function startupsOver(
  resolved: readonly Incident[],
  store: IncidentStore,
  context: StepContext,
): SummaryAnnouncement[] {
  const { settings, traits, clusterId } = context;
  return settings.providers.flatMap((provider) => {
    if (!provider.active.is || !makesAlert(provider, traits)) return [];
    const isIn = (incident: Incident): boolean => wasListed(incident, provider.uid, 'startup');
    if (!resolved.some(isIn)) return [];
    const stoodFor = store.all().filter(isIn);
    if (stoodFor.some(({ state }) => state !== 'Resolved')) return [];
    const last = stoodFor.at(-1)?.listedIn?.findLast((one) => one.provider === provider.uid && one.act === 'startup');
    const audience = audienceOf(provider, settings);
    const summary = summaryOf('startup', last?.id ?? '', 'closing', stoodFor, audience, [provider.ref]);
    return [{ ...summary, alertKey: startupKey(clusterId) }];
  });
}

/** Tells that everything is over of which a list was all that somebody read. `resolved`: in this step. */
export function listsOver(
  resolved: readonly Incident[],
  store: IncidentStore,
  context: StepContext,
): SummaryAnnouncement[] {
  if (resolved.length === 0) return [];
  return [...overviewsOver(resolved, store, context), ...startupsOver(resolved, store, context)];
}
