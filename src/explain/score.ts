import type { Ref } from '../model/ref.ts';
import type { World } from '../world/world.ts';
import type { Candidate } from './candidates.ts';
import type { Peers } from './peers.ts';
import { type Scene, scorers } from './scorers.ts';

/** A candidate with its score, 0 to 1, and what each scorer added. */
export type Scored = Candidate & { readonly score: number; readonly added: Readonly<Record<string, number>> };

/**
 * Scores every candidate of one connected part, and drops those whose row asks for more workloads than are hit. `owner`
 * gives the workload of an object.
 */
export function scoreAll(
  candidates: readonly Candidate[],
  world: World,
  peers: Peers,
  owner: (ref: Ref) => Ref,
): Scored[] {
  const byCause = Map.groupBy(candidates, ({ cause }) => cause.key);
  const scene: Scene = { world, peers, workload: owner, effectsOf: (key) => byCause.get(key) ?? [] };
  const workloads = new Map<string, number>();
  for (const [key, effects] of byCause)
    workloads.set(key, new Set(effects.map(({ effect }) => owner(effect.subject.ref))).size);
  return candidates
    .filter(({ cause, rule }) => (workloads.get(cause.key) ?? 0) >= (rule.workloads ?? 1))
    .map((candidate) => {
      const added: Record<string, number> = {};
      let likely = candidate.rule.prior;
      let doubt = 0;
      for (const { name, judge, weight, against } of scorers) {
        const says = judge(candidate, scene);
        if (says === 0) continue;
        const share = says * (says < 0 ? (against ?? weight) : weight);
        added[name] = share;
        if (share > 0) likely += share;
        else doubt -= share;
      }
      // More than certain does not outweigh a doubt.
      const score = Math.max(0, Math.min(1, likely) - doubt);
      // Sums of tenths must not fall short of a threshold by the last bit.
      return { ...candidate, score: Math.round(score * 10_000) / 10_000, added };
    });
}
