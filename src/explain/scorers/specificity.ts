import { nameOf } from '../../model/ref.ts';
import type { Scorer } from './scorer.ts';

/** The effect's own text names the cause. */
export const specificity: Scorer = ({ cause, effect }) => {
  if (cause.change) return 0;
  return effect.names.includes(cause.ref) || effect.message.includes(nameOf(cause.ref)) ? 1 : 0;
};
