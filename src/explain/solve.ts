import type { Finding } from '../model/finding.ts';
import { build } from './build.ts';
import type { Bundle, Pair } from './bundles.ts';
import type { Cause } from './candidates.ts';
import { alternatives, cover } from './cover.ts';
import type { Answer, Group, Setting, Solved } from './group.ts';
import { lift } from './lift.ts';
import { pardonedEdit } from './proof.ts';
import { compareRefs } from './ref-order.ts';
import { type Scored, scoreAll } from './score.ts';

/**
 * Explains one connected part: scores its pairs, chooses the fewest causes, lifts what is left to its workloads. Every
 * finding is in exactly one explanation.
 */
export function solve(part: readonly Bundle[], setting: Setting): Answer[] {
  const { world, rules, peers, owner, bundleOf } = setting;
  const bundles = [...part].sort((a, b) => compareRefs(a.workload, b.workload) || (a.key < b.key ? -1 : 1));
  const byKey = new Map(bundles.map((bundle) => [bundle.key, bundle]));
  const pairs = bundles.flatMap((bundle) => bundle.candidates.map((candidate): Pair => ({ ...candidate, bundle })));
  const [usual, last] = [false, true].map((resort) =>
    pairs.filter(({ rule }) => (rule.lastResort ?? false) === resort),
  );
  const scored = scoreAll(usual ?? [], world, peers);
  const lastResorts = bestByBundle(scoreAll(last ?? [], world, peers));
  const lastResort = (finding: Finding): Scored | undefined => lastResorts.get(bundleOf(finding) ?? '');

  const left = new Map(byKey);
  const covered = cover(scored, bundleOf);
  for (const { pairs: own } of covered) for (const { bundle } of own) left.delete(bundle.key);
  const explained = covered.map(({ cause, pairs: own }) => {
    const held = own.map(({ bundle }) => bundle);
    // What else shows on a failing root is the root's; a released workload has its Pods' troubles only.
    for (const finding of cause.change === undefined ? setting.findings(cause.ref) : []) {
      const bundle = left.get(bundleOf(finding) ?? '');
      if (bundle && left.delete(bundle.key)) held.push(bundle);
    }
    return { root: cause.ref, bundles: held, loose: [], cause, pairs: own };
  });
  const loose = left
    .values()
    .flatMap(({ members }) => members)
    .toArray();
  const lifted = lift(loose, explained, owner, (finding) => lastResort(finding)?.cause.ref, rules);
  const groups = [...explained, ...lifted.map((group) => ({ ...group, ...blame(group, lastResort) }))];
  return groups.flatMap((group) => {
    const held = new Set(group.bundles);
    for (const finding of group.loose) {
      const bundle = byKey.get(bundleOf(finding) ?? '');
      if (bundle) held.add(bundle);
    }
    const others = alternatives(scored, group.cause, held);
    const pardoned = pardonedEdit(scored, ({ cause, bundle }) => cause.ref === group.root && held.has(bundle));
    const explanation = build({ ...group, others, pardoned }, setting);
    return explanation === undefined ? [] : [{ explanation, bundles: new Set([...held].map(({ key }) => key)) }];
  });
}

/** The best pair of each bundle. */
function bestByBundle(scored: readonly Scored[]): ReadonlyMap<string, Scored> {
  const best = new Map<string, Scored>();
  for (const pair of scored) if (pair.score > (best.get(pair.bundle.key)?.score ?? 0)) best.set(pair.bundle.key, pair);
  return best;
}

/** Why a lifted group has the root it has: its last resort, which for a change is the workload itself. */
function blame(
  { root, loose }: Group,
  lastResort: (finding: Finding) => Scored | undefined,
): Pick<Solved, 'pairs'> & { readonly cause?: Cause } {
  const pairs = [...new Set(loose.flatMap((finding) => lastResort(finding) ?? []))].filter(
    ({ cause }) => cause.ref === root,
  );
  return pairs[0] ? { cause: pairs[0].cause, pairs } : { pairs: [] };
}
