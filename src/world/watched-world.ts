import type { Coverage } from '../model/coverage.ts';
import { Faults } from '../model/faults.ts';
import type { Memory } from '../model/memory.ts';
import type { ObjectEvent } from '../model/raw-object.ts';
import { isRef, kindOf, nameOf, namespaceOf, qualifiedKind, type Ref } from '../model/ref.ts';
import { apiVersionOf, groupOfSource } from '../model/resource.ts';
import type { Evidence } from '../model/turn.ts';
import { HeldWorld } from './held-world.ts';
import { Holdings } from './holdings.ts';
import { Intake } from './intake.ts';
import { heldKinds, kindInRefs, watchedKind, watchedSource } from './kinds/kinds.ts';
import { signsIn } from './memory/heard-signs.ts';
import { lastLineIn, lastWordsIn } from './memory/last-words.ts';
import type { SavedNormal } from './memory/own-normal.ts';
import { notesOf, type SavedNotes, savedNotes } from './memory/saved-notes.ts';
import { concerned } from './objects/concerned.ts';
import type { Marks } from './objects/marks.ts';
import type { Owners } from './objects/owners.ts';
import { isCustomKind } from './reading/custom-resource.ts';
import { restoreTo, takeChangesOf } from './saved-memory.ts';
import { Speakers } from './speakers.ts';
import type { HeldSince, ObjectKey, WritableWorld } from './view/world.ts';
import type { WorldChanges } from './view/world-topics.ts';

/** The world as one turn after the other writes it. At first nothing has been seen: every object is unknown. */
export class WatchedWorld extends HeldWorld implements WritableWorld {
  readonly #held: Holdings;
  readonly #intake: Intake;
  readonly #speakers: Speakers;
  readonly #faults: Faults;

  /** `faults`: where an object that cannot be taken in is set aside. `heldSince`: of what was not seen to begin. */
  constructor(faults = new Faults(), heldSince?: HeldSince) {
    const held = new Holdings();
    const speakers = new Speakers(held);
    super(held, speakers, heldSince);
    this.#held = held;
    this.#intake = new Intake(held, faults);
    this.#faults = faults;
    this.#speakers = speakers;
  }

  get marks(): Marks {
    return this.#held.marks;
  }

  get owners(): Owners {
    return this.#held.owners;
  }

  hear({ pod, uid, container, ended, lines }: Evidence, now: number): ReadonlySet<Ref> {
    if (this.#held.objects.uidOf(pod) !== uid) return new Set();
    const signs = this.#signsIn(pod, lines, { container, source: ended ? 'previousLog' : 'log', at: now });
    const words = signs.length > 0 ? '' : lastWordsIn(lines, [pod, `Container//${container}`]);
    if (!this.#held.observations.hear(pod, uid, signs, words, lastLineIn(lines))) return new Set();
    this.#held.changed();
    return new Set([pod, ...this.#speakers.siblingsOf(pod), ...this.#held.objects.ownersOf(pod)]);
  }

  /** What the lines of a log say; nothing where they cannot be read. */
  #signsIn(about: Ref, ...log: Parameters<typeof signsIn>): ReturnType<typeof signsIn> {
    try {
      return signsIn(...log);
    } catch (error) {
      this.#faults.note({ step: 'take', about, by: 'log', error });
      return [];
    }
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

  *everything(): Iterable<Ref> {
    for (const row of heldKinds) yield* this.#held.objects.refs(kindInRefs(row));
    for (const kind of this.#held.objects.kinds()) if (isCustomKind(kind)) yield* this.#held.objects.refs(kind);
  }

  see(coverage: Coverage, now: number): ReadonlySet<Ref> {
    const { source, kind: name } = coverage;
    this.#held.advance(now);
    const row = watchedSource(source);
    const kind = row ? kindInRefs(row) : qualifiedKind(groupOfSource(source), name);
    const change = this.#held.sync.take(kind, coverage);
    this.#held.changed();
    if (change === 'none') return new Set();
    const dirty = new Set(this.#held.objects.lacking(kind));
    if (change === 'sight')
      for (const each of [kind, ...(row?.judgedBy ?? [])])
        for (const ref of this.#held.objects.refs(each)) dirty.add(ref);
    return dirty;
  }

  concernedBy(ref: Ref): Iterable<Ref> {
    const view = this.#held.objects.get(ref);
    return concerned(this.#held.objects, undefined, view);
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
    const { objects, unread } = this.#held;
    const known = new Set(objects.refs(kind));
    for (const ref of unread.keys()) if (kindOf(ref) === kind) known.add(ref);
    for (const ref of known) {
      const key = { name: nameOf(ref), uid: unread.get(ref) ?? objects.uidOf(ref) ?? '' };
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
}
