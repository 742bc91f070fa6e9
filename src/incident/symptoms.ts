import type { Explanation } from '../model/explanation.ts';
import { findingKey } from '../model/finding.ts';
import type { Incident } from '../model/incident.ts';
import type { Reason } from '../model/reason.ts';
import type { Ref } from '../model/ref.ts';
import type { Matched } from './matching.ts';

/** How long a symptom may outlive its cause before it is a problem of its own (`50-incidents`). */
const recoveryMs = 5 * 60_000;

/** Whether a finding was a symptom of an incident until now: what begins after everything was clear is not. */
const isSymptomOf = ({ clearSince = Number.POSITIVE_INFINITY }: Incident, since: number): boolean =>
  since <= clearSince;

/** What a finding is known by to those that it is the cause of. */
const asCause = (ref: Ref, reason: Reason): string => `${ref} ${reason}`;

/** The cause of an explanation that does not hold any more: what it was called, where none of its findings says so. */
function endedCause({ root, reason, members }: Explanation): string | undefined {
  const holds = members.some(({ subject, reason: own }) => subject.ref === root.ref && own === reason);
  return holds ? undefined : asCause(root.ref, reason);
}

/** From when on what an incident leaves behind is a problem of its own (epoch milliseconds); `undefined`: it has not been told. */
function leftFrom({ state, resolvedAt = 0 }: Incident, isFollowed: boolean, now: number): number | undefined {
  if (state === 'Resolved') return resolvedAt + recoveryMs;
  if (state === 'Open' || state === 'Recovering') return isFollowed ? now : now + recoveryMs;
  return undefined;
}

/**
 * From when on what an open incident explained until now settles as a problem of its own (epoch milliseconds), by explanation. When
 * the cause is gone, its symptoms get the time to go too: without it, the end of one outage would be told as an outage of everyone
 * who was hit. Where the cause goes on without them, they begin to settle now. What is found only after the cause has ended is one of them
 * if it began before, and the incident may be over by then: a thousand programs that crash again and again are found one after the other.
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
    const at = leftFrom(incident, followed.has(incident.id), now);
    if (at === undefined || at < now) continue;
    for (const member of incident.explanation.members) {
      const cause = asCause(member.subject.ref, member.reason);
      // A finding of what is over would be its return, which is told as one.
      for (const key of incident.state === 'Resolved' ? [cause] : [findingKey(member), cause]) {
        const known = from.get(key);
        if (known === undefined || known.at < at) from.set(key, { incident, at });
      }
    }
  }
  const alone = new Map<Explanation, number>();
  for (const explanation of candidates) {
    let latestAt: number | undefined;
    const cause = endedCause(explanation);
    const ofCause = cause === undefined ? undefined : from.get(cause);
    for (const member of explanation.members) {
      const found = from.get(findingKey(member)) ?? ofCause;
      if (found && isSymptomOf(found.incident, member.since)) latestAt = Math.max(latestAt ?? 0, found.at);
    }
    if (latestAt !== undefined) alone.set(explanation, latestAt);
  }
  return alone;
}
