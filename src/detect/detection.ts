import type { Finding } from '../model/finding.ts';
import type { Ref } from '../model/ref.ts';

/** What one evaluation did. */
export type Evaluation = {
  /** Subjects whose findings changed, appeared or cleared. */
  readonly changed: ReadonlySet<Ref>;
  /** Epoch milliseconds: the next instant at which time alone may change an answer. */
  readonly wakeAt?: number;
};

/** All findings that hold. Built by `createDetection(world, { edition })`. The one that evaluates is the turn. */
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
