import { isDeepStrictEqual } from 'node:util';
import type { HeardSign } from '../../model/heard-sign.ts';
import { setMember } from '../../model/membership.ts';
import type { Ref } from '../../model/ref.ts';
import type { Projection } from '../kinds/kinds.ts';
import type { PodView } from '../kinds/workloads/pod.ts';
import type { RunsSinceSuccess } from './cron-runs.ts';
import { withSigns } from './heard-signs.ts';
import {
  canAge,
  isEmpty,
  isUneventful,
  joined,
  type Notes,
  notesAfter,
  nothing,
  type StartsTold,
  withoutOld,
  withStartsTold,
} from './notes.ts';
import { noTurns, turnedOf } from './turns.ts';

/** How often what is too old is looked for: turns follow each other closer, and nobody asks for it meanwhile. */
const expiryEveryMs = 60_000;
/** What was observed of objects, kept while there is something to keep. Times are epoch milliseconds. */
export class Observations {
  readonly #notes = new Map<Ref, Notes>();
  /** Pods of which signs are noted: few, of many that are asked for some. */
  readonly #speaking = new Set<Ref>();
  /** Objects of which something is noted that will be too old one day: few, of many that only wait. */
  readonly #aging = new Set<Ref>();
  /** Objects of which something else was noted since it was last asked. */
  readonly #changed = new Set<Ref>();
  /** Objects of which something was noted before a restart, and that have not been seen since. */
  readonly #awaited = new Set<Ref>();
  #expiresAt = 0;

  /** Compares an object with what was seen of it before (`undefined` at first sight). */
  note(before: Projection | undefined, after: Projection, now: number): void {
    // Most objects never have anything to note.
    const turned = turnedOf(before, after);
    if (!this.#notes.has(after.ref) && turned.length === 0 && isUneventful(after)) return;
    this.#keep(after.ref, notesAfter(this.#notes.get(after.ref), before, after, turned, now));
  }

  /** An Event tells of starts of a container of a Pod, which happened before anybody watched it. */
  startsTold(pod: PodView, told: StartsTold): void {
    const notes = this.#notes.get(pod.ref);
    const restarted = pod.containers.find(({ name }) => name === told.container)?.restarts ?? 0;
    if (notes?.uid === pod.uid) this.#keep(pod.ref, withStartsTold(notes, told, restarted));
  }

  /** Signs that the log of a container of a Pod with a UID gave, which may be none, its last words where it gave none, and its last line. Whether that is news to who reads signs. */
  hear(ref: Ref, uid: string, signs: readonly HeardSign[], words: string, line: string | undefined): boolean {
    const known = this.#notes.get(ref);
    const notes = known?.uid === uid ? known : { ...nothing, uid };
    const all = withSigns(notes.signs, signs);
    const heard = { ...notes, words: all.length > 0 ? '' : words, signs: all, ...(line !== undefined && { line }) };
    const isNews = notes.words !== heard.words || !isDeepStrictEqual(notes.signs, heard.signs);
    if (isNews || notes.line !== heard.line) this.#keep(ref, heard);
    return isNews;
  }

  /** What containers of a Pod said of why they fail, most telling first. */
  signs(ref: Ref): readonly HeardSign[] {
    return this.#speaking.has(ref) ? (this.#notes.get(ref)?.signs ?? nothing.signs) : nothing.signs;
  }

  /** The Pods that said why they fail. */
  get speaking(): ReadonlySet<Ref> {
    return this.#speaking;
  }

  /** The last words of a Pod whose log was read. */
  lastWords(ref: Ref): string | undefined {
    return this.#notes.get(ref)?.words;
  }

  /** The last line of a Pod whose log or termination message was read. */
  lastLine(ref: Ref): string | undefined {
    return this.#notes.get(ref)?.line;
  }

  drop(ref: Ref): void {
    this.#speaking.delete(ref);
    this.#aging.delete(ref);
    if (this.#notes.delete(ref)) this.#changed.add(ref);
  }

  #set(ref: Ref, notes: Notes): void {
    this.#notes.set(ref, notes);
    setMember(this.#speaking, ref, notes.signs.length > 0);
    setMember(this.#aging, ref, canAge(notes));
  }

  /** What was noted before a restart. Objects may have been met again since, when nothing was known of them. */
  restore(notes: ReadonlyMap<Ref, Notes>): void {
    for (const [ref, before] of notes) {
      const met = this.#notes.get(ref);
      if (met && met.uid !== before.uid) continue;
      this.#set(ref, met ? joined(before, met) : before);
      if (!met) this.#awaited.add(ref);
    }
  }

  /** Looks for what was noted before a restart: of what went meanwhile nothing is kept. */
  look(get: (ref: Ref) => unknown): void {
    for (const ref of this.#awaited) {
      const object = get(ref);
      if (object !== 'unknown') this.#awaited.delete(ref);
      if (object === 'absent') this.drop(ref);
    }
  }

  /** What is noted of the objects of which something else is since the last call; `undefined`: nothing any more. */
  takeChanges(): ReadonlyMap<Ref, Notes | undefined> {
    const changes = new Map([...this.#changed].map((ref) => [ref, this.#notes.get(ref)]));
    this.#changed.clear();
    return changes;
  }

  #keep(ref: Ref, notes: Notes): void {
    const known = this.#notes.get(ref);
    if (isEmpty(notes)) this.drop(ref);
    else if (known === undefined || !isDeepStrictEqual(known, notes)) {
      this.#set(ref, notes);
      this.#changed.add(ref);
    }
  }

  /** Since when a facet has been as it is, if that is not in the API. */
  facet(ref: Ref, facet: string): number | undefined {
    return this.#notes.get(ref)?.facets.get(facet);
  }

  /** How often a container restarted after an instant, as far as it was seen or follows from the Pod's age. */
  restartsAfter(view: PodView, container: string, afterMs: number): number {
    const restarts = view.containers.find(({ name }) => name === container)?.restarts ?? 0;
    const notes = this.#notes.get(view.ref)?.restarts.get(container) ?? [];
    return notes.reduce((most, { at, before }) => (at > afterMs ? Math.max(most, restarts - before) : most), 0);
  }

  /** When a condition turned from or to True in the last hour, the oldest first. */
  turns(ref: Ref, type: string): readonly number[] {
    return this.#notes.get(ref)?.turns.get(type) ?? noTurns;
  }

  /** The newest message of a failing pull that told its cause. */
  pullError(ref: Ref, container: string): string | undefined {
    return this.#notes.get(ref)?.pullErrors.get(container);
  }

  /** The runs of a CronJob since its last success. */
  runsSinceSuccess(ref: Ref): RunsSinceSuccess | undefined {
    return this.#notes.get(ref)?.runs;
  }

  /** Forgets restarts too old for anybody to ask for. */
  expire(now: number): void {
    if (now < this.#expiresAt) return;
    this.#expiresAt = now + expiryEveryMs;
    for (const ref of this.#aging) {
      const notes = this.#notes.get(ref);
      const kept = notes && withoutOld(notes, now);
      if (kept && kept !== notes) this.#keep(ref, kept);
    }
  }
}
