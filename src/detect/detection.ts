import type { Edition } from '../model/edition.ts';
import type { Faults } from '../model/faults.ts';
import { type Finding, referredBy } from '../model/finding.ts';
import { earliest } from '../model/instants.ts';
import { NotedMap } from '../model/noted-map.ts';
import type { Ref } from '../model/ref.ts';
import { fits, listOf, number, pairOf, text } from '../model/shape.ts';
import { viewKindOf } from '../world/reading/custom-resource.ts';
import { given } from '../world/reading/fields.ts';
import type { HeldSince, ObservedWorld } from '../world/view/world.ts';
import { Agenda, type Left } from './agenda.ts';
import { detectors } from './catalogue.ts';
import { HeldFindings } from './held-findings.ts';
import { Judges } from './judges.ts';
import type { Detector, Thresholds } from './kit/detector.ts';
import { isJudgedByName } from './named.ts';
import { isPlace } from './nodes/node-group.ts';

/** What one evaluation did. */
export type Evaluation = {
  /** Subjects whose findings changed, appeared or cleared. */
  readonly changed: ReadonlySet<Ref>;
  /** Epoch milliseconds: the next instant at which time alone may change an answer. */
  readonly wakeAt?: number;
};

const none: readonly Finding[] = [];
const nothingLeft: Left = {};
const nothingSaid: Said = [];

/** Since when what is said of an object has been said, as it is saved: what, and epoch milliseconds. */
export type Said = readonly (readonly [what: string, since: number])[];

/** Whether something remembered is that. */
export const isSaid = fits(listOf(pairOf(text, number)));

/** All findings that hold in one world. The one that evaluates is the turn. */
export class Detection {
  readonly #world: ObservedWorld;
  readonly #judges: Judges;
  readonly #heldSince: HeldSince;
  readonly #held = new HeldFindings();
  readonly #due = new Map<Ref, number>();
  /** What the last look at an object left for the next. */
  readonly #left = new Map<Ref, Left>();
  /** What is to be saved of it: since when what has no time in the API has been said. */
  readonly #said = new NotedMap<Ref, Said>();
  /** Subjects of findings that only stand: of before a restart and not judged since, or found by what is out of sight now. */
  readonly #standing = new Set<Ref>();
  /** The latest instant at which anything was judged (epoch milliseconds), also before a restart. */
  #latest = Number.NEGATIVE_INFINITY;

  /**
   * `rows`: every detector of watched objects, whatever the edition. `faults`: where a detector that throws on an object is set aside for it.
   * `heldSince`: of what was not seen to begin.
   */
  constructor(
    world: ObservedWorld,
    {
      edition,
      rows = detectors,
      faults,
      heldSince = () => undefined,
    }: {
      edition: Edition;
      rows?: readonly Detector[];
      faults?: Faults | undefined;
      heldSince?: HeldSince | undefined;
    },
  ) {
    this.#world = world;
    this.#judges = new Judges(world, edition, rows, faults);
    this.#heldSince = heldSince;
  }

