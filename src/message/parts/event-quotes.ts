import type { Announcement, IncidentAnnouncement } from '../../model/announcement.ts';
import type { Finding } from '../../model/finding.ts';

/** A finding without the words that it has from Events; what it states stays. */
function unquoted(finding: Finding): Finding {
  const { eventQuotes, detail, ...rest } = finding;
  if (eventQuotes === undefined) return finding;
  const facts = Object.fromEntries(Object.entries(finding.facts).filter(([name]) => !eventQuotes.includes(name)));
  return { ...rest, facts, ...(detail !== undefined && !eventQuotes.includes('detail') && { detail }) };
}

/** What is told, without a word of an Event (`evidence.events: false`). */
export function withoutEventQuotes(announcement: IncidentAnnouncement): IncidentAnnouncement;
export function withoutEventQuotes(announcement: Announcement): Announcement;
export function withoutEventQuotes(announcement: Announcement): Announcement {
  if (!('incident' in announcement)) {
    const entries = announcement.entries.map(({ finding, ...entry }) =>
      finding === undefined ? entry : { ...entry, finding: unquoted(finding) },
    );
    return { ...announcement, entries };
  }
  const { incident } = announcement;
  const { members, parts } = incident.explanation;
  const explanation = {
    ...incident.explanation,
    members: members.map(unquoted),
    ...(parts && { parts: parts.map((part) => ({ ...part, members: part.members.map(unquoted) })) }),
  };
  return { ...announcement, incident: { ...incident, explanation } };
}
