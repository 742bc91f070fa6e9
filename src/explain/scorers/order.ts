import { leadMs } from '../candidates.ts';
import type { Scorer } from './scorer.ts';

/** The cause began before the effect; the more the effect came first (at most 60 s), the less likely. */
export const order: Scorer = ({ cause, effect, rule }) => {
  if (rule.cause.basis === 'named') return 0;
  const early = cause.since - effect.since;
  return early <= 0 ? 1 : -early / leadMs;
};
