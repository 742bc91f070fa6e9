import type { World } from '../../world/view/world.ts';
import type { Pair } from '../candidates/bundle.ts';
import type { Cause } from '../candidates/candidates.ts';
import type { Peers } from '../candidates/peers.ts';
import type { Strength } from '../rules/rule.ts';
import { isExcused, isHearsay } from './hearsay.ts';
import type { Scene, Testimony } from './scorer.ts';
import { scorers, workloadsHit } from './scorers.ts';
import { testimonyOf } from './testimony.ts';

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

/** Whether what is known of a pair leaves it open that the cause is why. */
function stands(pair: Pair, scene: Scene): boolean {
  const said = scene.testimony(pair);
  return said !== 'silent' && said !== 'refutes' && !isHearsay(pair, scene) && !isExcused(pair, scene);
}

/**
 * Scores the pairs of one connected part that evidence leaves standing, and drops those whose row asks for more workloads than are hit `among`
 * all that count for it.
 */
export function scoreAll(pairs: readonly Pair[], among: readonly Pair[], world: World, peers: Peers): Scored[] {
  const byCause = Map.groupBy(pairs, ({ cause }) => cause.key);
  const known = new Map<Pair, Testimony | undefined>();
  const scene: Scene = {
    ...{ world, peers, effectsOf: (key) => byCause.get(key) ?? [] },
    testimony(pair) {
      if (!known.has(pair)) known.set(pair, testimonyOf(pair, scene));
      return known.get(pair);
    },
  };
  const standing = among.filter((pair) => stands(pair, scene));
  const hits = Map.groupBy(standing, ({ cause }) => cause.key);
  const own = new Set(pairs);
  return standing
    .filter((pair) => own.has(pair) && hitBy(pair.cause, hits.get(pair.cause.key) ?? []) >= (pair.rule.workloads ?? 1))
    .map((pair) => scoreOf(pair, scene));
}
