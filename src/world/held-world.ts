import { kindOf, nameOf, type Ref } from '../model/ref.ts';
import type { Labels, Subject } from '../model/subject.ts';
import { memoryOf } from './edits/changes.ts';
import type { Holdings } from './holdings.ts';
import type { EventView } from './kinds/cluster/event.ts';
import type { Projection } from './kinds/kinds.ts';
import type { WorkloadView } from './kinds/workloads/workload.ts';
import type { RunsSinceSuccess } from './memory/cron-runs.ts';
import type { Departure } from './memory/departures.ts';
import { facetInApi } from './memory/facets.ts';
import type { Instability } from './memory/instability.ts';
import type { OwnNormal } from './memory/own-normal.ts';
import { Places } from './places.ts';
import { isOfAccess } from './reading/access-kinds.ts';
import { isCustomKind } from './reading/custom-resource.ts';
import { given } from './reading/fields.ts';
import type { LinkType } from './reading/link-type.ts';
import type { Speakers } from './speakers.ts';
import type { Change, HeldSince, ObservedWorld, PlacedSign } from './view/world.ts';

const none: readonly never[] = [];

/** What is held, as it is looked at. What cannot be seen is unknown. */
export class HeldWorld implements ObservedWorld {
  readonly #held: Holdings;
  readonly #places: Places;
  readonly #speakers: Speakers;
  readonly #heldSince: HeldSince;

  constructor(held: Holdings, speakers: Speakers, heldSince: HeldSince = () => undefined) {
    this.#held = held;
    this.#heldSince = heldSince;
    this.#places = new Places(held, this);
    this.#speakers = speakers;
  }

  get(ref: Ref): Projection | 'absent' | 'unknown' {
    return this.#held.get(ref);
  }

  all(kind: string): Iterable<Projection> {
    return this.#held.objects.of(kind);
  }

  count(kind: string): number {
    return this.#held.objects.count(kind);
  }

  linked(ref: Ref, type: LinkType, way: 'out' | 'in', limit = Number.POSITIVE_INFINITY): Iterable<Ref> {
    const linked = this.#held.links.of(ref, type, way);
    return limit === Number.POSITIVE_INFINITY ? linked : Iterator.from(linked).take(limit);
  }

  *editedCustom(): Iterable<Ref> {
    for (const ref of this.#held.changes.noted.keys()) if (isCustomKind(kindOf(ref))) yield ref;
  }

  *editedAccess(): Iterable<Ref> {
    for (const ref of this.#held.changes.noted.keys()) if (isOfAccess(ref)) yield ref;
  }

  changes(ref: Ref, afterMs: number): readonly Change[] {
    const changes =
      kindOf(ref) === 'Deployment'
        ? this.#held.changes.ofRevisions(ref, this.#replicaSetsOf(ref))
        : this.#held.changes.seen(ref);
    return changes.filter((change) => change.at > afterMs && change.at > this.#held.now - memoryOf(change));
  }

  since(ref: Ref, facet: string): number {
    const view = this.#held.objects.get(ref);
    const inApi = view && facetInApi(view, facet);
    if (inApi !== undefined) return inApi;
    const noted = this.#held.observations.facet(ref, facet) ?? this.#held.now;
    return Math.min(noted, this.#heldSince(ref) ?? noted);
  }

  signs(ref: Ref): readonly PlacedSign[] {
    const speaker = this.#held.observations.signs(ref).length > 0 ? ref : this.#speakers.of(ref);
    return speaker === undefined ? none : this.#speakers.placed(speaker, this.#places);
  }

  lastLine(ref: Ref): string | undefined {
    return this.#held.observations.lastLine(ref);
  }

  lastWords(ref: Ref): string | undefined {
    const { observations } = this.#held;
    const own = observations.lastWords(ref);
    if (own !== undefined) return own;
    return this.#speakers
      .siblingsOf(ref)
      .map((one) => observations.lastWords(one))
      .find((words) => words !== undefined);
  }

  topOwner(ref: Ref): Ref {
    return this.#held.topOwner(ref);
  }

  labelsOf(ref: Ref): Labels {
    return this.#held.objects.labelsOf(ref);
  }

  subject(ref: Ref): Subject {
    const node = kindOf(ref) === 'Node' ? nameOf(ref) : this.#held.objects.pods.record(ref)?.node;
    const labels = this.#held.objects.labelsOf(ref);
    return { ref, labels, ...given({ node, owner: this.#held.owners.of(ref) }) };
  }

  restartsAfter(ref: Ref, container: string, afterMs: number): number {
    const pod = this.#held.objects.pods.get(ref);
    return pod ? this.#held.observations.restartsAfter(pod, container, afterMs) : 0;
  }

  pullError(ref: Ref, container: string): string | undefined {
    return this.#held.observations.pullError(ref, container);
  }

  turns(ref: Ref, type: string): readonly number[] {
    return this.#held.observations.turns(ref, type);
  }

  runsSinceSuccess(ref: Ref): RunsSinceSuccess | undefined {
    return this.#held.observations.runsSinceSuccess(ref);
  }

  events(ref: Ref): readonly EventView[] {
    return this.#held.events.of(ref, this.#held.objects.uidOf(ref));
  }

  warnings(): { readonly recent: number; readonly usualHourly: number | undefined } {
    return {
      recent: this.#held.events.rates.recent(this.#held.now),
      usualHourly: this.#held.events.rates.usualHourly(this.#held.now),
    };
  }

  podLabels(namespace: string): Iterable<Labels> {
    return this.#held.objects.pods.selections.labelsIn(namespace);
  }

  podsIn(namespace: string, limit: number): Iterable<Ref> {
    return Iterator.from(this.#held.objects.pods.selections.podsIn(namespace)).take(limit);
  }

  servicesFor(namespace: string, labels: Labels): Iterable<Ref> {
    const selecting = Iterator.from(this.#held.objects.pods.selections.by(namespace, labels));
    return selecting.filter((ref) => kindOf(ref) === 'Service');
  }

  ownNormal(workload: Ref): OwnNormal {
    return this.#held.normals.of(
      workload,
      this.#held.objects.get(workload)?.createdAt ?? this.#held.now,
      this.#held.now,
    );
  }

  restartsChangeAt(workload: Ref): number | undefined {
    return this.#held.normals.changesAt(workload, this.#held.now);
  }

  departures(ref: Ref): readonly Departure[] {
    return this.#held.departures.of(ref);
  }

  instability(replicaSet: Ref): Instability {
    return this.#held.instabilities.seenOf(replicaSet, this.#held.now);
  }

  starts(owner: Ref): readonly number[] {
    return this.#held.starts.of(owner);
  }

  lostOn(owner: Ref): readonly string[] {
    return this.#held.losses.nodesOf(owner);
  }

  get revision(): number {
    return this.#held.revision;
  }

  get kindsInSight(): ReadonlySet<string> {
    return this.#held.sync.current;
  }

  isExpected(kind: string): boolean {
    return this.#held.sync.isTold(kind) && !this.#held.sync.isBlind(kind);
  }

  #replicaSetsOf(deployment: Ref): WorkloadView[] {
    return [...this.#held.objects.childrenOf(deployment)].flatMap((ref) => {
      const child = kindOf(ref) === 'ReplicaSet' ? this.#held.objects.get(ref) : undefined;
      return child && 'replicas' in child ? [child] : [];
    });
  }
}
