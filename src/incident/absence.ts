import type { Explanation } from '../model/explanation.ts';
import { findingKey } from '../model/finding.ts';
import type { Incident } from '../model/incident.ts';
import { kindOf } from '../model/ref.ts';
import type { StepContext } from './context.ts';
import type { Encounter } from './lifecycle.ts';
import type { Matched } from './matching.ts';
import type { IncidentStore } from './store.ts';

/** Whether what is not held of a kind is known not to be there. */
export type InSight = (kind: string) => boolean;

/** The kinds that must be in sight before anything can be said of an incident. */
function kindsOf({ explanation: { root, change, members } }: Incident): Set<string> {
  const kinds = new Set([kindOf(root.ref)]);
  if (change) kinds.add(kindOf(change.ref));
  for (const { subject } of members) kinds.add(kindOf(subject.ref));
  return kinds;
}

/**
 * Whether an explanation is of another time than the incident: everything in it began so long after the incident was last seen
 * that the incident would have been over for longer than its cooldown. A Pod's findings may be dated by its last crash, so the
 * same finding of the same Pod goes on.
 */
function isAnotherTime(
  { explanation: before }: Incident,
  { members }: Explanation,
  seenUntil: number,
  { settings: { incidents } }: StepContext,
): boolean {
  const overAt = seenUntil + (incidents.holdSeconds + incidents.cooldownSeconds) * 1000;
  const known = new Set(before.members.map(findingKey));
  return members.every(
    (finding) => finding.since > overAt && !(kindOf(finding.subject.ref) === 'Pod' && known.has(findingKey(finding))),
  );
}

/**
 * What became of incidents while Tocsin was not running. Of each restored incident that was open nothing is said until everything
 * it is made of is in sight: what cannot be seen yet has not ended, and is no news either. Then it goes on silently, or it has
 * ended, and nobody saw when.
 */
export class Absence {
  /** Incident → the kinds it waits for. */
  readonly #unjudged = new Map<string, ReadonlySet<string>>();
  readonly #over = new Set<string>();
  #seenUntil = Number.NEGATIVE_INFINITY;

  /** `seenUntil`: when Tocsin last looked (epoch milliseconds). */
  begin(incidents: readonly Incident[], seenUntil: number): void {
    this.#seenUntil = seenUntil;
    for (const incident of incidents)
      if (incident.state === 'Open' || incident.state === 'Recovering')
        this.#unjudged.set(incident.id, kindsOf(incident));
  }

  /** Ids of the incidents of which nothing can be said yet. */
  hidden(inSight: InSight): ReadonlySet<string> {
    const hidden = new Set<string>();
    for (const [id, kinds] of this.#unjudged) if (![...kinds].every(inSight)) hidden.add(id);
    return hidden;
  }

  /** Who follows what, once what is hidden is no news, and what is of another time is one. */
  correct(matched: Matched, hidden: ReadonlySet<string>, store: IncidentStore, context: StepContext): Matched {
    if (this.#unjudged.size === 0) return matched;
    const followed = new Map(matched.followed);
    const fresh = withoutHidden(matched.fresh, hidden, store);
    for (const [id, explanation] of matched.followed) {
      const incident = this.#unjudged.has(id) && !hidden.has(id) ? store.get(id) : undefined;
      if (incident === undefined || !isAnotherTime(incident, explanation, this.#seenUntil, context)) continue;
      followed.delete(id);
      fresh.push(explanation);
      this.#over.add(id);
    }
    return { ...matched, followed, fresh };
  }

  /** An incident as it meets what there is now; at the first time what its absence made of it. */
  meet(incident: Incident, { follows, absorbedBy }: Encounter): Incident {
    if (!this.#unjudged.delete(incident.id)) return incident;
    const unseenSince = this.#seenUntil;
    if (this.#over.delete(incident.id)) {
      const { foldedInto, ...rest } = incident;
      return { ...rest, state: 'Recovering', clearSince: incident.clearSince ?? unseenSince, unseenSince };
    }
    const ended = incident.state === 'Open' && follows === undefined && absorbedBy === undefined;
    return ended ? { ...incident, unseenSince } : incident;
  }
}

/** What holds no finding but those of hidden incidents has been told. */
function withoutHidden(
  fresh: readonly Explanation[],
  hidden: ReadonlySet<string>,
  store: IncidentStore,
): Explanation[] {
  // As a rule nothing is new, and what is hidden can be tens of thousands of findings.
  if (fresh.length === 0 || hidden.size === 0) return [...fresh];
  const known = new Set<string>();
  for (const id of hidden)
    for (const finding of store.get(id)?.explanation.members ?? []) known.add(findingKey(finding));
  return fresh.filter(({ members }) => !members.every((finding) => known.has(findingKey(finding))));
}
