import type { Scorer } from './scorer.ts';

/** What is not known lowers the score and never raises it: an effect that is not seen, a change that is not sure. */
export const unknownData: Scorer = ({ cause, effect }, { world }) => {
  if (world.get(effect.subject.ref) === 'unknown') return -1;
  return cause.change?.certain === false ? -0.5 : 0;
};
