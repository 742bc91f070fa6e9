import { BoundedMap } from '../model/bounded-map.ts';
import type { Explanation } from '../model/explanation.ts';
import { findingKey } from '../model/finding.ts';
import type { Incident } from '../model/incident.ts';
import type { Reason } from '../model/reason.ts';
import { kindOf, type Ref } from '../model/ref.ts';
import type { Matched } from './matching.ts';
import { longestSettleMs } from './timing.ts';

/** How long a symptom may outlive its cause before it is a problem of its own (`50-incidents`). */
const recoveryMs = 5 * 60_000;

/** Causes of which it is remembered that they are over while their incident goes on. */
const mostOver = 1_000;

/** Whether a finding was a symptom of an incident until now: what begins after everything was clear is not. */
const isSymptomOf = ({ clearSince = Number.POSITIVE_INFINITY }: Incident, since: number): boolean =>
  since <= clearSince;

/** What makes Pods may fail next for a reason of its own. */
const makers: ReadonlySet<string> = new Set(['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob']);

/** What a finding is known by to those that it is the cause of. */
const asCause = (ref: Ref, reason: Reason): string => `${ref} ${reason}`;

/** The cause of an explanation that does not hold any more: what it was called, where none of its findings says so. */
function endedCause({ root, reason, members }: Explanation): string | undefined {
  const holds = members.some(({ subject, reason: own }) => subject.ref === root.ref && own === reason);
  return holds ? undefined : asCause(root.ref, reason);
}

/**
 * From when on what an incident leaves behind is a problem of its own (epoch milliseconds); `undefined`: it has not been told, and is no
 * symptom that one that was told has left.
 */
function leftFrom(incident: Incident, isFollowed: boolean, now: number): number | undefined {
  const { state, resolvedAt = 0, settlesFrom } = incident;
  if (state === 'Settling') return settlesFrom;
  if (state === 'Resolved') return resolvedAt + recoveryMs;
  if (state === 'Open' || state === 'Recovering') return isFollowed ? now : now + recoveryMs;
  return undefined;
}

/**
 * What incidents leave behind. When the cause is gone, its symptoms get the time to go too: without it, the end of one outage would be
 * told as an outage of everyone who was hit. What is found only after the cause has ended is one of them if it began before, and the
 * incident may be about something else by then, or over: a thousand programs that crash again and again are found one after the other.
 */
export class Symptoms {
  /** Of what has ended while its incident goes on, since when (epoch milliseconds), by what it is known by as a cause. */
  readonly #over = new BoundedMap<string, number>(mostOver);

  /** Of an explanation, which is looked at as the next one and as the one before: most of ten thousand findings are Pods'. */
  readonly #causes = new WeakMap<Explanation, ReadonlySet<string>>();

  #causesIn(explanation: Explanation): ReadonlySet<string> {
    const causes = this.#causes.get(explanation) ?? new Set(causesIn(explanation));
    this.#causes.set(explanation, causes);
    return causes;
  }

  /** Notes what told incidents are about no more; Pods are the cause of nothing by themselves. */
  note(incidents: readonly Incident[], followed: Matched['followed'], now: number): void {
    for (const { id, state, explanation } of incidents) {
      const next = followed.get(id);
      if (next === undefined || next === explanation || state === 'Settling' || state === 'Resolved') continue;
      const holds = this.#causesIn(next);
      for (const key of this.#causesIn(explanation)) if (!holds.has(key)) this.#over.set(key, now);
    }
  }

  /**
   * From when on what incidents explained until now settles as a problem of its own (epoch milliseconds), by explanation. Where the cause
   * goes on without them, they begin to settle now.
   */
  leftAlone(
    incidents: readonly Incident[],
    { fresh, followed }: Pick<Matched, 'fresh' | 'followed'>,
    now: number,
  ): ReadonlyMap<Explanation, number> {
    const resolved = incidents.filter(({ id, state }) => state === 'Resolved' && followed.has(id));
    const candidates = [...fresh, ...resolved.flatMap(({ id }) => followed.get(id) ?? [])];
    if (candidates.length === 0) return new Map();
    const from = leftBy(incidents, followed, now);
    const alone = new Map<Explanation, number>();
    for (const explanation of candidates) {
      let latestAt: number | undefined;
      const cause = endedCause(explanation);
      const ofCause = cause === undefined ? undefined : from.get(cause);
      for (const member of explanation.members) {
        const found = from.get(findingKey(member)) ?? ofCause;
        if (found && isSymptomOf(found.incident, member.since)) latestAt = Math.max(latestAt ?? 0, found.at);
      }
      const overSince =
        cause === undefined ? undefined : (this.#over.get(cause) ?? this.#over.get(explanation.root.ref));
      const until = (overSince ?? Number.NEGATIVE_INFINITY) + recoveryMs;
      if (until > now && explanation.members.some(({ since }) => since <= until - recoveryMs))
        latestAt = Math.max(latestAt ?? 0, until);
      if (latestAt !== undefined) alone.set(explanation, latestAt);
    }
    return alone;
  }
}

/**
 * What of an explanation can be a cause of others, by what it is known by then: an object with its reason; and what only links others,
 * such as a webhook, by itself, since what it leaves behind may be named for another reason of it.
 */
function* causesIn({ members }: Explanation): Iterable<string> {
  for (const { subject, reason } of members) {
    if (subject.ref.startsWith('Pod/')) continue;
    yield asCause(subject.ref, reason);
    if (!makers.has(kindOf(subject.ref))) yield subject.ref;
  }
}

/** An incident, and from when on what it leaves behind is alone (epoch milliseconds). */
type Leaving = { readonly incident: Incident; readonly at: number };

/** What incidents explain or have explained, by finding and by what it is known by as a cause. */
function leftBy(incidents: readonly Incident[], followed: Matched['followed'], now: number): Map<string, Leaving> {
  const from = new Map<string, Leaving>();
  for (const incident of incidents) {
    const at = leftFrom(incident, followed.has(incident.id), now);
    if (at === undefined || at + longestSettleMs < now) continue;
    for (const member of incident.explanation.members) {
      const cause = asCause(member.subject.ref, member.reason);
      // A finding of what is over would be its return, which is told as one.
      for (const key of incident.state === 'Resolved' ? [cause] : [findingKey(member), cause]) {
        const known = from.get(key);
        if (known === undefined || known.at < at) from.set(key, { incident, at });
      }
    }
  }
  return from;
}
