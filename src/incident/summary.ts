import type { SummaryAnnouncement } from '../model/announcement.ts';
import type { Audience, Incident } from '../model/incident.ts';
import type { ListedIncident } from '../model/notification.ts';
import type { Ref } from '../model/ref.ts';
import { compareSeverity, type Severity } from '../model/severity.ts';
import { viewFor } from './audiences.ts';

/** How many entries each list names; the rest is counted (`50-incidents`, `60-messages`). */
const maxEntries = { startup: 10, digest: 20, overview: 20 } as const;

function listed(incident: Incident, audience: Audience): ListedIncident | undefined {
  const view = viewFor(audience, incident.explanation);
  if (view === undefined) return undefined;
  const { severity, reason, root, members, affected } = view;
  const naming = members.find((member) => member.reason === reason) ?? members[0];
  const { startedAt } = incident;
  return { severity, reason, root: root.ref, says: naming?.message ?? '', affected: affected.length, startedAt };
}

/** Makes a list of incidents for some providers of one audience: worst first, the widest first among equals. */
export function summaryOf(
  act: SummaryAnnouncement['act'],
  id: string,
  phase: SummaryAnnouncement['phase'],
  incidents: readonly Incident[],
  audience: Audience,
  providers: readonly Ref[],
): SummaryAnnouncement {
  const entries = incidents
    .flatMap((incident) => listed(incident, audience) ?? [])
    .sort(
      (a, b) =>
        compareSeverity(a.severity, b.severity) ||
        b.affected - a.affected ||
        (a.root < b.root ? -1 : a.root > b.root ? 1 : a.reason < b.reason ? -1 : 1),
    );
  const bySeverity: Record<Severity, number> = { critical: 0, high: 0, medium: 0, low: 0 };
  for (const { severity } of entries) bySeverity[severity] += 1;
  return {
    act,
    id,
    entries: entries.slice(0, maxEntries[act]),
    total: entries.length,
    bySeverity,
    phase,
    ...(act === 'startup' && incidents.every(({ baseline }) => baseline) ? { atStart: true } : {}),
    audience,
    providers,
  };
}

/** Whether a provider saw the incident in a list of this kind. */
export function wasListed(incident: Incident, provider: Ref, act?: SummaryAnnouncement['act']): boolean {
  return (incident.listedIn ?? []).some((one) => one.provider === provider && (act === undefined || one.act === act));
}

/** The incident after it was named in a list. */
export function withListing(incident: Incident, provider: Ref, act: SummaryAnnouncement['act'], id: string): Incident {
  return { ...incident, listedIn: [...(incident.listedIn ?? []), { provider, act, id }] };
}
