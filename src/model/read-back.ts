import { type Acknowledgement, isSameAcknowledgement } from './acknowledgement.ts';
import { hearingOf } from './hearing.ts';
import type { Incident } from './incident.ts';
import type { ProviderSettings } from './settings.ts';

/** Whether an AlertProvider lets its product be asked who takes incidents on there. It is not, unless the spec says so. */
export function readsBack({ config }: Pick<ProviderSettings, 'config'>): boolean {
  return Object(config.actions).readBack === true;
}

/** Whether to ask an AlertProvider's product about an incident: it is open, it was told there, and nobody has taken it on. */
export function isAwaited(incident: Incident, { uid }: Pick<ProviderSettings, 'uid'>): boolean {
  const { state, acknowledged, foldedInto } = incident;
  const isOpen = state === 'Open' || state === 'Recovering';
  return isOpen && acknowledged === undefined && foldedInto === undefined && hearingOf(incident, uid).knows === 'open';
}

/** Whether an acknowledgement that was found is none that somebody took back here, or that was of the incident's last time. */
export function isNewFinding(found: Acknowledgement, { withdrawn, lapsed }: Incident): boolean {
  if (isSameAcknowledgement(found, lapsed)) return false;
  if (withdrawn === undefined) return true;
  const { by, via, since = Number.NEGATIVE_INFINITY } = found;
  return since > withdrawn.at || (found.since === undefined && (by !== withdrawn.by || via !== withdrawn.via));
}
