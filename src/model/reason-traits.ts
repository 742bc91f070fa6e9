import type { Confidence } from './severity.ts';

/**
 * Failures that are alike: the same workload showing two of one family has one problem, two families are two problems. Those
 * that tell most first: of several reasons on one object the one of the first family names the problem.
 */
export const families = [
  'named',
  'node',
  'storage',
  'image',
  'config',
  'run',
  'create',
  'schedule',
  'start',
  'consequence',
] as const;

/** One of the families above. */
export type Family = (typeof families)[number];

/**
 * What is known of a reason by itself. `sure`: how far the reason alone tells the cause, when no rule does: a missing
 * image says it all, a crash loop says only that something is wrong.
 */
export type ReasonTraits = { readonly family: Family; readonly sure: Confidence };
