import { causeKey, type Explanation } from '../model/explanation.ts';
import { sameFailure } from './failure-class.ts';

/** Scorers that lower a score because something is out of sight, which speaks against nothing. */
const unseen: ReadonlySet<string> = new Set(['unknownData']);

/** What speaks against a cause, by the name of the scorer → how much. */
function doubts({ trace }: Explanation): ReadonlyMap<string, number> {
  const against = new Map<string, number>();
  for (const { rule, score = 0 } of trace) {
    const [, scorer] = rule.split('/');
    if (scorer === undefined || score >= 0 || unseen.has(scorer)) continue;
    against.set(scorer, Math.min(score, against.get(scorer) ?? 0));
  }
  return against;
}

/** Whether something speaks against a cause that did not when it was told, or speaks louder. */
function isDoubted(explanation: Explanation, told: Explanation): boolean {
  const before = doubts(told);
  const isNew = [...doubts(explanation)].some(([scorer, score]) => score < (before.get(scorer) ?? 0));
  return isNew || saysOtherwise(explanation, told);
}

/** Whether a program says something that it had not said by then, and that does not speak for the cause. */
function saysOtherwise({ sign, trace }: Explanation, told: Explanation): boolean {
  if (sign === undefined || sign.kind === told.sign?.kind) return false;
  return !trace.some(({ rule, score = 0 }) => rule.endsWith('/says') && score > 0);
}

/** Whether one explanation blames the same edit for the same failure of the same workloads as another, or of fewer. */
function isOfSameCause(explanation: Explanation, told: Explanation): boolean {
  const cause = causeKey(told);
  if (cause === undefined || cause !== causeKey(explanation)) return false;
  const hit = new Set([told.root.ref, ...told.workloads]);
  return sameFailure(told, explanation) && explanation.workloads.every((ref) => hit.has(ref));
}

/**
 * An explanation as sure of its cause as people were told. An edit that was proven stays proven when what proved it has gone: once a release has
 * replaced the last healthy Pod of the old revision, nothing is left to compare with, and nothing speaks against the edit either. What is
 * revised, and what something new speaks against, is as sure as it is now. `told`: what was told last of the cause.
 */
export function asSureAsTold(explanation: Explanation, told: Explanation | undefined): Explanation {
  if (told?.confidence !== 'high' || explanation.confidence !== 'likely') return explanation;
  if (!isOfSameCause(explanation, told) || isDoubted(explanation, told)) return explanation;
  return { ...explanation, confidence: told.confidence };
}
