import type { Explanation } from '../model/explanation.ts';
import { findingKey } from '../model/finding.ts';
import type { Incident } from '../model/incident.ts';
import type { Matched } from './matching.ts';

/** How long a symptom may outlive its cause before it is a problem of its own (`50-incidents`). */
const recoveryMs = 5 * 60_000;

/** Whether a finding was a symptom of an incident until now: what begins after everything was clear is not. */
const isSymptomOf = ({ clearSince = Number.POSITIVE_INFINITY }: Incident, since: number): boolean =>
  since <= clearSince;

/**
 * From when on what an open incident explained until now settles as a problem of its own (epoch milliseconds), by explanation. When
 * the cause is gone, its symptoms get the time to go too: without it, the end of one outage would be told as an outage of everyone
 * who was hit. Where the cause goes on without them, they begin to settle now.
 */
export function leftAlone(
  incidents: readonly Incident[],
  { fresh, followed }: Pick<Matched, 'fresh' | 'followed'>,
  now: number,
): ReadonlyMap<Explanation, number> {
  const resolved = incidents.filter(({ id, state }) => state === 'Resolved' && followed.has(id));
  const candidates = [...fresh, ...resolved.flatMap(({ id }) => followed.get(id) ?? [])];
  if (candidates.length === 0) return new Map();
  const from = new Map<string, { readonly incident: Incident; readonly at: number }>();
  for (const incident of incidents) {
    if (incident.state !== 'Open' && incident.state !== 'Recovering') continue;
    const at = followed.has(incident.id) ? now : now + recoveryMs;
    for (const member of incident.explanation.members) {
      const key = findingKey(member);
      const known = from.get(key);
      if (known === undefined || known.at < at) from.set(key, { incident, at });
    }
  }
  const alone = new Map<Explanation, number>();
  for (const explanation of candidates) {
    let latestAt: number | undefined;
    for (const member of explanation.members) {
      const found = from.get(findingKey(member));
      if (found && isSymptomOf(found.incident, member.since)) latestAt = Math.max(latestAt ?? 0, found.at);
    }
    if (latestAt !== undefined) alone.set(explanation, latestAt);
  }
  return alone;
}
