import { expected, hearingOf } from '../model/hearing.ts';
import type { Decision, Incident } from '../model/incident.ts';
import type { ProviderSettings } from '../model/settings.ts';
import { type StepContext, traitsOf } from './context.ts';
import { isOwedEnd, owedEnd } from './endings.ts';
import { byUrgency, type Extent, isWithin } from './extent.ts';
import type { Message } from './notices.ts';
import type { IncidentStore } from './store.ts';

/** The ends that are told. */
export type Ends = { readonly messages: readonly Message[]; readonly decisions: readonly Decision[] };

/** The ends that a provider is owed. One of an earlier incident whose key is open again for another is no end any more. */
export function endsFor(
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

/**
 * Whether a pager was told of a later incident under the same key: for its product that is the same alert. So it is at a tracker of whose
 * opening nobody knows whether it arrived: its issue would be looked for by the key, and the later one has gone on with it.
 */
function isOpenUnder(
  incident: Incident,
  provider: ProviderSettings,
  store: IncidentStore,
  { traits }: StepContext,
): boolean {
  const { id, alertKey } = incident;
  const { uid } = provider;
  const { family, closesByKey } = traitsOf(provider, traits);
  if (family !== 'pager' && !(closesByKey && hearingOf(incident, uid).knows === 'perhapsOpen')) return false;
  return store
    .withKey(alertKey)
    .some((other) => other.id !== id && expected(hearingOf(other, uid)).knows !== 'nothing');
}