  /**
   * Another edition from now on. A detector that it lacks finds nothing new and follows what it has found to its end: that a licence
   * ended does not mean that a problem did. Returns which of `known` (every object that is held) must be judged by detectors that
   * it adds.
   */
  switchTo(edition: Edition, known: Iterable<Ref>): readonly Ref[] {
    const kinds = this.#judges.switchTo(edition);
    return kinds.size === 0 ? [] : [...known, ...this.#held.named()].filter((ref) => kinds.has(viewKindOf(ref)));
  }

  /** Other thresholds from now on. Returns which of `known` (every object that is held) must be judged again for it. */
  goBy(thresholds: Thresholds, known: Iterable<Ref>): readonly Ref[] {
    const kinds = this.#judges.goBy(thresholds);
    return kinds.size === 0 ? [] : [...known].filter((ref) => kinds.has(viewKindOf(ref)));
  }

  /**
   * Goes on from findings of before a restart: what may only be kept (a Pod of a Node that nothing is heard of) stands, all others are
   * judged anew. Comes before anything is judged. `seenUntil`: when they were judged last (epoch milliseconds).
   */
  restore(findings: Iterable<Finding>, seenUntil = Number.NEGATIVE_INFINITY): void {
    this.#latest = seenUntil;
    for (const [ref, found] of Map.groupBy(findings, ({ subject }) => subject.ref)) {
      this.#held.hold(ref, found);
      this.#standing.add(ref);
    }
  }

  /** Since when before a restart what has no time in the API was said. Comes before anything is judged. */
  restoreSaid(saved: ReadonlyMap<Ref, Said>): void {
    this.#said.restore(saved);
    for (const [ref, said] of saved) {
      this.#left.set(ref, { said: new Map(said) });
      this.#standing.add(ref);
    }
  }

  /** The same where it is another than at the last call; `undefined`: nothing is said any more. */
  takeSaid(): Iterable<readonly [Ref, Said | undefined]> {
    return this.#said.takeChanges();
  }

  /** Subjects of findings that stand for want of sight: they are dirty whenever something comes into it. */
  standing(): Iterable<Ref> {
    return this.#standing;
  }

  /** Judges the dirty objects, those whose time to look again has come, and what their findings name. */
  evaluate(dirty: Iterable<Ref>, now: number): Evaluation {
    this.#latest = Math.max(this.#latest, now);
    const todo = new Set(dirty);
    for (const [ref, at] of this.#due) if (at <= now) todo.add(ref);
    const changed = new Set<Ref>();
    const namedToo = new Set<Ref>();
    for (const ref of todo) {
      if (isJudgedByName(ref)) {
        namedToo.add(ref);
        // Whether it is there is what those who name it are judged by.
        for (const subject of this.#held.naming(ref).keys()) todo.add(subject);
        continue;
      }
      if (!this.#judges.haveOne(ref)) continue;
      const object = this.#world.get(ref);
      if (object === 'unknown') {
        // What cannot be seen is neither found nor cleared, and time tells nothing of it: it is dirty once it is seen again.
        this.#due.delete(ref);
        this.#standUnseen(ref);
        continue;
      }
      const before = this.findings(ref);
      if (!this.#look(ref, now, (agenda) => (object === 'absent' ? none : this.#judges.ofObject(object, agenda))))
        continue;
      changed.add(ref);
      for (const finding of [...before, ...this.findings(ref)])
        for (const name of referredBy(finding)) if (isJudgedByName(name)) namedToo.add(name);
    }
    // Whether it is a zone that fails depends on what its pools have lost elsewhere.
    if (namedToo.values().some(isPlace)) for (const name of this.#held.named()) if (isPlace(name)) namedToo.add(name);
    for (const ref of namedToo) {
      const before = this.findings(ref);
      const isOther = this.#look(ref, now, (agenda) => this.#judgeNamed(ref, agenda));
      if (this.#judges.haveOne(ref) && this.#world.get(ref) === 'unknown') this.#standUnseen(ref);
      if (!isOther) continue;
      changed.add(ref);
      // A Node names its zone: what is named comes after all that name it.
      for (const finding of [...before, ...this.findings(ref)])
        for (const name of referredBy(finding)) {
          if (!isJudgedByName(name)) continue;
          namedToo.delete(name);
          namedToo.add(name);
        }
    }
    return { changed, ...given({ wakeAt: this.dueAt }) };
  }

  /** The findings of one object; the same objects as long as nothing about them changes. */
  findings(ref: Ref): readonly Finding[] {
    return this.#held.of(ref);
  }

  /** Every finding, ordered by subject, scope and reason. */
  all(): Iterable<Finding> {
    return this.#held.all();
  }

  /** The next instant (epoch milliseconds) at which time alone may change an answer. */
  get dueAt(): number | undefined {
    const next = earliest(this.#due.values());
    return next === Number.POSITIVE_INFINITY ? undefined : next;
  }

  /** What went while nobody saw it is held no more once its kind is seen again, and would not be looked at. */
  #standUnseen(ref: Ref): void {
    if (this.findings(ref).length > 0) this.#standing.add(ref);
  }

  /** Judges one object, and notes when to do so again and what to know then. */
  #look(ref: Ref, now: number, judge: (agenda: Agenda) => readonly Finding[]): boolean {
    const left = this.#left.get(ref) ?? nothingLeft;
    const agenda = new Agenda(now, this.findings(ref), left, this.#latest, this.#heldSince(ref));
    const found = judge(agenda);
    if (agenda.next === Number.POSITIVE_INFINITY) this.#due.delete(ref);
    else this.#due.set(ref, agenda.next);
    if (agenda.stands) this.#standing.add(ref);
    else this.#standing.delete(ref);
    const foundBy = agenda.stands ? agenda.before.foundBy : this.#world.kindsInSight;
    const leaves = agenda.leaves(found.length > 0 ? foundBy : undefined);
    if (leaves) this.#left.set(ref, leaves);
    else this.#left.delete(ref);
    this.#noteSaid(ref, leaves);
    return this.#held.hold(ref, found);
  }

  #noteSaid(ref: Ref, left: Left | undefined): void {
    const before = this.#said.get(ref) ?? nothingSaid;
    const said = left?.said;
    if ((said?.size ?? 0) === before.length && before.every(([what, since]) => said?.get(what) === since)) return;
    if (said) this.#said.set(ref, [...said]);
    else this.#said.delete(ref);
  }

  /** What is found of an object that is judged by what names it, and by itself where it can be seen; else what was found of it stands. */
  #judgeNamed(ref: Ref, agenda: Agenda): readonly Finding[] {
    const object = this.#judges.haveOne(ref) ? this.#world.get(ref) : 'absent';
    const own = object === 'unknown' ? this.#judges.unseen(ref, agenda) : [];
    const seen = typeof object === 'object' ? this.#judges.ofObject(object, agenda) : own;
    return [...seen, ...this.#judges.ofNamed(ref, this.#held.naming(ref), agenda)];
  }
}
