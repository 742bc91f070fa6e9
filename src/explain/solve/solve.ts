import type { Explanation } from '../../model/explanation.ts';
import type { Finding } from '../../model/finding.ts';
import type { Ref } from '../../model/ref.ts';
import type { Bundle, Pair } from '../candidates/bundle.ts';
import type { Cause } from '../candidates/candidates.ts';
import { compareRefs } from '../evidence/ref-order.ts';
import { isSaidOfOthers } from '../rules/reasons.ts';
import { isNeed } from '../rules/rule.ts';
import { type Scored, scoreAll } from '../scores/score.ts';
import { build } from './build.ts';
import { chained, type Explained } from './chain.ts';
import { alternatives, cover } from './cover.ts';
import type { Group, Setting, Solved } from './group.ts';
import { lift } from './lift.ts';
import { pardonedEdit } from './proof.ts';
import { joinSameWords } from './same-words.ts';
import { joinSayers } from './sayers.ts';

/**
 * Explains one connected part: scores its pairs, chooses the fewest causes, lifts what is left to its workloads. Every
 * finding is in exactly one explanation.
 */
export function solve(part: readonly Bundle[], setting: Setting): Explanation[] {
  const { world, rules, peers, owner, bundleOf } = setting;
  const bundles = [...part].sort((a, b) => compareRefs(a.workload, b.workload) || (a.key < b.key ? -1 : 1));
  const { usual, last } = pairsOf(bundles, owner);
  const scored = scoreAll(usual, usual, world, peers);
  const lastResorts = bestByBundle(last.length === 0 ? [] : scoreAll(last, [...usual, ...last], world, peers));
  const lastResort = (finding: Finding): Scored | undefined => {
    const bundle = bundleOf(finding);
    return bundle && lastResorts.get(bundle);
  };

  const covered = cover(scored, bundleOf);
  const taken = new Set<Bundle>();
  for (const { pairs } of covered) for (const { bundle } of pairs) taken.add(bundle);
  const left = new Set(bundles.filter((bundle) => !taken.has(bundle)));
  const explained = covered.map(({ cause, pairs }): Explained => {
    const held = pairs.map(({ bundle }) => bundle);
    // What else shows on a failing root is the root's; a released workload has its Pods' troubles only.
    for (const finding of cause.change === undefined ? setting.findings(cause.ref) : []) {
      const bundle = bundleOf(finding);
      if (bundle && left.delete(bundle)) held.push(bundle);
    }
    return { root: cause.ref, bundles: held, loose: [], cause, pairs };
  });
  const said = [...left].filter(isSaid);
  for (const bundle of said) left.delete(bundle);
  const loose = left
    .values()
    .flatMap(({ members }) => members)
    .toArray();
  const lifted = lift(loose, explained, {
    owner,
    rules,
    lastResort: (finding) => lastResort(finding)?.cause.ref,
    behind: (finding) => bundleOf(finding)?.behind ?? [],
  });
  const all = [...explained, ...lifted.map((group) => ({ ...group, ...blame(group, lastResort) }))];
  const known = withoutEchoes(all);
  const unsaid = joinSayers(said, known).map(
    (finding): Explained => ({ root: owner(finding.subject.ref), bundles: [], loose: [finding], pairs: [] }),
  );
  const groups = joinSameWords(withoutNamesakes([...known, ...unsaid]), world);
  const roots = chained(groups, {
    ...{ owner, lastResort, findings: setting.findings },
    behind: (finding) => bundleOf(finding)?.behind ?? [],
  });
  return roots.flatMap((group) => {
    const held = new Set(group.bundles);
    for (const finding of group.loose) {
      const bundle = bundleOf(finding);
      if (bundle) held.add(bundle);
    }
    const others = alternatives(scored, group.cause, held);
    const pardoned = pardonedEdit(scored, ({ cause, bundle }) => cause.ref === group.root && held.has(bundle));
    const beside = held
      .values()
      .flatMap(({ pairs }) => pairs)
      .find(({ rule, cause }) => isNeed(rule) && isFailing(cause) && owner(cause.ref) !== group.root)?.cause;
    const explanation = build({ ...group, others, pardoned, beside }, setting);
    return explanation === undefined ? [] : [explanation];
  });
}

