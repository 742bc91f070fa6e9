import { isDeepStrictEqual } from 'node:util';
import { Faults } from '../model/faults.ts';
import type { ObjectEvent, RawObject } from '../model/raw-object.ts';
import { namespaceOf, type Ref, refOf } from '../model/ref.ts';
import type { Holdings } from './holdings.ts';
import { type EventObject, type EventView, tellsOfStarts } from './kinds/cluster/event.ts';
import { kindInRefs, type Projection, watchedSource } from './kinds/kinds.ts';
import type { PodView } from './kinds/workloads/pod.ts';
import { departureOf } from './memory/departures.ts';
import { lostAt, worksOn } from './memory/losses.ts';
import { restartsBetween, startSeconds } from './memory/pod-life.ts';
import { concerned } from './objects/concerned.ts';
import type { OtherView } from './objects/objects.ts';
import { customKindOf, customResources } from './reading/custom-resource.ts';
import { type Fields, given } from './reading/fields.ts';

/** Takes objects in as they are seen: keeps what is read of them, notes what differs, and says who must be judged again. */
export class Intake {
  readonly #held: Holdings;
  readonly #faults: Faults;

  /** `faults`: where an object that cannot be taken in is set aside */
  constructor(held: Holdings, faults = new Faults()) {
    this.#held = held;
    this.#faults = faults;
  }

  /** Takes in what one source tells. `dirty` collects whom it concerns, if anybody asks. */
  take(source: string, events: readonly ObjectEvent[], now: number, dirty: Set<Ref> | undefined): void {
    this.#held.advance(now);
    const row = watchedSource(source);
    this.#held.changed();
    // A kind that a definition defines is known by its objects.
    const [first] = events;
    const kind = row ? kindInRefs(row) : first && customKindOf(first.raw);
    if (kind === undefined) return;
    const { project } = row ?? customResources;
    // What is loaded was there before anybody watched.
    const isLive = dirty !== undefined && this.#held.sync.isCurrent(kind);
    for (const { is, raw } of events)
      try {
        if (is === 'gone') this.#go(kind, raw, now, dirty);
        else {
          const projected = project(raw);
          if (projected.kind === 'Event') this.#hear(projected, isLive, now, dirty);
          else this.#put(projected, raw, isLive, now, dirty);
        }
        if (this.#held.unread.size > 0) this.#read(refOf(kind, raw.metadata.namespace, raw.metadata.name), dirty);
      } catch (error) {
        this.#setAside(kind, raw, error, dirty);
      }
  }

  /** An object is as it should be again, or gone. */
  #read(ref: Ref, dirty: Set<Ref> | undefined): void {
    if (!this.#held.unread.delete(ref)) return;
    this.#faults.passed('take', ref);
    dirty?.add(ref);
  }

  /** What it was before may not be so any more: nothing is known of it until it changes. */
  #setAside(kind: string, { metadata }: RawObject, error: unknown, dirty: Set<Ref> | undefined): void {
    const about = refOf(kind, metadata.namespace, metadata.name);
    // An Event is told once, and no object that anything is known of.
    const isObject = kind !== 'Event';
    if (isObject) this.#held.unread.set(about, metadata.uid ?? '');
    this.#faults.note({ step: 'take', about, by: '', error }, isObject);
    dirty?.add(about);
  }

  #go(kind: string, { metadata: { namespace, name, uid } }: RawObject, now: number, dirty: Set<Ref> | undefined): void {
    // That the API server drops an Event after some time takes nothing back of what it told.
    if (kind === 'Event') return;
    const ref = refOf(kind, namespace, name);
    // The deletion of an object that has been made anew since is old news.
    const isIt = [this.#held.objects.uidOf(ref), this.#held.unread.get(ref)].includes(uid);
    if (uid === undefined || isIt) this.#remove(ref, now, dirty);
  }

  #hear(event: EventView, isLive: boolean, now: number, dirty: Set<Ref> | undefined): void {
    if (!isLive) this.#hearOfStarts(event);
    for (const ref of this.#held.events.put(event, now, isLive)) dirty?.add(ref);
  }

