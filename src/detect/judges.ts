import { isDeepStrictEqual } from 'node:util';
import { type Edition, includes } from '../model/edition.ts';
import { Faults } from '../model/faults.ts';
import type { Finding } from '../model/finding.ts';
import { kindOf, namespaceOf, type Ref } from '../model/ref.ts';
import { defaultSettings } from '../model/settings.ts';
import type { EventView } from '../world/kinds/cluster/event.ts';
import type { Projection } from '../world/kinds/kinds.ts';
import { viewKindOf } from '../world/reading/custom-resource.ts';
import { given } from '../world/reading/fields.ts';
import type { ObservedWorld } from '../world/view/world.ts';
import type { Agenda } from './agenda.ts';
import { eventQuotes, type Heard, quotedIn } from './control/event-quotes.ts';
import type { Declaration, Detector, LookAgain, NamedDetector, Naming, Problem, Thresholds } from './kit/detector.ts';
import { exemptions } from './kit/exemptions.ts';
import { namedDetectors } from './named.ts';
import { saidNames } from './several/said.ts';
import { sharedNames } from './several/silent-users.ts';
import { Sight } from './sight.ts';

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
  return row.edition !== 'Pro' || includes(edition, 'proDetectors');
}

/** All detectors in one world: what they find of one object, or of what findings name, at one look. */
export class Judges {
  readonly #byKind: ReadonlyMap<string, readonly Detector[]>;
  readonly #sight: Sight;
  readonly #faults: Faults;
  #edition: Edition;
  #thresholds: Thresholds = { ...defaultSettings.detection, signatures: defaultSettings.signatures };

  /** `faults`: where a detector that throws on an object is set aside for it */
  constructor(world: ObservedWorld, edition: Edition, rows: readonly Detector[], faults = new Faults()) {
    this.#sight = new Sight(world);
    this.#faults = faults;
    this.#edition = edition;
    this.#sight.knowNormal(includes(edition, 'proDetectors'));
    this.#byKind = Map.groupBy(rows, ({ judges }): string => judges);
  }

