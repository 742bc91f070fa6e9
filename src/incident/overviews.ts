import type { SummaryAnnouncement } from '../model/announcement.ts';
import { shortHash } from '../model/hash.ts';
import { hearingOf } from '../model/hearing.ts';
import type { Incident } from '../model/incident.ts';
import { namespaceOf } from '../model/ref.ts';
import type { ProviderSettings } from '../model/settings.ts';
import type { Severity } from '../model/severity.ts';
import { collapses } from '../model/traits.ts';
import { audienceOf, type StepContext, traitsOf } from './context.ts';
import { afterListing } from './hearing.ts';
import { isMutedFor } from './late-messages.ts';
import { asFlood } from './list-endings.ts';
import type { IncidentStore } from './store.ts';
import { summaryOf } from './summary.ts';

const originOf = ({ explanation }: Incident): string => namespaceOf(explanation.root.ref);

const severityOf = ({ explanation }: Incident): Severity => explanation.severity;

const isBroken = ({ state }: Incident): boolean => state === 'Open' || state === 'Recovering';

/** Lists what a provider was not told of by itself: to people who read in one overview, to those who are called in one alert for each namespace. */
export function overviewsOf(
  untold: readonly Incident[],
  provider: ProviderSettings,
  store: IncidentStore,
  context: StepContext,
): SummaryAnnouncement[] {
  if (untold.length === 0) return [];
  if (collapses(traitsOf(provider, context.traits)) !== 'namespace') {
    const id = shortHash(['overview', provider.ref, context.now, ...untold.map((incident) => incident.id)]);
    return [listIn({ id }, untold, [], provider, store, context)];
  }
  return [...Map.groupBy(untold, originOf)].map(([namespace, own]) => {
    const told = floodsOf(provider, store).filter(({ incident }) => originOf(incident) === namespace);
    const id = told[0]?.id ?? shortHash(['flood', provider.ref, context.now, namespace]);
    const all = told.flatMap((one) => (one.id === id ? [one.incident] : []));
    const before = all.filter((incident) => !isMutedFor(incident, provider, context));
    return asFlood(listIn({ id, sequence: context.now }, own, before, provider, store, context), provider, context);
  });
}

/** What is broken yet of what the overviews of a provider have named, and by which. */
function floodsOf({ uid }: ProviderSettings, store: IncidentStore): { readonly incident: Incident; id: string }[] {
  return store.all().flatMap((incident) => {
    if (!isBroken(incident)) return [];
    const { listed = [] } = hearingOf(incident, uid);
    return listed.flatMap(({ act, id, over, past }) =>
      act === 'overview' && !over && !past ? [{ incident, id }] : [],
    );
  });
}

/** One overview. `before`: what earlier ones of its id have named. */
function listIn(
  { id, sequence }: { readonly id: string; readonly sequence?: number },
  untold: readonly Incident[],
  before: readonly Incident[],
  provider: ProviderSettings,
  store: IncidentStore,
  { settings }: StepContext,
): SummaryAnnouncement {
  for (const incident of untold) {
    const hearing = hearingOf(incident, provider.uid);
    store.hear(incident.id, provider.uid, afterListing(hearing, 'overview', id, severityOf(incident), sequence));
  }
  const all = [...untold, ...before];
  return summaryOf('overview', id, 'opening', all, audienceOf(provider, settings), [provider.ref]);
}
