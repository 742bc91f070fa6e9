import type { Scorer } from './scorer.ts';

/** Siblings that do not depend on the cause are well; the same failure among them speaks against it. */
export const exclusivity: Scorer = (candidate, { peers }) => {
  const apart = peers.apart(candidate);
  return apart === undefined ? 0 : 1 - (2 * apart.failing) / (apart.well + apart.failing);
};
