import type { Scorer } from './scorer.ts';

/** What is not known lowers the score and never raises it. */
export const unknownData: Scorer = ({ effect }, { world }) => (world.get(effect.subject.ref) === 'unknown' ? -1 : 0);
