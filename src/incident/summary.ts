import type { ListedFinding, SummaryAnnouncement } from '../model/announcement.ts';
import type { Explanation } from '../model/explanation.ts';
import type { Audience, Incident } from '../model/incident.ts';
import type { Ref } from '../model/ref.ts';
import { compareSeverity, type Severity } from '../model/severity.ts';
import { viewFor } from '../model/view.ts';

/** How many entries each list names; the rest is counted (`50-incidents`, `60-messages`). */
const maxEntries = { startup: 10, digest: 20, overview: 20 } as const;

/** What a list says of an explanation: the finding that gives it its reason. */
export function namingMember({ members, reason }: Explanation): Explanation['members'][number] | undefined {
  return members.find((member) => member.reason === reason) ?? members[0];
}

function entryOf(incident: Incident, audience: Audience): ListedFinding | undefined {
  const view = viewFor(audience, incident.explanation);
  if (view === undefined) return undefined;
  const { severity, reason, root, affected, affectedCount = affected.length } = view;
  const { startedAt, state } = incident;
  const finding = namingMember(view);
  return {
    ...{
      severity,
      reason,
      root: root.ref,
      affected: affectedCount,
      startedAt,
    },
    ...(finding && { finding }),
    ...(state === 'Resolved' && { over: true }),
  };
}

const byRank = (a: ListedFinding, b: ListedFinding): number =>
  compareSeverity(a.severity, b.severity) ||
  b.affected - a.affected ||
  (a.root < b.root ? -1 : a.root > b.root ? 1 : a.reason < b.reason ? -1 : 1);

/** Makes a list of incidents for some providers of one audience: worst first, the widest first among equals. */
export function summaryOf(
  act: SummaryAnnouncement['act'],
  id: string,
  phase: SummaryAnnouncement['phase'],
  incidents: readonly Incident[],
  audience: Audience,
  providers: readonly Ref[],
): SummaryAnnouncement {
  const entries = incidents.flatMap((incident) => entryOf(incident, audience) ?? []).sort(byRank);
  const bySeverity: Record<Severity, number> = { critical: 0, high: 0, medium: 0, low: 0 };
  for (const { severity } of entries) bySeverity[severity] += 1;
  return {
    act,
    id,
    entries: entries.slice(0, maxEntries[act]),
    total: entries.length,
    bySeverity,
    phase,
    ...(act === 'startup' && incidents.every(({ baseline }) => baseline) && { atStart: true }),
    audience,
    providers,
  };
}
