import type { Scorer } from './scorer.ts';

const memo = new WeakMap<readonly object[], number>();

/** Several workloads fail in the same way: what they share is more likely than each of them by chance. */
export const blastRadius: Scorer = ({ cause, rule }, scene) => {
  if (rule.via === 'owners') return 0;
  const effects = scene.effectsOf(cause.key);
  let workloads = memo.get(effects);
  if (workloads === undefined) {
    workloads = new Set(effects.map(({ effect }) => scene.workload(effect.subject.ref))).size;
    memo.set(effects, workloads);
  }
  return Math.min(1, (workloads - 1) / 2);
};
