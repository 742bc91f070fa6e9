import type { World } from '../world/world.ts';
import type { Pair } from './bundle.ts';
import type { Cause } from './candidates.ts';
import type { Peers } from './peers.ts';
import type { Strength } from './rule.ts';
import type { Scene } from './scorer.ts';
import { scorers, workloadsHit } from './scorers.ts';

/** A pair with its score, 0 to 1, and what each scorer added. */
export type Scored = Omit<Pair, 'until'> & { readonly score: number; readonly added: Readonly<Record<string, number>> };

/** What a row counts before anything speaks for it or against it. */
const strengths: Readonly<Record<Strength, number>> = { stated: 0.9, strong: 0.75, usual: 0.65, weak: 0.5 };

function scoreOf(pair: Pair, scene: Scene): Scored {
  const added: Record<string, number> = {};
  let likely = strengths[pair.rule.strength];
  let doubt = 0;
  for (const { name, judge, weight, against } of scorers) {
    const says = judge(pair, scene);
    if (says === 0) continue;
    const share = says * (says < 0 ? (against ?? weight) : weight);
    added[name] = share;
    if (share > 0) likely += share;
    else doubt -= share;
  }
  // More than certain does not outweigh a doubt.
  const score = Math.max(0, Math.min(1, likely) - doubt);
  // Sums of tenths must not fall short of a threshold by the last bit.
  const { cause, rule, effect, bundle } = pair;
  return { cause, rule, effect, bundle, score: Math.round(score * 10_000) / 10_000, added };
}

/**
 * How many workloads a cause hits, with those that have only just stopped being ready; of one that has ended, as many as its finding
 * counted: those that are well again are not hit any more.
 */
function hitBy({ endedAt, finding }: Cause, effects: readonly Pair[]): number {
  const now = workloadsHit(effects) + Number(finding?.facts.new ?? 0);
  return endedAt === undefined ? now : Math.max(now, Number(finding?.facts.workloads ?? 0));
}

/** Scores pairs of one connected part, and drops those whose row asks for more workloads than are hit `among` all that count for it. */
export function scoreAll(pairs: readonly Pair[], among: readonly Pair[], world: World, peers: Peers): Scored[] {
  const [byCause, allByCause] = [pairs, among].map((some) => Map.groupBy(some, ({ cause }) => cause.key));
  const scene: Scene = { world, peers, effectsOf: (key) => byCause?.get(key) ?? [] };
  return pairs
    .filter(
      ({ cause, rule }) =>
        rule.workloads === undefined || hitBy(cause, allByCause?.get(cause.key) ?? []) >= rule.workloads,
    )
    .map((pair) => scoreOf(pair, scene));
}
