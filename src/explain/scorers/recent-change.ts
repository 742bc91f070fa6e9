import type { Scorer } from './scorer.ts';

/** A cause that is a change counts more the fresher it was when the effect began. */
export const recentChange: Scorer = ({ cause, effect, rule }) => {
  if (cause.change === undefined || rule.withinSeconds === undefined) return 0;
  return 1 - Math.max(0, effect.since - cause.since) / (rule.withinSeconds * 1000);
};