/** Whether a cause is one by a finding that holds. */
const isFailing = ({ finding, endedAt }: Cause): boolean => finding !== undefined && endedAt === undefined;

const isSaid = ({ first }: Bundle): boolean => isSaidOfOthers(first.reason);

/** What holds nothing but what others say is no story of its own where all who say it fail for another reason, such as an edit. */
function withoutEchoes(groups: readonly Explained[]): readonly Explained[] {
  const echoes = groups.filter(
    ({ bundles, loose }) => bundles.length > 0 && loose.length === 0 && bundles.every(isSaid),
  );
  if (echoes.length === 0) return groups;
  const others = groups.filter((group) => !echoes.includes(group));
  return [...others, ...echoes.filter(({ bundles }) => joinSayers(bundles, others).length > 0)];
}

/** Whether what others blame is the root itself, by its name or a finding of its own, and not an edit of it. */
const isBlamedAsItIs = ({ root, cause }: Explained): boolean =>
  cause !== undefined &&
  cause.change === undefined &&
  (cause.finding === undefined || cause.finding.subject.ref === root);

/** Whom others blame as it is has one story with what fails of it by itself, and with an edit of it that is to blame for that. */
function withoutNamesakes(groups: readonly Explained[]): readonly Explained[] {
  const blamed = new Map<Ref, Explained>();
  for (const group of groups) if (isBlamedAsItIs(group)) blamed.set(group.root, group);
  if (blamed.size === 0) return groups;
  for (const group of groups)
    if (group.cause?.change !== undefined && blamed.has(group.root)) blamed.set(group.root, group);
  const merged = new Map<Explained, Explained>();
  const others = groups.filter((group) => {
    const host = blamed.get(group.root);
    if (host === undefined || host === group) return true;
    if (group.cause !== undefined && group.cause.key !== host.cause?.key && !isBlamedAsItIs(group)) return true;
    const { bundles, loose } = merged.get(host) ?? host;
    merged.set(host, { ...host, bundles: [...bundles, ...group.bundles], loose: [...loose, ...group.loose] });
    return false;
  });
  return others.map((group) => merged.get(group) ?? group);
}

/** All pairs of some bundles, in their order; those of rows that are a last resort apart. */
function pairsOf(
  bundles: readonly Bundle[],
  owner: Setting['owner'],
): { readonly usual: readonly Pair[]; readonly last: readonly Pair[] } {
  const [usual, last]: [Pair[], Pair[]] = [[], []];
  for (const { pairs } of bundles)
    for (const pair of withoutNeededEdits(pairs, owner)) (pair.rule.lastResort ? last : usual).push(pair);
  return { usual, last };
}

/** Of a workload that is needed and is found to fail there is more to say than that it was edited. */
function withoutNeededEdits(pairs: readonly Pair[], owner: Setting['owner']): readonly Pair[] {
  const isEdit = ({ rule, cause }: Pair): boolean => isNeed(rule) && cause.change !== undefined;
  if (!pairs.some(isEdit)) return pairs;
  const failing = new Set(
    pairs.flatMap(({ rule, cause }) => (isNeed(rule) && cause.finding ? [owner(cause.ref)] : [])),
  );
  return pairs.filter((pair) => !(isEdit(pair) && failing.has(pair.cause.ref)));
}

/** The best pair of each bundle. */
function bestByBundle(scored: readonly Scored[]): ReadonlyMap<Bundle, Scored> {
  const best = new Map<Bundle, Scored>();
  for (const pair of scored) if (pair.score > (best.get(pair.bundle)?.score ?? 0)) best.set(pair.bundle, pair);
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
