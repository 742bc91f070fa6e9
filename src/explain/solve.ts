import type { Explanation } from '../model/explanation.ts';
import { type Finding, findingKey } from '../model/finding.ts';
import type { Ref } from '../model/ref.ts';
import type { World } from '../world/world.ts';
import { build } from './build.ts';
import type { Candidate } from './candidates.ts';
import { alternatives, cover } from './cover.ts';
import { type Group, lift } from './lift.ts';
import type { Peers } from './peers.ts';
import type { Rule } from './rule.ts';
import { type Scored, scoreAll } from './score.ts';
import type { Solved } from './solved.ts';

/**
 * Explains one connected part: scores its candidates, chooses the fewest causes, lifts what is left to its workloads.
 * Every finding is in exactly one explanation.
 */
export function solve(
  findings: readonly Finding[],
  candidates: readonly Candidate[],
  world: World,
  peers: Peers,
  findingsOf: (ref: Ref) => readonly Finding[],
  owner: (ref: Ref) => Ref,
  rules: readonly Rule[],
): Explanation[] {
  const score = (some: readonly Candidate[]): Scored[] => scoreAll(some, world, peers, owner);
  const scored = score(candidates.filter(({ rule }) => !rule.lastResort));
  const lastResorts = bestByEffect(score(candidates.filter(({ rule }) => rule.lastResort)));
  const left = new Map(findings.map((finding) => [findingKey(finding), finding]));
  const covered = cover(scored);
  for (const { pairs } of covered) for (const { effect } of pairs) left.delete(findingKey(effect));
  const explained = covered.map(({ cause, pairs }) => {
    const members = pairs.map(({ effect }) => effect);
    // What else shows on a failing root is the root's; a released workload has its Pods' troubles only.
    if (cause.change === undefined)
      for (const finding of findingsOf(cause.ref)) if (left.delete(findingKey(finding))) members.push(finding);
    const group: Group = { root: cause.ref, members };
    return { group, cause, pairs };
  });
  const groups = explained.map(({ group }) => group);
  const lastResort = (finding: Finding): Scored | undefined => lastResorts.get(findingKey(finding));
  const lifted = lift([...left.values()], groups, owner, (finding) => lastResort(finding)?.cause.ref, rules);
  const solved: Solved[] = [
    ...explained.map(({ group, cause, pairs }) => ({ ...group, cause, pairs, others: [] })),
    ...lifted.map((group) => ({ ...group, ...blame(group, lastResort), others: [] })),
  ];
  return solved.flatMap(
    (group) => build({ ...group, others: alternatives(scored, group.cause, group.members) }, world, owner) ?? [],
  );
}

/** The best pair of each effect. */
function bestByEffect(scored: readonly Scored[]): ReadonlyMap<string, Scored> {
  const best = new Map<string, Scored>();
  for (const pair of scored) {
    const key = findingKey(pair.effect);
    if (pair.score > (best.get(key)?.score ?? 0)) best.set(key, pair);
  }
  return best;
}

/** Why a lifted group has the root it has: its last resort, which for a change is the workload itself. */
function blame(
  { root, members }: Group,
  lastResort: (finding: Finding) => Scored | undefined,
): Pick<Solved, 'cause' | 'pairs'> {
  const pairs = members.flatMap((finding) => lastResort(finding) ?? []).filter(({ cause }) => cause.ref === root);
  return pairs[0] ? { cause: pairs[0].cause, pairs } : { pairs: [] };
}
