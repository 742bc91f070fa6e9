import { type Edition, includes } from '../model/edition.ts';
import type { Finding } from '../model/finding.ts';
import { earliest } from '../model/instants.ts';
import { kindOf, type Ref } from '../model/ref.ts';
import { viewKindOf } from '../world/custom-resource.ts';
import { given } from '../world/fields.ts';
import type { Projection } from '../world/kinds.ts';
import type { ObservedWorld } from '../world/world.ts';
import { Agenda, type FirstSaid } from './agenda.ts';
import { detectors } from './catalogue.ts';
import type { Declaration, Detector, LookAgain, NamedDetector, Problem } from './detector.ts';
import { exemptions } from './exemptions.ts';
import { HeldFindings } from './held-findings.ts';
import { isJudgedByName, namedDetectors } from './named.ts';

/** What one evaluation did. */
export type Evaluation = {
  /** Subjects whose findings changed, appeared or cleared. */
  readonly changed: ReadonlySet<Ref>;
  /** Epoch milliseconds: the next instant at which time alone may change an answer. */
  readonly wakeAt?: number;
};

const none: readonly Finding[] = [];

function isProblem(judgement: Problem | LookAgain): judgement is Problem {
  return 'since' in judgement;
}

const byNamedKind: ReadonlyMap<string, readonly NamedDetector[]> = Map.groupBy(
  namedDetectors,
  ({ judges }): string => judges,
);

/** Whether a detector runs in an edition. */
function isLicensed(row: Declaration, edition: Edition): boolean {
  return row.edition === 'Community' || includes(edition, 'proDetectors');
}

/** All findings that hold in one world. The one that evaluates is the turn. */
export class Detection {
  readonly #world: ObservedWorld;
  readonly #byKind: ReadonlyMap<string, readonly Detector[]>;
  readonly #held = new HeldFindings();
  readonly #due = new Map<Ref, number>();
  readonly #firstSaid = new Map<Ref, FirstSaid>();
  /** Subjects of findings of before a restart that have not been judged since. */
  readonly #restored = new Set<Ref>();
  #edition: Edition;

  /** `rows`: every detector of watched objects, whatever the edition. */
  constructor(world: ObservedWorld, { edition, rows = detectors }: { edition: Edition; rows?: readonly Detector[] }) {
    this.#world = world;
    this.#edition = edition;
    this.#byKind = Map.groupBy(rows, ({ judges }): string => judges);
  }

