import type { Hearing, Incident, ProviderUid } from '../model/incident.ts';
import type { Reason } from '../model/reason.ts';
import type { Ref } from '../model/ref.ts';

const problemOf = ({ explanation: { root, reason } }: Incident): string => `${root.ref}|${reason}`;

/** Whether two versions of an incident are found by the same keys. */
const isFoundAlike = (one: Incident, other: Incident): boolean =>
  (one.state === 'Resolved') === (other.state === 'Resolved') &&
  one.alertKey === other.alertKey &&
  problemOf(one) === problemOf(other);

/** The incidents as they are, which of them a step has changed, and how to find them without looking at all. */
export class IncidentStore {
  readonly #incidents = new Map<string, Incident>();
  readonly #changed = new Set<string>();
  /** What was copied since changes were last taken, and may be written to until then. */
  readonly #drafts = new Map<Incident['hearings'], Record<ProviderUid, Hearing>>();
  readonly #forgotten = new Set<string>();
  /** Alert key → ids of incidents that are not resolved. */
  readonly #keys = new Map<string, Set<string>>();
  /** Root and reason → ids of resolved incidents. */
  readonly #resolved = new Map<string, Set<string>>();

  /** The incident of an id, if it is known. */
  get(id: string): Incident | undefined {
    return this.#incidents.get(id);
  }

  /** In the order in which they were first seen. The list stays as it is while incidents change. */
  all(): Incident[] {
    return [...this.#incidents.values()];
  }

  /** How many incidents are known. */
  get size(): number {
    return this.#incidents.size;
  }

  /** Keeps a new or changed incident. */
  put(incident: Incident): void {
    const known = this.#incidents.get(incident.id);
    if (known === incident) return;
    this.#incidents.set(incident.id, incident);
    this.#changed.add(incident.id);
    if (known && isFoundAlike(known, incident)) return;
    if (known) this.#unlink(known);
    this.#link(incident);
  }

  /** A provider has heard something else of an incident. Many may in one step: the table is copied once. */
  hear(id: string, uid: ProviderUid, hearing: Hearing): void {
    const incident = this.#incidents.get(id);
    if (incident === undefined) return;
    const draft = this.#drafts.get(incident.hearings);
    if (draft) {
      draft[uid] = hearing;
      return;
    }
    const hearings = { ...incident.hearings, [uid]: hearing };
    this.#drafts.set(hearings, hearings);
    this.put({ ...incident, hearings });
  }

  /** Forgets an incident. */
  remove(id: string): void {
    const known = this.#incidents.get(id);
    if (known === undefined) return;
    this.#unlink(known);
    this.#incidents.delete(id);
    this.#changed.delete(id);
    if (known.state !== 'Settling') this.#forgotten.add(id);
  }

  /** Whether an incident that is not resolved has this key. */
  hasKey(alertKey: string): boolean {
    return this.#keys.has(alertKey);
  }

  /** The incidents with this key that are not resolved. */
  withKey(alertKey: string): Incident[] {
    return [...(this.#keys.get(alertKey) ?? [])].flatMap((id) => this.#incidents.get(id) ?? []);
  }

  /** The incident of the same root and reason that was resolved last. */
  lastResolved(root: Ref, reason: Reason): Incident | undefined {
    let last: Incident | undefined;
    for (const id of this.#resolved.get(`${root}|${reason}`) ?? []) {
      const incident = this.#incidents.get(id);
      if (incident && (incident.resolvedAt ?? 0) >= (last?.resolvedAt ?? 0)) last = incident;
    }
    return last;
  }

  /** How many incidents of the same root and reason were resolved and are still kept: those of the last week, where there are not too many. */
  resolvedCount(root: Ref, reason: Reason): number {
    return this.#resolved.get(`${root}|${reason}`)?.size ?? 0;
  }

  /** Changed and forgotten since the last call, without those that are still settling: nobody knows of them. */
  takeChanges(): { changed: Incident[]; forget: string[] } {
    const changed: Incident[] = [];
    for (const id of this.#changed) {
      const incident = this.#incidents.get(id);
      if (incident && incident.state !== 'Settling') changed.push(incident);
    }
    const forget = [...this.#forgotten];
    this.#changed.clear();
    this.#forgotten.clear();
    this.#drafts.clear();
    return { changed, forget };
  }

  #link(incident: Incident): void {
    if (incident.state !== 'Resolved') {
      this.#keys.set(incident.alertKey, (this.#keys.get(incident.alertKey) ?? new Set()).add(incident.id));
      return;
    }
    const problem = problemOf(incident);
    const ids = this.#resolved.get(problem) ?? new Set();
    this.#resolved.set(problem, ids.add(incident.id));
  }

  #unlink(incident: Incident): void {
    if (incident.state !== 'Resolved') {
      const ids = this.#keys.get(incident.alertKey);
      ids?.delete(incident.id);
      if (ids?.size === 0) this.#keys.delete(incident.alertKey);
      return;
    }
    const problem = problemOf(incident);
    const ids = this.#resolved.get(problem);
    ids?.delete(incident.id);
    if (ids?.size === 0) this.#resolved.delete(problem);
  }
}
