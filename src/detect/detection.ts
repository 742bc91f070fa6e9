import { isDeepStrictEqual } from 'node:util';
import type { Finding } from '../model/finding.ts';
import { kindOf, type Ref } from '../model/ref.ts';
import { given } from '../world/fields.ts';
import type { Projection } from '../world/projection.ts';
import type { ObservedWorld } from '../world/world.ts';
import { detectors, reasonsOf } from './catalogue.ts';
import type { Declaration, Detector, LookAgain, Problem } from './detector.ts';
import { guards } from './guards.ts';
import { isJudgedByName, namedDetectors } from './named.ts';

/** What one evaluation did. */
export type Evaluation = {
  /** Subjects whose findings changed, appeared or cleared. */
  readonly changed: ReadonlySet<Ref>;
  /** Epoch milliseconds: the next instant at which time alone may change an answer. */
  readonly wakeAt?: number;
};

/** All findings that hold. The one that evaluates is the turn. */
export type Detection = {
  /** Judges the dirty objects, those whose time to look again has come, and what their findings name. */
  evaluate(dirty: Iterable<Ref>, now: number): Evaluation;
  /** The findings of one object; the same objects as long as nothing about them changes. */
  findings(ref: Ref): readonly Finding[];
  /** Every finding, ordered by subject, scope and reason. */
  all(): Iterable<Finding>;
  /** The next instant (epoch milliseconds) at which time alone may change an answer. */
  readonly dueAt: number | undefined;
};

const none: readonly Finding[] = [];

function isProblem(verdict: Problem | LookAgain): verdict is Problem {
  return 'message' in verdict;
}