  /**
   * Another edition from now on. A detector that it lacks finds nothing new and follows what it has found to its end: that a licence
   * ended does not mean that a problem did. Returns which of `known` (every object that is held) must be judged by detectors that
   * it adds.
   */
  switchTo(edition: Edition, known: Iterable<Ref>): readonly Ref[] {
    const before = this.#edition;
    this.#edition = edition;
    const begins = (row: Declaration): boolean => isLicensed(row, edition) && !isLicensed(row, before);
    const rows = [...[...this.#byKind.values()].flat(), ...namedDetectors].filter(begins);
    const kinds = new Set<string>(rows.map(({ judges }) => judges));
    return kinds.size === 0 ? [] : [...known, ...this.#held.named()].filter((ref) => kinds.has(viewKindOf(ref)));
  }

  /**
   * Goes on from findings of before a restart: what may only be kept (a Pod of a Node that nothing is heard of) stands, all others are
   * judged anew. Comes before anything is judged.
   */
  restore(findings: Iterable<Finding>): void {
    for (const [ref, found] of Map.groupBy(findings, ({ subject }) => subject.ref)) {
      this.#held.hold(ref, found);
      this.#restored.add(ref);
    }
  }

  /** Subjects of such findings that could not be seen yet: they are dirty whenever something comes into sight. */
  restored(): Iterable<Ref> {
    return this.#restored;
  }

  /** Judges the dirty objects, those whose time to look again has come, and what their findings name. */
  evaluate(dirty: Iterable<Ref>, now: number): Evaluation {
    const todo = new Set(dirty);
    for (const [ref, at] of this.#due) if (at <= now) todo.add(ref);
    const changed = new Set<Ref>();
    const namedToo = new Set<Ref>();
    for (const ref of todo) {
      if (isJudgedByName(ref)) {
        namedToo.add(ref);
        this.#restored.delete(ref);
        // Whether it is there is what those who name it are judged by.
        for (const subject of this.#held.naming(ref).keys()) todo.add(subject);
        continue;
      }
      if (!this.#byKind.has(viewKindOf(ref))) continue;
      const object = this.#world.get(ref);
      if (object === 'unknown') {
        // What cannot be seen is neither found nor cleared, and time tells nothing of it: it is dirty once it is seen again.
        this.#due.delete(ref);
        continue;
      }
      this.#restored.delete(ref);
      const before = this.findings(ref);
      if (!this.#look(ref, now, (agenda) => (object === 'absent' ? none : this.#judgeObject(object, agenda)))) continue;
      changed.add(ref);
      for (const { names } of [...before, ...this.findings(ref)])
        for (const name of names) if (isJudgedByName(name)) namedToo.add(name);
    }
    for (const ref of namedToo)
      if (this.#look(ref, now, (agenda) => [...this.#judgeSeen(ref, agenda), ...this.#judgeNamed(ref, agenda)]))
        changed.add(ref);
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

  /** Judges one object and notes when to do so again. */
  #look(ref: Ref, now: number, judge: (agenda: Agenda) => readonly Finding[]): boolean {
    const agenda = new Agenda(now, this.#firstSaid.get(ref));
    const found = judge(agenda);
    if (agenda.said) this.#firstSaid.set(ref, agenda.said);
    else this.#firstSaid.delete(ref);
    if (agenda.next === Number.POSITIVE_INFINITY) this.#due.delete(ref);
    else this.#due.set(ref, agenda.next);
    return this.#held.hold(ref, found);
  }

  /** What is found of an object that is judged by what names it, too; out of sight, what was found of it stands. */
  #judgeSeen(ref: Ref, agenda: Agenda): readonly Finding[] {
    const rows = this.#byKind.get(kindOf(ref));
    const object = rows ? this.#world.get(ref) : 'absent';
    if (object === 'unknown') return rows?.flatMap((row) => this.#foundBy(row, ref)) ?? none;
    return object === 'absent' ? none : this.#judgeObject(object, agenda);
  }

  #judgeObject(object: Projection, agenda: Agenda): Finding[] {
    const rows = this.#byKind.get(object.kind) ?? [];
    return rows.flatMap((row) => this.#judgedBy(row, object, agenda));
  }

  #judgedBy(row: Detector, object: Projection, agenda: Agenda): readonly Finding[] {
    const before = this.#foundBy(row, object.ref);
    if (before.length === 0 && !isLicensed(row, this.#edition)) return none;
    const judgement = row.judge(object, this.#world, agenda.now) || [];
    const judgements = 'length' in judgement ? judgement : [judgement];
    // Most objects have nothing to be exempt from.
    if (judgements.length === 0 && before.length === 0) return none;
    for (const name of row.exemptions) {
      const answer = exemptions[name].answer(object, this.#world, agenda.now);
      if (answer === 'keep') {
        agenda.keep(row.id);
        return before;
      }
      if (typeof answer === 'number') agenda.add(answer);
      if (answer !== false) return none;
    }
    return this.#goesOn(row, before, this.#mature(object.ref, row, judgements, agenda));
  }

  #judgeNamed(ref: Ref, agenda: Agenda): Finding[] {
    const naming = this.#held.naming(ref);
    const rows = byNamedKind.get(kindOf(ref)) ?? [];
    return rows.flatMap((row) => {
      const judgement = row.judge(ref, naming, this.#world, agenda.now);
      return judgement ? this.#goesOn(row, this.#foundBy(row, ref), this.#mature(ref, row, [judgement], agenda)) : [];
    });
  }

  /** What a detector found of an object before. */
  #foundBy(row: Declaration, ref: Ref): readonly Finding[] {
    const held = this.findings(ref);
    return held.length === 0 ? none : held.filter((finding) => states(row, finding));
  }

  /** Of what a detector finds now, what it may: all of it, or, without its edition, what it had found before. */
  #goesOn(row: Declaration, before: readonly Finding[], found: Finding[]): Finding[] {
    if (isLicensed(row, this.#edition)) return found;
    const had = ({ reason, scope }: Finding): boolean =>
      before.some((known) => known.reason === reason && known.scope === scope);
    return found.filter(had);
  }

  /** What of a judgement is a finding now. */
  #mature(ref: Ref, row: Declaration, judgements: readonly (Problem | LookAgain)[], agenda: Agenda): Finding[] {
    return judgements.flatMap((judgement): Finding[] => {
      if (judgement.lookAgainAt !== undefined) agenda.add(judgement.lookAgainAt);
      if (!isProblem(judgement)) return [];
      const since = this.#sinceOf(ref, row, judgement, agenda);
      const matureAt = since + (judgement.forSeconds ?? row.forSeconds ?? 0) * 1000;
      agenda.add(matureAt);
      const stands = judgement.stands === true && this.#known(ref, row, judgement)?.since === since;
      const isFound = stands || matureAt <= agenda.now;
      return isFound ? [this.#findingOf(ref, row, { ...judgement, since })] : [];
    });
  }

  #sinceOf(ref: Ref, row: Declaration, problem: Problem, agenda: Agenda): number {
    const { since, scope = '', reason = row.reasons[0].reason } = problem;
    if (since !== 'observed') return since;
    return agenda.saidSince(`${row.id} ${reason} ${scope}`, this.#known(ref, row, problem)?.since);
  }

  /** What was found of a problem at the last look. */
  #known(ref: Ref, { reasons }: Declaration, { scope, reason = reasons[0].reason }: Problem): Finding | undefined {
    return this.findings(ref).find((found) => found.reason === reason && found.scope === scope);
  }

  #findingOf(ref: Ref, row: Declaration, problem: Problem & { readonly since: number }): Finding {
    return {
      subject: this.#world.subject(ref),
      reason: problem.reason ?? row.reasons[0].reason,
      since: problem.since,
      severity: problem.severity ?? row.severity,
      conclusive: (problem.settle ?? row.settle) === 'conclusive',
      facts: problem.facts ?? {},
      names: problem.names ?? [],
      ...given({ scope: problem.scope, clearHoldMs: problem.clearHoldMs, detail: problem.detail || undefined }),
    };
  }
}

/** Whether a finding is of this detector. */
function states({ reasons }: Declaration, { reason }: Finding): boolean {
  return reasons.some((row) => row.reason === reason);
}