  /** Another edition from now on. Returns the kinds that detectors judge which it adds. */
  switchTo(edition: Edition): ReadonlySet<string> {
    const before = this.#edition;
    this.#edition = edition;
    this.#sight.knowNormal(includes(edition, 'proDetectors'));
    const begins = (row: Declaration): boolean => isLicensed(row, edition) && !isLicensed(row, before);
    const rows = [...[...this.#byKind.values()].flat(), ...namedDetectors].filter(begins);
    return new Set<string>(rows.map(({ judges }) => judges));
  }

  /** Other thresholds from now on. Returns the kinds that detectors judge which go by one that differs. */
  goBy(thresholds: Thresholds): ReadonlySet<string> {
    const before = this.#thresholds;
    this.#thresholds = thresholds;
    const rows = [...this.#byKind.values()].flat();
    const concerned = rows.filter(({ settings = [] }) =>
      settings.some((name) => !isDeepStrictEqual(before[name], thresholds[name])),
    );
    return new Set<string>(concerned.map(({ judges }) => judges));
  }

  /** Whether anybody judges objects like this one. */
  haveOne(ref: Ref): boolean {
    return this.#byKind.has(viewKindOf(ref));
  }

  /** What is found of an object. */
  ofObject(object: Projection, agenda: Agenda): Finding[] {
    const rows = this.#byKind.get(object.kind) ?? [];
    return rows.flatMap((row) => this.#tried(row, object.ref, agenda, () => this.#judge(row, object, agenda)));
  }

  /** What detectors of watched objects had found of one that cannot be seen now. */
  unseen(ref: Ref, agenda: Agenda): Finding[] {
    const rows = this.#byKind.get(kindOf(ref)) ?? [];
    return rows.flatMap((row) => foundBy(row, agenda));
  }

  /** What is found of an object by what names it. */
  ofNamed(ref: Ref, naming: Naming, agenda: Agenda): Finding[] {
    const rows = byNamedKind.get(kindOf(ref)) ?? [];
    return rows.flatMap((row) => this.#tried(row, ref, agenda, () => this.#judgeNamed(row, ref, naming, agenda)));
  }

  /** What a detector finds of one object; where it throws, what it had found stands, and it is asked again later. */
  #tried(row: Declaration, ref: Ref, agenda: Agenda, judge: () => readonly Finding[]): readonly Finding[] {
    try {
      const found = judge();
      this.#faults.passed('judge', ref, row.id);
      return found;
    } catch (error) {
      this.#faults.note({ step: 'judge', about: ref, by: row.id, error });
      return stand(row, foundBy(row, agenda), agenda);
    }
  }

  #judgeNamed(row: NamedDetector, ref: Ref, naming: Naming, agenda: Agenda): readonly Finding[] {
    const before = foundBy(row, agenda);
    this.#sight.begin();
    const judgement = row.judge(ref, naming, this.#sight, agenda.instantFor(before));
    const heard = heardWith(this.#sight.told, naming);
    const found = judgement ? this.#goesOn(row, before, this.#mature(ref, row, [judgement], agenda, heard)) : none;
    // What nobody names any more is over, whatever is seen of it.
    const isLost = naming.size > 0 && this.#sight.hasLost(agenda.before.foundBy);
    return isLost && !isAllOf(before, found) ? stand(row, before, agenda) : found;
  }

  #judge(row: Detector, object: Projection, agenda: Agenda): readonly Finding[] {
    const before = foundBy(row, agenda);
    if (before.length === 0 && !isLicensed(row, this.#edition)) return none;
    this.#sight.begin();
    const judgement = row.judge(object, this.#sight, agenda.instantFor(before), this.#thresholds) || [];
    const judgements = 'length' in judgement ? judgement : [judgement];
    // Most objects have nothing to be exempt from.
    if (judgements.length === 0 && before.length === 0) return none;
    const isLost = before.length > 0 && this.#sight.hasLost(agenda.before.foundBy);
    const heard = this.#sight.told.map(({ message }) => message);
    const exempt = this.#exempt(row, object, before, agenda);
    if (exempt) return exempt;
    const found = this.#goesOn(row, before, this.#mature(object.ref, row, judgements, agenda, heard));
    // What is missing may still be so: what it was found by is out of sight.
    return isLost && !isAllOf(before, found) ? stand(row, before, agenda) : found;
  }

  /** What is found where something holds a detector back; `undefined`: nothing does. */
  #exempt(row: Detector, object: Projection, before: readonly Finding[], agenda: Agenda) {
    for (const name of row.exemptions) {
      this.#sight.begin();
      const answer = exemptions[name].answer(object, this.#sight, agenda.instantFor(before));
      if (answer === 'keep') {
        agenda.keep(row.id);
        return before;
      }
      if (typeof answer === 'number') agenda.add(answer);
      if (answer !== false) {
        if (before.length === 0 && !this.#sight.foundNone)
          agenda.holdBack(`${row.id} ${name}`, this.#sight.kindsInSight);
        return none;
      }
      const then = agenda.before.heldBack?.get(`${row.id} ${name}`);
      if (then && this.#sight.hasLost(then)) {
        agenda.holdBack(`${row.id} ${name}`, then);
        agenda.stands = true;
        return none;
      }
    }
    return undefined;
  }

  /** Of what a detector finds now, what it may: all of it, or, without its edition, what it had found before. */
  #goesOn(row: Declaration, before: readonly Finding[], found: Finding[]): Finding[] {
    if (isLicensed(row, this.#edition)) return found;
    return found.filter((finding) => before.some((known) => isSameProblem(finding, known)));
  }

  /** What of a judgement is a finding now. */
  #mature(
    ref: Ref,
    row: Declaration,
    judgements: readonly (Problem | LookAgain)[],
    agenda: Agenda,
    heard: Heard,
  ): Finding[] {
    return judgements.flatMap((judgement): Finding[] => {
      if (judgement.lookAgainAt !== undefined) agenda.add(judgement.lookAgainAt);
      if (!isProblem(judgement)) return [];
      const since = sinceOf(row, judgement, agenda);
      const matureAt = since + (judgement.forSeconds ?? row.forSeconds ?? 0) * 1000;
      agenda.add(matureAt);
      const known = knownOf(row, judgement, agenda);
      const stands = judgement.stands === true && known?.since === since;
      const isFound = stands || matureAt <= agenda.instantFor(known ? [known] : none);
      return isFound ? [this.#findingOf(ref, row, { ...judgement, since }, heard)] : [];
    });
  }

  #findingOf(ref: Ref, row: Declaration, problem: Problem & { readonly since: number }, heard: Heard): Finding {
    const { reason = row.reasons[0].reason, names = [], facts = {} } = problem;
    return {
      subject: this.#sight.subject(ref),
      reason,
      since: problem.since,
      severity: problem.severity ?? row.severity,
      conclusive: (problem.settle ?? row.settle) === 'conclusive',
      facts,
      // What the judge has seen goes before what programs say.
      names: names.length > 0 ? names : saidNames({ ...problem, ref, reason }, this.#sight),
      ...given({ shares: names.length > 0 ? undefined : sharedNames({ ...problem, ref, reason }, this.#sight) }),
      ...given({ ofStrangers: isSaidByStrangers(ref, problem) || undefined }),
      ...given({ scope: problem.scope, clearHoldMs: problem.clearHoldMs, detail: problem.detail || undefined }),
      ...given({ eventQuotes: eventQuotes(problem.detail, facts, heard) }),
    };
  }
}

/** Whether only programs of one namespace say it of an object of another. */
function isSaidByStrangers(ref: Ref, { saidIn }: Problem): boolean {
  const own = namespaceOf(ref);
  return saidIn !== undefined && own !== '' && saidIn !== own;
}

/**
 * What a judge by name may have its words from: Events, and what findings that name the object have from Events. Thousands may name it:
 * they are asked once somebody reads it.
 */
function heardWith(told: readonly EventView[], naming: Naming): Heard {
  return {
    *[Symbol.iterator]() {
      for (const { message } of told) yield message;
      for (const findings of naming.values())
        for (const finding of findings) if (finding.eventQuotes !== undefined) yield* quotedIn(finding);
    },
  };
}

function sinceOf(row: Declaration, problem: Problem, agenda: Agenda): number {
  const { since, scope = '', reason = row.reasons[0].reason } = problem;
  if (since !== 'observed') return since;
  return agenda.saidSince(`${row.id} ${reason} ${scope}`, knownOf(row, problem, agenda)?.since);
}

/** What was found of a problem at the last look. */
function knownOf({ reasons }: Declaration, { scope, reason = reasons[0].reason }: Problem, agenda: Agenda) {
  return agenda.known.find((found) => found.reason === reason && found.scope === scope);
}

/** What a detector found of an object before. */
function foundBy({ reasons }: Declaration, { known }: Agenda): readonly Finding[] {
  if (known.length === 0) return none;
  return known.filter(({ reason }) => reasons.some((row) => row.reason === reason));
}

/** What was found stands until what it was found by is seen again. */
function stand(row: Declaration, before: readonly Finding[], agenda: Agenda): readonly Finding[] {
  agenda.stands = true;
  agenda.keep(row.id);
  return before;
}

/** Whether everything that was found is found now, and names what it named. */
function isAllOf(before: readonly Finding[], found: readonly Finding[]): boolean {
  const namesAll = (finding: Finding, { names }: Finding): boolean =>
    names.every((name) => finding.names.includes(name));
  return before.every((known) => found.some((finding) => isSameProblem(finding, known) && namesAll(finding, known)));
}

/** Whether two findings of one object are of the same problem. */
function isSameProblem(a: Finding, b: Finding): boolean {
  return a.reason === b.reason && a.scope === b.scope;
}