function byIdentity(a: Finding, b: Finding): number {
  return compare(a.scope ?? '', b.scope ?? '') || compare(a.reason, b.reason);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Collects when to look again: the earliest of what is asked for, if that is still to come. */
type Agenda = { at(time: number): void };

/** Builds a detection over one world. Detectors that need an edition above the given one are not run. */
export function createDetection(
  world: ObservedWorld,
  { edition }: { readonly edition: 'Community' | 'Pro' },
): Detection {
  const isLicensed = (row: Declaration): boolean => row.edition === 'community' || edition === 'Pro';
  const byKind = Map.groupBy(detectors.filter(isLicensed), ({ judges }): string => judges);
  const byNamedKind = Map.groupBy(namedDetectors.filter(isLicensed), ({ judges }): string => judges);

  const held = new Map<Ref, readonly Finding[]>();
  const due = new Map<Ref, number>();
  /** Object → the subjects whose findings name it. */
  const named = new Map<Ref, Set<Ref>>();

  function findingOf(ref: Ref, row: Declaration, problem: Problem): Finding {
    return {
      subject: world.subject(ref),
      reason: problem.reason ?? reasonsOf(row)[0],
      since: problem.since,
      severity: problem.severity ?? row.severity,
      conclusive: (problem.settle ?? row.settle) === 'conclusive',
      message: problem.message,
      facts: problem.facts ?? {},
      names: problem.names ?? [],
      ...given({ scope: problem.scope, clearHoldMs: problem.clearHoldMs }),
    };
  }

  /** What of a verdict is a finding now. */
  function mature(ref: Ref, row: Declaration, verdicts: readonly (Problem | LookAgain)[], now: number, agenda: Agenda) {
    return verdicts.flatMap((verdict): Finding[] => {
      if (verdict.lookAgainAt !== undefined) agenda.at(verdict.lookAgainAt);
      if (!isProblem(verdict)) return [];
      const matureAt = verdict.since + (verdict.forSeconds ?? row.forSeconds ?? 0) * 1000;
      if (matureAt <= now) return [findingOf(ref, row, verdict)];
      agenda.at(matureAt);
      return [];
    });
  }

  function judgedBy(row: Detector, object: Projection, now: number, agenda: Agenda): readonly Finding[] {
    const verdict = row.judge(object, world, now) || [];
    const verdicts = 'length' in verdict ? verdict : [verdict];
    const before = findings(object.ref).filter(({ reason }) => reasonsOf(row).includes(reason));
    // Most objects have nothing to hold back.
    if (verdicts.length === 0 && before.length === 0) return none;
    for (const name of row.guards) {
      const answer = guards[name].answer(object, world, now);
      if (answer === 'keep') return before;
      if (typeof answer === 'number') agenda.at(answer);
      if (answer !== false) return none;
    }
    return mature(object.ref, row, verdicts, now, agenda);
  }

  function judgeObject(object: Projection, now: number, agenda: Agenda): Finding[] {
    const rows = byKind.get(object.kind) ?? [];
    return rows.flatMap((row) => judgedBy(row, object, now, agenda));
  }

  function judgeNamed(ref: Ref, now: number, agenda: Agenda): Finding[] {
    const subjects = [...(named.get(ref) ?? [])].sort();
    const naming = subjects.flatMap((subject) => findings(subject)).filter(({ names }) => names.includes(ref));
    const rows = byNamedKind.get(kindOf(ref)) ?? [];
    return rows.flatMap((row) => {
      const problem = row.judge(ref, naming, world);
      return problem ? mature(ref, row, [problem], now, agenda) : [];
    });
  }

  /** Holds what was found of an object; a finding that says the same as before stays the same object. */
  function hold(ref: Ref, found: readonly Finding[]): boolean {
    const before = findings(ref);
    const after = found
      .map((finding) => before.find((known) => isDeepStrictEqual(known, finding)) ?? finding)
      .sort(byIdentity);
    if (after.length === before.length && after.every((finding, at) => finding === before[at])) return false;
    for (const name of before.flatMap(({ names }) => names)) {
      named.get(name)?.delete(ref);
      if (named.get(name)?.size === 0) named.delete(name);
    }
    for (const name of after.flatMap(({ names }) => names)) named.set(name, (named.get(name) ?? new Set()).add(ref));
    if (after.length === 0) held.delete(ref);
    else held.set(ref, after);
    return true;
  }

  function findings(ref: Ref): readonly Finding[] {
    return held.get(ref) ?? none;
  }

  /** Judges one object and notes when to do so again. */
  function look(ref: Ref, now: number, judge: (agenda: Agenda) => readonly Finding[]): boolean {
    let next = Number.POSITIVE_INFINITY;
    const found = judge({
      at: (time) => {
        if (time > now) next = Math.min(next, time);
      },
    });
    if (next === Number.POSITIVE_INFINITY) due.delete(ref);
    else due.set(ref, next);
    return hold(ref, found);
  }

  function dueAt(): number | undefined {
    return due.size === 0 ? undefined : Math.min(...due.values());
  }

  return {
    evaluate(dirty, now) {
      const todo = new Set(dirty);
      for (const [ref, at] of due) if (at <= now) todo.add(ref);
      const changed = new Set<Ref>();
      const namedToo = new Set<Ref>();
      for (const ref of todo) {
        if (isJudgedByName(ref)) namedToo.add(ref);
        const object = world.get(ref);
        // What cannot be seen is neither found nor cleared.
        if (object === 'unknown' || !byKind.has(kindOf(ref))) continue;
        const before = findings(ref);
        const isChanged = look(ref, now, (agenda) => (object === 'absent' ? none : judgeObject(object, now, agenda)));
        if (!isChanged) continue;
        changed.add(ref);
        for (const { names } of [...before, ...findings(ref)])
          for (const name of names) if (isJudgedByName(name)) namedToo.add(name);
      }
      for (const ref of namedToo) if (look(ref, now, (agenda) => judgeNamed(ref, now, agenda))) changed.add(ref);
      return { changed, ...given({ wakeAt: dueAt() }) };
    },
    findings,
    *all() {
      for (const ref of [...held.keys()].sort()) yield* findings(ref);
    },
    get dueAt() {
      return dueAt();
    },
  };
}
