import { isDeepStrictEqual } from 'node:util';
import type { Coverage } from '../model/coverage.ts';
import type { ObjectEvent } from '../model/raw-object.ts';
import { isRef, kindOf, nameOf, namespaceOf, qualifiedKind, type Ref, refOf } from '../model/ref.ts';
import { apiVersionOf, groupOfSource } from '../model/resource.ts';
import type { Labels, Subject } from '../model/subject.ts';
import { ApiTimes } from './api-times.ts';
import { ChangeLog, changeMemoryMs } from './changes.ts';
import { concerned } from './concerned.ts';
import type { RunsSinceSuccess } from './cron-runs.ts';
import { customKindOf, customResources, isCustomKind } from './custom-resource.ts';
import { type Departure, Departures, departureOf } from './departures.ts';
import { EventMemory } from './event-memory.ts';
import { facetInApi } from './facets.ts';
import type { Fields } from './fields.ts';
import { Instabilities, type Instability } from './instability.ts';
import { createPool } from './intern.ts';
import type { EventObject, EventView } from './kinds/event.ts';
import type { PodView } from './kinds/pod.ts';
import type { WorkloadView } from './kinds/workload.ts';
import { heldKinds, kindInRefs, type Projection, watchedKind, watchedSource } from './kinds.ts';
import type { LinkType } from './link-type.ts';
import { Links } from './links.ts';
import { Losses, lostAt, worksOn } from './losses.ts';
import { Marks } from './marks.ts';
import { Objects, type OtherView } from './objects.ts';
import { Observations } from './observations.ts';
import { type OwnNormal, OwnNormals, type SavedNormal } from './own-normal.ts';
import { restartsBetween, startSeconds } from './pod-life.ts';
import type { PodTemplate } from './pod-template.ts';
import { isSame } from './same.ts';
import { notesOf, type SavedNotes, savedNotes } from './saved-notes.ts';
import { SyncState } from './sync-state.ts';
import type { Change, ObjectKey, WritableWorld } from './world.ts';

const templatePoolCapacity = 20_000;