  /** What happened before anybody watched is known by how often kubelets say that they have started a container. */
  #hearOfStarts({ regarding, regardingUid, container, reason, message, ...told }: EventView): void {
    if (container === undefined || !tellsOfStarts(reason, message)) return;
    const pod = this.#held.objects.pods.get(regarding);
    if (pod?.uid === regardingUid) this.#held.observations.startsTold(pod, { ...told, container });
  }

  #put(
    projected: Exclude<Projection, EventObject>,
    raw: Fields,
    isLive: boolean,
    now: number,
    dirty: Set<Ref> | undefined,
  ): void {
    const { ref, uid } = projected;
    const known = this.#held.objects.get(ref);
    if (known && known.uid !== uid) this.#remove(ref, now, dirty);
    const before = known?.uid === uid ? known : undefined;
    const view = this.#held.times.settle(projected, before, isLive, now);
    this.#held.sync.sawCome(ref);
    const touched = dirty ? [...concerned(this.#held.objects, before, view)] : [];
    this.#held.marks.note(view);
    const isNews = view.kind === 'Pod' ? this.#putPod(before, view, now) : this.#putOther(before, view, raw, now);
    if (!isNews) return;
    const isOwnedAnew = this.#held.owners.takes(before, view);
    if (dirty && isOwnedAnew) for (const below of this.#held.objects.descendantsOf(ref)) dirty.add(below);
    this.#held.observations.note(before, view, now);
    if (dirty) for (const each of [...touched, ...concerned(this.#held.objects, before, view)]) dirty.add(each);
  }

  #putPod(before: Projection | undefined, view: PodView, now: number): boolean {
    if (!this.#held.objects.putPod(view)) return false;
    const last = before?.kind === 'Pod' ? before : undefined;
    this.#noteLoss(last, view, now);
    this.#held.starts.note(last, view);
    if (view.node === undefined || worksOn(this.#held.get(refOf('Node', '', view.node))))
      this.#held.instabilities.note(last, view, now);
    if (last) this.#noteNormal(last, view, now);
    return true;
  }

  #putOther(before: Projection | undefined, view: OtherView, raw: Fields, now: number): boolean {
    if (before && isDeepStrictEqual(before, view)) return false;
    if (before?.kind === 'Job' && view.kind === 'Job' && before.completedAt === undefined && view.owner !== undefined)
      if (view.startedAt !== undefined && view.completedAt !== undefined)
        this.#held.normals.took(view.owner, 'runs', (view.completedAt - view.startedAt) / 1000, now);
    this.#held.objects.putOther(view);
    this.#held.changes.note(before, view, raw, now);
    return true;
  }

  #remove(ref: Ref, now: number, dirty: Set<Ref> | undefined): void {
    const before = this.#held.objects.get(ref);
    if (!before) return;
    if (dirty) for (const touched of concerned(this.#held.objects, before, undefined)) dirty.add(touched);
    if (before.kind === 'Pod') this.#noteLoss(before, undefined, now);
    this.#held.objects.remove(before);
    this.#held.marks.remove(ref);
    this.#held.sync.sawGo(ref, now);
    this.#held.times.drop(ref);
    this.#held.observations.drop(ref);
    this.#held.changes.gone(before, this.#staysNamespaceOf(ref), now);
    this.#held.starts.delete(ref);
  }

  /** Whether the namespace of an object is to stay. */
  #staysNamespaceOf(ref: Ref): boolean {
    const namespace = namespaceOf(ref);
    const view = namespace === '' ? undefined : this.#held.get(refOf('Namespace', '', namespace));
    return typeof view !== 'object' || view.deletionAt === undefined;
  }

  /** A Pod that goes: how, and whether it was lost with or through its Node. */
  #noteLoss(before: PodView | undefined, after: PodView | undefined, now: number): void {
    const pod = after ?? before;
    const departure = pod && departureOf(pod);
    if (departure && pod.owner !== undefined)
      this.#held.departures.note(this.#held.topOwner(pod.ref), {
        uid: pod.uid,
        ...departure,
        ...given({ node: pod.node }),
      });
    const going = pod && (!after || (after.deletionAt !== undefined && before?.deletionAt === undefined));
    if (!going || pod.node === undefined || pod.owner === undefined) return;
    const at = lostAt(pod, this.#held.get(refOf('Node', '', pod.node)), now);
    if (at !== undefined) this.#held.losses.note(pod.owner, { node: pod.node, uid: pod.uid, at });
  }

  /** What of a Pod's change tells what is normal for its workload. */
  #noteNormal(before: PodView, view: PodView, now: number): void {
    if (view.owner === undefined) return;
    const count = restartsBetween(before, view, now);
    if (count > 0) this.#held.normals.restarted(this.#held.topOwner(view.ref), count, now);
    const seconds = startSeconds(before, view);
    if (seconds !== undefined) this.#held.normals.took(this.#held.topOwner(view.ref), 'starts', seconds, now);
  }
}
