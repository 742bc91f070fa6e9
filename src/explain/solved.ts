import type { Finding } from '../model/finding.ts';
import type { Ref } from '../model/ref.ts';
import type { Cause } from './candidates.ts';
import type { Scored } from './score.ts';

/** A solved group: a root, what it explains, and why it was chosen. */
export type Solved = {
  readonly root: Ref;
  readonly members: readonly Finding[];
  /** Absent when nothing explains the members and they are lifted to their workload. */
  readonly cause?: Cause;
  readonly pairs: readonly Scored[];
  readonly others: readonly Scored[];
};