/** The world as one turn after the other writes it. At first nothing has been seen: every object is unknown. */
export class WatchedWorld implements WritableWorld {
  readonly #objects = new Objects();
  readonly marks = new Marks(this.#objects);
  readonly #sync = new SyncState();
  readonly #times = new ApiTimes();
  readonly #observations = new Observations();
  readonly #changes = new ChangeLog();
  readonly #events = new EventMemory();
  readonly #losses = new Losses();
  readonly #departures = new Departures();
  readonly #instabilities = new Instabilities();
  readonly #normals = new OwnNormals();
  readonly #links = new Links(this.#objects, this.#losses);
  readonly #templates = createPool<PodTemplate>(templatePoolCapacity);
  /** The latest time that was told. */
  #now = 0;
  #revision = 0;

  get(ref: Ref): Projection | 'absent' | 'unknown' {
    if (this.#sync.isBlind(kindOf(ref))) return 'unknown';
    return this.#objects.get(ref) ?? (this.#sync.isAbsent(ref) ? 'absent' : 'unknown');
  }

  all(kind: string): Iterable<Projection> {
    return this.#objects.of(kind);
  }

  count(kind: string): number {
    return this.#objects.count(kind);
  }

  linked(ref: Ref, type: LinkType, way: 'out' | 'in', limit = Number.POSITIVE_INFINITY): Iterable<Ref> {
    const linked = this.#links.of(ref, type, way);
    return limit === Number.POSITIVE_INFINITY ? linked : Iterator.from(linked).take(limit);
  }

  changes(ref: Ref, afterMs: number): readonly Change[] {
    const changes =
      kindOf(ref) === 'Deployment' ? this.#changes.ofRevisions(ref, this.#replicaSetsOf(ref)) : this.#changes.seen(ref);
    return changes.filter(({ at }) => at > afterMs && at > this.#now - changeMemoryMs);
  }

  since(ref: Ref, facet: string): number {
    const view = this.#objects.get(ref);
    return (view && facetInApi(view, facet)) ?? this.#observations.facet(ref, facet) ?? this.#now;
  }

  topOwner(ref: Ref): Ref {
    let top = ref;
    for (const owner of this.#objects.ownersOf(ref)) top = owner;
    return top;
  }

  labelsOf(ref: Ref): Labels {
    return this.#objects.labelsOf(ref);
  }

  subject(ref: Ref): Subject {
    const node = kindOf(ref) === 'Node' ? nameOf(ref) : this.#objects.pods.record(ref)?.node;
    const labels = this.#objects.labelsOf(ref);
    return node === undefined ? { ref, labels } : { ref, labels, node };
  }

  restartsAfter(ref: Ref, container: string, afterMs: number): number {
    const pod = this.#objects.pods.get(ref);
    return pod ? this.#observations.restartsAfter(pod, container, afterMs) : 0;
  }

  pullError(ref: Ref, container: string): string | undefined {
    return this.#observations.pullError(ref, container);
  }

  turns(ref: Ref, type: string): readonly number[] {
    return this.#observations.turns(ref, type);
  }

  runsSinceSuccess(ref: Ref): RunsSinceSuccess | undefined {
    return this.#observations.runsSinceSuccess(ref);
  }

  events(ref: Ref): readonly EventView[] {
    return this.#events.of(ref, this.#objects.uidOf(ref));
  }

  warnings(): { readonly recent: number; readonly usualHourly: number | undefined } {
    return { recent: this.#events.rates.recent(this.#now), usualHourly: this.#events.rates.usualHourly(this.#now) };
  }

  podLabels(namespace: string): Iterable<Labels> {
    return this.#objects.pods.selections.labelsIn(namespace);
  }

  podsIn(namespace: string, limit: number): Iterable<Ref> {
    return Iterator.from(this.#objects.pods.selections.podsIn(namespace)).take(limit);
  }

  servicesFor(namespace: string, labels: Labels): Iterable<Ref> {
    const selecting = Iterator.from(this.#objects.pods.selections.by(namespace, labels));
    return selecting.filter((ref) => kindOf(ref) === 'Service');
  }

  ownNormal(workload: Ref): OwnNormal {
    return this.#normals.of(workload, this.#objects.get(workload)?.createdAt ?? this.#now, this.#now);
  }

  restartsChangeAt(workload: Ref): number | undefined {
    return this.#normals.changesAt(workload, this.#now);
  }

  departures(ref: Ref): readonly Departure[] {
    return this.#departures.of(ref);
  }

  instability(replicaSet: Ref): Instability {
    return this.#instabilities.of(replicaSet, this.#now);
  }

  lostOn(owner: Ref): readonly string[] {
    return this.#losses.nodesOf(owner);
  }

  apply(source: string, events: readonly ObjectEvent[], now: number): ReadonlySet<Ref> {
    const dirty = new Set<Ref>();
    this.#takeIn(source, events, now, dirty);
    return dirty;
  }

  load(source: string, events: readonly ObjectEvent[], now: number): void {
    this.#takeIn(source, events, now, undefined);
  }

  isInSight(kind: string): boolean {
    const row = watchedKind(kind);
    const isWatched = row !== undefined || (isCustomKind(kind) && this.#sync.isTold(kind));
    // What nobody has opted into is as if it were not watched at all.
    const isLeftOut = row?.optIn === true && this.#sync.isBlind(kind);
    return !isWatched || isLeftOut || this.#sync.isCurrent(kind);
  }

  get revision(): number {
    return this.#revision;
  }

  get kindsInSight(): ReadonlySet<string> {
    return this.#sync.current;
  }

  isExpected(kind: string): boolean {
    return this.#sync.isTold(kind) && !this.#sync.isBlind(kind);
  }

  *everything(): Iterable<Ref> {
    for (const row of heldKinds) yield* this.#objects.refs(kindInRefs(row));
    for (const kind of this.#objects.kinds()) if (isCustomKind(kind)) yield* this.#objects.refs(kind);
  }

  see({ source, kind: name, state }: Coverage, now: number): ReadonlySet<Ref> {
    this.#now = Math.max(this.#now, now);
    const row = watchedSource(source);
    const kind = row ? kindInRefs(row) : qualifiedKind(groupOfSource(source), name);
    const change = this.#sync.take(kind, state);
    this.#revision += 1;
    if (change === 'absence') return new Set(this.#objects.lacking(kind));
    const dirty = new Set<Ref>();
    if (change === 'sight')
      for (const each of [kind, ...(row?.judgedBy ?? [])]) for (const ref of this.#objects.refs(each)) dirty.add(ref);
    return dirty;
  }

  expire(now: number): void {
    this.#revision += 1;
    this.#now = Math.max(this.#now, now);
    this.#normals.watch(now);
    this.#observations.expire(now);
    this.#changes.expire(now);
    this.#events.expire(now);
    this.#losses.expire(now);
    this.#departures.expire(now);
    this.#instabilities.expire(now);
    this.#sync.expire(now);
    this.#observations.look((ref) => this.get(ref));
  }

  restore(notes: ReadonlyMap<string, SavedNotes>): void {
    this.#observations.restore(notesOf(notes));
  }

  restoreNormals(saved: ReadonlyMap<string, SavedNormal>, since: number | undefined): void {
    const known = new Map<Ref, SavedNormal>();
    for (const [ref, normal] of saved) if (isRef(ref)) known.set(ref, normal);
    this.#normals.restore(known, since);
  }

  takeNormals(): Iterable<readonly [Ref, SavedNormal | undefined]> {
    return this.#normals.takeChanges();
  }

  get watchedSince(): number | undefined {
    return this.#normals.since;
  }

  *takeNotes(): Iterable<readonly [Ref, SavedNotes | undefined]> {
    for (const [ref, notes] of this.#observations.takeChanges()) yield [ref, notes && savedNotes(notes)];
  }

  *keys(kind: string): Iterable<ObjectKey> {
    for (const ref of this.#objects.refs(kind)) {
      const key = { name: nameOf(ref), uid: this.#objects.uidOf(ref) ?? '' };
      const namespace = namespaceOf(ref);
      yield namespace === '' ? key : { namespace, ...key };
    }
  }

  uidOf(ref: Ref): string | undefined {
    return this.#objects.uidOf(ref);
  }

  apiVersionOf(ref: Ref): string | undefined {
    const row = watchedKind(kindOf(ref));
    if (row) return apiVersionOf(row, row.versions[0]);
    const view = this.#objects.get(ref);
    return view?.kind === 'CustomResource' ? view.apiVersion : undefined;
  }

  /** `dirty` collects whom it concerns, if anybody asks. */
  #takeIn(source: string, events: readonly ObjectEvent[], now: number, dirty: Set<Ref> | undefined): void {
    this.#now = Math.max(this.#now, now);
    const row = watchedSource(source);
    this.#revision += 1;
    // A kind that a definition defines is known by its objects.
    const [first] = events;
    const kind = row ? kindInRefs(row) : first && customKindOf(first.raw);
    if (kind === undefined) return;
    const { project } = row ?? customResources;
    // What is loaded was there before anybody watched.
    const isLive = dirty !== undefined && this.#sync.isCurrent(kind);
    for (const { is, raw } of events) {
      if (is === 'put') {
        const projected = project(raw);
        if (projected.kind === 'Event') this.#hear(projected, now, dirty);
        else this.#put(projected, raw, isLive, now, dirty);
        continue;
      }
      // That the API server drops an Event after some time takes nothing back of what it told.
      if (kind === 'Event') continue;
      const { namespace, name, uid } = raw.metadata;
      const ref = refOf(kind, namespace, name);
      // The deletion of an object that has been made anew since is old news.
      if (uid === undefined || this.#objects.uidOf(ref) === uid) this.#remove(ref, now, dirty);
    }
  }

  #hear(event: EventView, now: number, dirty: Set<Ref> | undefined): void {
    for (const ref of this.#events.put(event, now)) dirty?.add(ref);
  }

  #put(
    projected: Exclude<Projection, EventObject>,
    raw: Fields,
    isLive: boolean,
    now: number,
    dirty: Set<Ref> | undefined,
  ): void {
    const { ref, uid } = projected;
    const known = this.#objects.get(ref);
    if (known && known.uid !== uid) this.#remove(ref, now, dirty);
    const before = known?.uid === uid ? known : undefined;
    const view = this.#times.settle(projected, before, isLive, now);
    this.#sync.sawCome(ref);
    const touched = dirty ? [...concerned(this.#objects, before, view)] : [];
    this.marks.note(view);
    const isNews = view.kind === 'Pod' ? this.#putPod(before, view, now) : this.#putOther(before, view, raw, now);
    if (!isNews) return;
    this.#observations.note(before, view, now);
    if (dirty) for (const each of [...touched, ...concerned(this.#objects, before, view)]) dirty.add(each);
  }

  #putPod(before: Projection | undefined, view: PodView, now: number): boolean {
    if (!this.#objects.putPod(view)) return false;
    const last = before?.kind === 'Pod' ? before : undefined;
    this.#noteLoss(last, view, now);
    if (view.node === undefined || worksOn(this.get(refOf('Node', '', view.node))))
      this.#instabilities.note(last, view, now);
    if (last) this.#noteNormal(last, view, now);
    return true;
  }

  #putOther(before: Projection | undefined, view: OtherView, raw: Fields, now: number): boolean {
    if (before && isDeepStrictEqual(before, view)) return false;
    if (before?.kind === 'Job' && view.kind === 'Job' && before.completedAt === undefined && view.owner !== undefined)
      if (view.startedAt !== undefined && view.completedAt !== undefined)
        this.#normals.took(view.owner, 'runs', (view.completedAt - view.startedAt) / 1000, now);
    this.#objects.putOther('template' in view ? { ...view, template: this.#shared(view.template) } : view);
    this.#changes.note(before, view, raw, now);
    return true;
  }

  #remove(ref: Ref, now: number, dirty: Set<Ref> | undefined): void {
    const before = this.#objects.get(ref);
    if (!before) return;
    if (dirty) for (const touched of concerned(this.#objects, before, undefined)) dirty.add(touched);
    if (before.kind === 'Pod') this.#noteLoss(before, undefined, now);
    this.#objects.remove(before);
    this.marks.remove(ref);
    this.#sync.sawGo(ref, now);
    this.#times.drop(ref);
    this.#observations.drop(ref);
    this.#changes.drop(ref);
  }

  /** A Pod that goes: how, and whether it was lost with or through its Node. */
  #noteLoss(before: PodView | undefined, after: PodView | undefined, now: number): void {
    const pod = after ?? before;
    const departure = pod && departureOf(pod);
    if (departure && pod.owner !== undefined)
      this.#departures.note(this.topOwner(pod.ref), { uid: pod.uid, ...departure });
    const going = pod && (!after || (after.deletionAt !== undefined && before?.deletionAt === undefined));
    if (!going || pod.node === undefined || pod.owner === undefined) return;
    const at = lostAt(pod, this.get(refOf('Node', '', pod.node)), now);
    if (at !== undefined) this.#losses.note(pod.owner, { node: pod.node, uid: pod.uid, at });
  }

  /** What of a Pod's change tells what is normal for its workload. */
  #noteNormal(before: PodView, view: PodView, now: number): void {
    if (view.owner === undefined) return;
    const count = restartsBetween(before, view, now);
    if (count > 0) this.#normals.restarted(this.topOwner(view.ref), count, now);
    const seconds = startSeconds(before, view);
    if (seconds !== undefined) this.#normals.took(this.topOwner(view.ref), 'starts', seconds, now);
  }

  /** One template for a Deployment and its newest ReplicaSet. */
  #shared(template: PodTemplate): PodTemplate {
    const images = template.containers.map(({ image }) => image).join();
    const known = this.#templates(images, () => template);
    return isSame(known, template) ? known : template;
  }

  #replicaSetsOf(deployment: Ref): WorkloadView[] {
    return [...this.#objects.childrenOf(deployment)].flatMap((ref) => {
      const child = kindOf(ref) === 'ReplicaSet' ? this.#objects.get(ref) : undefined;
      return child && 'replicas' in child ? [child] : [];
    });
  }
}
