import type { Coverage } from '../model/coverage.ts';
import type { Memory } from '../model/memory.ts';
import type { ObjectEvent } from '../model/raw-object.ts';
import { isRef, kindOf, nameOf, namespaceOf, qualifiedKind, type Ref } from '../model/ref.ts';
import { apiVersionOf, groupOfSource } from '../model/resource.ts';
import type { Labels, Subject } from '../model/subject.ts';
import type { Evidence } from '../model/turn.ts';
import { memoryOf } from './changes.ts';
import type { RunsSinceSuccess } from './cron-runs.ts';
import { isCustomKind } from './custom-resource.ts';
import type { Departure } from './departures.ts';
import { facetInApi } from './facets.ts';
import { signsIn } from './heard-signs.ts';
import { Holdings } from './holdings.ts';
import type { Instability } from './instability.ts';
import { Intake } from './intake.ts';
import type { EventView } from './kinds/event.ts';
import type { WorkloadView } from './kinds/workload.ts';
import { heldKinds, kindInRefs, type Projection, watchedKind, watchedSource } from './kinds.ts';
import type { LinkType } from './link-type.ts';
import type { Marks } from './marks.ts';
import type { OwnNormal, SavedNormal } from './own-normal.ts';
import { Places } from './places.ts';
import { restoreTo, takeChangesOf } from './saved-memory.ts';
import { notesOf, type SavedNotes, savedNotes } from './saved-notes.ts';
import { Speakers } from './speakers.ts';
import type { Change, ObjectKey, PlacedSign, WritableWorld } from './world.ts';
import type { WorldChanges } from './world-topics.ts';

const none: readonly never[] = [];

/** The world as one turn after the other writes it. At first nothing has been seen: every object is unknown. */
export class WatchedWorld implements WritableWorld {
  readonly #held = new Holdings();
  readonly #intake = new Intake(this.#held);
  readonly #places = new Places(this.#held);
  readonly #speakers = new Speakers(this.#held);

