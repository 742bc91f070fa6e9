import type { Finding } from '../../model/finding.ts';
import { viewKindOf } from '../../world/reading/custom-resource.ts';
import { asksItsPods, asLastResort } from './by-pods.ts';
import { type FindingPattern, isGrouping, isOfKind, type Rule } from './rule.ts';

/** What the rows say of findings of one kind of object with one reason. */
export type RowsOf = {
  /** Rows that can explain such a finding by another object, in their order. */
  readonly explaining: readonly Rule[];
  /** Rows of its Pods, which are asked where it says no more than that these are missing. */
  readonly byPods: readonly Rule[];
  /** Some row takes such a finding for a cause, so that its end is worth remembering. */
  readonly canCause: boolean;
  /** Its cause may be the workloads behind its object (rows `via: 'workloads'`). */
  readonly followsWorkloads: boolean;
  /** It says that an owner is short because of what it owns (rows `via: 'children'`). */
  readonly isShortOwner: boolean;
  /** Other Pods of the workload decide what could explain it. */
  readonly looksAtPods: boolean;
};

/** Whether a finding is of one of the kinds with one of the reasons. */
export function fits(pattern: FindingPattern, { subject, reason }: Finding): boolean {
  return isOfKind(pattern, viewKindOf(subject.ref)) && (pattern.reasons === 'any' || pattern.reasons.includes(reason));
}

/** The same of what is a cause by it. What somebody outside says is at most a sign: it is the cause of nothing. */
export function causes(pattern: FindingPattern, finding: Finding): boolean {
  return finding.reason !== 'ExternalAlert' && fits(pattern, finding);
}

/** The rows by whom they concern, sorted out once for each kind and reason: there are many findings, and few rows for each. */
export class RuleTable {
  readonly #rules: readonly Rule[];
  readonly #ofPods: readonly Rule[];
  readonly #known = new Map<string, RowsOf>();

  constructor(rules: readonly Rule[]) {
    this.#rules = rules;
    this.#ofPods = asLastResort(rules);
  }

  of(finding: Finding): RowsOf {
    const key = `${viewKindOf(finding.subject.ref)} ${finding.reason}`;
    const known = this.#known.get(key) ?? this.#sortOut(finding);
    this.#known.set(key, known);
    return known;
  }

  #sortOut(finding: Finding): RowsOf {
    const effects = this.#rules.filter(({ effect }) => fits(effect, finding));
    const kind = viewKindOf(finding.subject.ref);
    return {
      explaining: effects.filter(({ via }) => !isGrouping(via)),
      byPods: asksItsPods(finding, kind) ? this.#ofPods : [],
      canCause: this.#rules.some(
        ({ via, cause }) => !isGrouping(via) && cause.basis === 'finding' && causes(cause, finding),
      ),
      followsWorkloads: effects.some(({ via }) => via === 'workloads'),
      isShortOwner: effects.some(({ via }) => via === 'children'),
      looksAtPods: effects.some(({ via, requires }) => via === 'places' || requires?.alone === 'one'),
    };
  }
}
