import type { Edition } from '../../model/edition.ts';
import type { Facts, Finding } from '../../model/finding.ts';
import type { Reason } from '../../model/reason.ts';
import type { ReasonTraits } from '../../model/reason-traits.ts';
import type { Ref } from '../../model/ref.ts';
import type { Settings } from '../../model/settings.ts';
import type { Severity } from '../../model/severity.ts';
import type { Projection, ViewOf } from '../../world/kinds/kinds.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import type { ExemptionName } from './exemptions.ts';
import type { Symptom } from './symptom.ts';

/** What a judge says is wrong. What it leaves out comes from the detector's declaration. */
export type Problem = {
  /** Container or condition, where an object can have the problem more than once. */
  readonly scope?: string;
  readonly reason?: Reason;
  /** Epoch milliseconds. `observed`: since this judge first said so, where neither the API nor `World.since` has a time. */
  readonly since: number | 'observed';
  /** How long it must have been so before it is a finding. */
  readonly forSeconds?: number;
  /** Once found it stands: a longer wait, of which the reason came later, does not take it back as if it were over. */
  readonly stands?: true;
  readonly severity?: Severity;
  readonly settle?: 'conclusive' | 'waits';
  readonly facts?: Facts;
  /** The API's own text; an empty one is none. */
  readonly detail?: string;
  readonly names?: readonly Ref[];
  /** The namespace of all whose programs say it, where it is one. */
  readonly saidIn?: string;
  readonly clearHoldMs?: number;
  /** When the answer could change although nothing happens, besides the end of `forSeconds`. */
  readonly lookAgainAt?: number;
};

/** Nothing wrong yet, but time alone may change that: look again at this instant (epoch milliseconds). */
export type LookAgain = { readonly lookAgainAt: number };

/** What a judge returns. `false`: nothing is wrong, and nothing will be before the object changes. */
export type Judgement = false | Problem | LookAgain | readonly (Problem | LookAgain)[];

/** A reason that a detector states, and what is known of it by itself. */
export type ReasonRow = ReasonTraits & { readonly reason: Reason };

/** What a detector declares of itself: the row of the catalogue, as `docs/noticed` prints it. */
export type Declaration = {
  /** The row of the catalogue. */
  readonly id: string;
  /** Every reason it may state, the usual one first. `make generate` makes the list of all reasons from these. */
  readonly reasons: readonly [ReasonRow, ...ReasonRow[]];
  /** Default: every edition has it. */
  readonly edition?: Edition;
  readonly severity: Severity;
  /** How long the predicate must hold, from `since`; default 0. */
  readonly forSeconds?: number;
  /** `conclusive`: it cannot be a normal transient. Default: it waits, since it can. */
  readonly settle?: 'conclusive' | 'waits';
  /** The fields it goes by and where they are documented. */
  readonly source: string;
  /** When it fires and when it clears, in words. */
  readonly predicate: string;
  readonly clears: string;
  /** Where people look for it on the page. */
  readonly symptom: Symptom;
  /** How long it waits and why that long: what passes by itself in that time. For people. */
  readonly patience: string;
  /** What looks alike and is left alone: its false positives, in words. */
  readonly isNot: string;
};

/** The settings that detectors go by. */
export type Thresholds = Pick<Settings['detection'], 'certificateExpiryDays'> & Pick<Settings, 'signatures'>;

/** A detector as it is written: judges objects of one kind. */
export type DetectorOf<K extends Projection['kind']> = Declaration & {
  readonly judges: K;
  /** Other kinds it looks at. */
  readonly reads?: readonly Projection['kind'][];
  /** Default: `terminating`, what most leave out. */
  readonly exemptions?: readonly ExemptionName[];
  /** What it goes by besides: it judges again when one of these changes. */
  readonly settings?: readonly (keyof Thresholds)[];
  readonly judge: (object: ViewOf<K>, world: ObservedWorld, now: number, thresholds: Thresholds) => Judgement;
};

/** A detector as the engine holds it, for objects of any kind: objects of another kind have no problem. */
export type Detector = Omit<DetectorOf<Projection['kind']>, 'judge' | 'exemptions'> & {
  readonly exemptions: readonly ExemptionName[];
  readonly judge: (object: Projection, world: ObservedWorld, now: number, thresholds: Thresholds) => Judgement;
};

/** Who names an object: subjects, in no order, and the findings of each that do. There can be thousands. */
export type Naming = ReadonlyMap<Ref, readonly Finding[]>;

/**
 * A detector of what is not watched or not there: it judges an object by the findings whose texts name it. A kubelet's
 * "secret … not found" is an observation of the Secret.
 */
export type NamedDetector = Declaration & {
  readonly judges:
    | 'Registry'
    | 'ExternalEndpoint'
    | 'Service'
    | 'Secret'
    | 'ConfigMap'
    | 'Node'
    | 'Zone'
    | 'NodePool'
    | 'Cluster'
    | 'Signer'
    | 'ServiceAccount'
    | 'PriorityClass'
    | 'RuntimeClass'
    | 'ResourceQuota';
  readonly judge: (ref: Ref, naming: Naming, world: ObservedWorld, now: number) => Problem | LookAgain | false;
};

/** Narrows a view to one kind. */
export function isKind<K extends Projection['kind']>(object: Projection, kind: K): object is ViewOf<K> {
  return object.kind === kind;
}

/** Declares a detector. */
export function detector<K extends Projection['kind']>(row: DetectorOf<K>): Detector {
  return {
    ...{ exemptions: ['terminating'], ...row },
    judge: (object, world, now, thresholds) => isKind(object, row.judges) && row.judge(object, world, now, thresholds),
  };
}
