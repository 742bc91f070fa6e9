import { hearingOf } from '../model/hearing.ts';
import type { Incident } from '../model/incident.ts';
import type { ProviderSettings } from '../model/settings.ts';
import { compareSeverity } from '../model/severity.ts';

/** Which of what is owed is told: all, what the product could not be reached for, or one thing to find out whether it takes messages. */
export type Extent = 'all' | 'unreached' | 'one';

/** Whether something is told to this extent: what the product refused as it is stays refused, however well the product is. */
export function isWithin(extent: Extent, incident: Incident, { uid }: ProviderSettings): boolean {
  return extent !== 'unreached' || hearingOf(incident, uid).trouble?.refused !== true;
}

/** What was given up least often, then what is worst, then what is oldest: one that is refused for ever keeps no other from its turn. */
export const byUrgency =
  ({ uid }: ProviderSettings) =>
  (a: Incident, b: Incident): number =>
    (hearingOf(a, uid).trouble?.givenUp ?? 0) - (hearingOf(b, uid).trouble?.givenUp ?? 0) ||
    compareSeverity(a.explanation.severity, b.explanation.severity) ||
    a.startedAt - b.startedAt;