  get marks(): Marks {
    return this.#held.marks;
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

  changes(ref: Ref, afterMs: number): readonly Change[] {
    const changes =
      kindOf(ref) === 'Deployment'
        ? this.#held.changes.ofRevisions(ref, this.#replicaSetsOf(ref))
        : this.#held.changes.seen(ref);
    return changes.filter((change) => change.at > afterMs && change.at > this.#held.now - memoryOf(change));
  }

  since(ref: Ref, facet: string): number {
    const view = this.#held.objects.get(ref);
    return (view && facetInApi(view, facet)) ?? this.#held.observations.facet(ref, facet) ?? this.#held.now;
  }

  signs(ref: Ref): readonly PlacedSign[] {
    const speaker = this.#held.observations.signs(ref).length > 0 ? ref : this.#speakers.of(ref);
    return speaker === undefined ? none : this.#speakers.placed(speaker, this.#places);
  }

  isRead(ref: Ref): boolean {
    const { observations } = this.#held;
    return observations.isRead(ref) || this.#speakers.siblingsOf(ref).some((one) => observations.isRead(one));
  }

  hear({ pod, uid, container, ended, lines }: Evidence, now: number): ReadonlySet<Ref> {
    if (this.#held.objects.uidOf(pod) !== uid) return new Set();
    const signs = signsIn(lines, { container, source: ended ? 'previousLog' : 'log', at: now });
    if (!this.#held.observations.hear(pod, uid, signs)) return new Set();
    this.#held.changed();
    return new Set([pod, ...this.#speakers.siblingsOf(pod), ...this.#held.objects.ownersOf(pod)]);
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
    return node === undefined ? { ref, labels } : { ref, labels, node };
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
    return this.#held.instabilities.of(replicaSet, this.#held.now);
  }

  starts(owner: Ref): readonly number[] {
    return this.#held.starts.of(owner);
  }

  lostOn(owner: Ref): readonly string[] {
    return this.#held.losses.nodesOf(owner);
  }

  apply(source: string, events: readonly ObjectEvent[], now: number): ReadonlySet<Ref> {
    const dirty = new Set<Ref>();
    this.#intake.take(source, events, now, dirty);
    return dirty;
  }

  load(source: string, events: readonly ObjectEvent[], now: number): void {
    this.#intake.take(source, events, now, undefined);
  }

  isInSight(kind: string): boolean {
    const row = watchedKind(kind);
    const isWatched = row !== undefined || (isCustomKind(kind) && this.#held.sync.isTold(kind));
    // What nobody has opted into is as if it were not watched at all.
    const isLeftOut = row?.optIn === true && this.#held.sync.isBlind(kind);
    return !isWatched || isLeftOut || this.#held.sync.isCurrent(kind);
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

  *everything(): Iterable<Ref> {
    for (const row of heldKinds) yield* this.#held.objects.refs(kindInRefs(row));
    for (const kind of this.#held.objects.kinds()) if (isCustomKind(kind)) yield* this.#held.objects.refs(kind);
  }

  see({ source, kind: name, state }: Coverage, now: number): ReadonlySet<Ref> {
    this.#held.advance(now);
    const row = watchedSource(source);
    const kind = row ? kindInRefs(row) : qualifiedKind(groupOfSource(source), name);
    const change = this.#held.sync.take(kind, state);
    this.#held.changed();
    if (change === 'absence') return new Set(this.#held.objects.lacking(kind));
    const dirty = new Set<Ref>();
    if (change === 'sight')
      for (const each of [kind, ...(row?.judgedBy ?? [])])
        for (const ref of this.#held.objects.refs(each)) dirty.add(ref);
    return dirty;
  }

  expire(now: number): void {
    this.#held.expire(now);
  }

  restore(notes: ReadonlyMap<string, SavedNotes>): void {
    this.#held.observations.restore(notesOf(notes));
  }

  restoreNormals(saved: ReadonlyMap<string, SavedNormal>, since: number | undefined): void {
    const known = new Map<Ref, SavedNormal>();
    for (const [ref, normal] of saved) if (isRef(ref)) known.set(ref, normal);
    this.#held.normals.restore(known, since);
  }

  takeNormals(): Iterable<readonly [Ref, SavedNormal | undefined]> {
    return this.#held.normals.takeChanges();
  }

  restoreSeen(memory: Memory, watchedSince: number | undefined): void {
    restoreTo(this.#held, memory, watchedSince);
  }

  takeSeen(): WorldChanges {
    return takeChangesOf(this.#held);
  }

  get podsWatchedSince(): number | undefined {
    return this.#held.instabilities.watchedSince;
  }

  get watchedSince(): number | undefined {
    return this.#held.normals.since;
  }

  *takeNotes(): Iterable<readonly [Ref, SavedNotes | undefined]> {
    for (const [ref, notes] of this.#held.observations.takeChanges()) yield [ref, notes && savedNotes(notes)];
  }

  *keys(kind: string): Iterable<ObjectKey> {
    for (const ref of this.#held.objects.refs(kind)) {
      const key = { name: nameOf(ref), uid: this.#held.objects.uidOf(ref) ?? '' };
      const namespace = namespaceOf(ref);
      yield namespace === '' ? key : { namespace, ...key };
    }
  }

  uidOf(ref: Ref): string | undefined {
    return this.#held.objects.uidOf(ref);
  }

  apiVersionOf(ref: Ref): string | undefined {
    const row = watchedKind(kindOf(ref));
    if (row) return apiVersionOf(row, row.versions[0]);
    const view = this.#held.objects.get(ref);
    return view?.kind === 'CustomResource' ? view.apiVersion : undefined;
  }

  #replicaSetsOf(deployment: Ref): WorkloadView[] {
    return [...this.#held.objects.childrenOf(deployment)].flatMap((ref) => {
      const child = kindOf(ref) === 'ReplicaSet' ? this.#held.objects.get(ref) : undefined;
      return child && 'replicas' in child ? [child] : [];
    });
  }
}
