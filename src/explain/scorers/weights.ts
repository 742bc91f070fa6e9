import { blastRadius } from './blast-radius.ts';
import { coverage } from './coverage.ts';
import { exclusivity } from './exclusivity.ts';
import { order } from './order.ts';
import { recentChange } from './recent-change.ts';
import { sameRevision } from './same-revision.ts';
import type { Scorer } from './scorer.ts';
import { specificity } from './specificity.ts';
import { unknownData } from './unknown-data.ts';

/** Every scorer with what its full answer adds to (or takes from) a row's prior. Our own judgement, tuned on scenarios. */
export const weights: readonly { readonly name: string; readonly scorer: Scorer; readonly weight: number }[] = [
  { name: 'order', scorer: order, weight: 0.1 },
  { name: 'specificity', scorer: specificity, weight: 0.15 },
  { name: 'exclusivity', scorer: exclusivity, weight: 0.25 },
  { name: 'coverage', scorer: coverage, weight: 0.1 },
  { name: 'recentChange', scorer: recentChange, weight: 0.1 },
  { name: 'sameRevision', scorer: sameRevision, weight: 0.1 },
  { name: 'blastRadius', scorer: blastRadius, weight: 0.1 },
  { name: 'unknownData', scorer: unknownData, weight: 0.3 },
];
