import { blastRadius } from './blast-radius.ts';
import { coverage } from './coverage.ts';
import { exclusivity } from './exclusivity.ts';
import { order } from './order.ts';
import { recentChange } from './recent-change.ts';
import { sameRevision } from './same-revision.ts';
import type { Scorer } from './scorer.ts';
import { specificity } from './specificity.ts';
import { unknownData } from './unknown-data.ts';

/** A scorer with what its full answer adds to a row's prior, or takes from it. */
type Weighted = {
  readonly name: string;
  readonly scorer: Scorer;
  readonly weight: number;
  /** What its full "no" takes, where that is more than its full "yes" adds. */
  readonly against?: number;
};

/** Every scorer with its weight. Our own judgement, tuned on scenarios. */
export const weights: readonly Weighted[] = [
  { name: 'order', scorer: order, weight: 0.1 },
  { name: 'specificity', scorer: specificity, weight: 0.15 },
  // The same failure where the cause cannot reach refutes it, however well the rest fits.
  { name: 'exclusivity', scorer: exclusivity, weight: 0.25, against: 0.55 },
  { name: 'coverage', scorer: coverage, weight: 0.1 },
  { name: 'recentChange', scorer: recentChange, weight: 0.1 },
  { name: 'sameRevision', scorer: sameRevision, weight: 0.1 },
  { name: 'blastRadius', scorer: blastRadius, weight: 0.1 },
  { name: 'unknownData', scorer: unknownData, weight: 0.3 },
];
