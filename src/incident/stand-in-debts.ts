import { expected, hearingOf } from '../model/hearing.ts';
import type { Incident } from '../model/incident.ts';
import type { ProviderSettings } from '../model/settings.ts';
import { viewFor } from '../model/view.ts';
import { audienceOf, type StepContext } from './context.ts';
import { type Extent, isWithin } from './extent.ts';
import { withHearing } from './hearing.ts';
import { ruleAlone } from './muting.ts';
import type { Message } from './notices.ts';
import { standInsFor } from './stand-ins.ts';
import type { IncidentStore } from './store.ts';

/** What a fallback could not be told, for whom it stands in. */
export function standInDebts(
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
