import type { Finding } from '../../model/finding.ts';
import type { Ref } from '../../model/ref.ts';
import type { Group } from './group.ts';

/** How many findings of each workload each group holds, counted as findings join: there may be as many groups as findings. */
export class GroupTally<G extends Group> {
  readonly #owner: (ref: Ref) => Ref;
  /** By workload, in the order in which the groups came. */
  readonly #counts = new Map<Ref, Map<G, number>>();
  readonly #places = new Map<Group, number>();

  /** `groups`: in the order that decides between equals. */
  constructor(groups: Iterable<G>, owner: (ref: Ref) => Ref) {
    this.#owner = owner;
    for (const group of groups) this.add(group);
  }

  /** A group that comes behind those before. */
  add(group: G): void {
    this.#places.set(group, this.#places.size);
    for (const { workload, members } of group.bundles) this.#count(group, workload, members.length);
    for (const { subject } of group.loose) this.#count(group, this.#owner(subject.ref), 1);
  }

  /** A finding joins a group; of one that comes later it is counted then. */
  join(group: G, finding: Finding): void {
    group.loose.push(finding);
    if (this.#places.has(group)) this.#count(group, this.#owner(finding.subject.ref), 1);
  }

  /** The group that holds most findings of a workload, of those that are looked at; of equals the one that came first. */
  largest(workload: Ref, isLookedAt: (group: G) => boolean = () => true): G | undefined {
    let best: { readonly group: G; readonly count: number; readonly place: number } | undefined;
    for (const [group, count] of this.#counts.get(workload) ?? []) {
      const place = this.#places.get(group) ?? 0;
      const isMore = best === undefined || count > best.count || (count === best.count && place < best.place);
      if (isMore && isLookedAt(group)) best = { group, count, place };
    }
    return best?.group;
  }

  /** The group of the first of some workloads that has one. */
  first(workloads: Iterable<Ref>, isLookedAt?: (group: G) => boolean): G | undefined {
    for (const workload of workloads) {
      const group = this.largest(workload, isLookedAt);
      if (group) return group;
    }
    return undefined;
  }

  #count(group: G, workload: Ref, more: number): void {
    const counts = this.#counts.get(workload) ?? new Map<G, number>();
    this.#counts.set(workload, counts.set(group, (counts.get(group) ?? 0) + more));
  }
}
