import type { Finding } from '../../model/finding.ts';
import type { Ref } from '../../model/ref.ts';
import { addTo } from '../../model/sets.ts';
import type { Bundle } from '../candidates/bundle.ts';
import type { Cause } from '../candidates/candidates.ts';
import { compareRefs } from '../evidence/ref-order.ts';
import type { Scored } from '../scores/score.ts';
import { runsOf } from './runs.ts';

/** Below this a cause explains nothing: the finding is its own root. */
export const floor = 0.5;
/** A cause may take an effect only if no other explains it better by more than this. */
const rivalry = 0.15;
/** Causes explained by causes are followed this far. */
const maxChain = 6;

/** A chosen root with the effects it explains, directly or through causes it explains in turn. */
export type Covered = { readonly cause: Cause; readonly pairs: readonly Scored[] };

const compareCauses = (a: Cause, b: Cause): number =>
  compareRefs(a.ref, b.ref) || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);

/** What a cause gains by a bundle: whole numbers, whose sum does not depend on their order. */
const gainOf = ({ score, bundle }: Scored): number => Math.round(score * 10_000) * bundle.members.length;

/** A cause with what it could explain, one pair a bundle, and what it gains by those that nobody has taken yet. */
type Choice = { readonly cause: Cause; readonly effects: Scored[]; gain: number };
/** A pair of a bundle that several causes want. */
type Claim = { readonly choice: Choice; readonly pair: Scored };

/** The best pair of each cause for one bundle, good enough and close enough to the best of all. */
function eligible(pairs: readonly Scored[]): readonly Scored[] {
  const [first] = pairs;
  if (pairs.length === 1 && first) return first.score < floor ? [] : pairs;
  const best = pairs.reduce((most, { score }) => Math.max(most, score), 0);
  const byCause = new Map<string, Scored>();
  for (const pair of pairs) {
    const { key } = pair.cause;
    if (pair.score < floor || pair.score < best - rivalry) continue;
    if (pair.score > (byCause.get(key)?.score ?? 0)) byCause.set(key, pair);
  }
  return [...byCause.values()];
}

/** Whether what is a cause by nothing but that several have it in common still is: whom another cause explains better counts for that one. */
function areEnough(pairs: readonly Scored[]): (pair: Scored) => boolean {
  const hit = new Map<string, Set<Ref>>();
  for (const { rule, cause, bundle } of pairs) if (rule.cause.basis === 'named') addTo(hit, cause.key, bundle.workload);
  return ({ cause, rule }) => rule.cause.basis !== 'named' || (hit.get(cause.key)?.size ?? 0) >= (rule.workloads ?? 1);
}

/** Every cause that could explain something, in the order of ties, and the bundles that several of them want. */
function choicesOf(scored: readonly Scored[]): { open: Choice[]; contested: Map<Bundle, readonly Claim[]> } {
  const choices = new Map<string, Choice>();
  const contested = new Map<Bundle, readonly Claim[]>();
  const all = runsOf(scored, ({ bundle }) => bundle).map(eligible);
  const isBelieved = areEnough(all.flat());
  for (const pairs of all) {
    const claims = pairs.filter(isBelieved).map((pair): Claim => {
      const { cause } = pair;
      const choice = choices.get(cause.key) ?? { cause, effects: [], gain: 0 };
      choices.set(cause.key, choice);
      choice.effects.push(pair);
      choice.gain += gainOf(pair);
      return { choice, pair };
    });
    const [first] = pairs;
    if (first && claims.length > 1) contested.set(first.bundle, claims);
  }
  return { open: [...choices.values()].sort((a, b) => compareCauses(a.cause, b.cause)), contested };
}

/** Greedy weighted set cover: the cause with the largest gain takes its effects, until none gains anything. */
function choose(scored: readonly Scored[]): Map<string, Covered> {
  const { open, contested } = choicesOf(scored);
  const taken = new Set<Bundle>();
  const chosen = new Map<string, Covered>();
  for (;;) {
    // Of equal gains the first stays.
    const best = open.reduce<Choice | undefined>((a, b) => (b.gain > (a?.gain ?? 0) ? b : a), undefined);
    if (best === undefined) return chosen;
    const pairs = taken.size === 0 ? best.effects : best.effects.filter(({ bundle }) => !taken.has(bundle));
    chosen.set(best.cause.key, { cause: best.cause, pairs });
    open.splice(open.indexOf(best), 1);
    if (contested.size === 0) continue;
    for (const { bundle } of pairs) {
      const claims = contested.get(bundle);
      if (claims === undefined) continue;
      for (const { choice, pair } of claims) choice.gain -= gainOf(pair);
      taken.add(bundle);
    }
  }
}

/** By which cause each bundle is explained that holds a chosen cause's own finding. */
function parentsOf(
  chosen: ReadonlyMap<string, Covered>,
  bundleOf: (cause: Cause) => Bundle | undefined,
): Map<Bundle, string> {
  const own = new Set([...chosen.values()].map(({ cause }) => bundleOf(cause)));
  const parents = new Map<Bundle, string>();
  for (const [key, { pairs }] of chosen) for (const { bundle } of pairs) if (own.has(bundle)) parents.set(bundle, key);
  return parents;
}

/**
 * The fewest causes that explain the effects. A cause whose own finding another cause explains goes under that one, so
 * the roots are what nothing explains. `scored`: all pairs of a bundle one after the other.
 */
export function cover(scored: readonly Scored[], bundleOf: (finding: Finding) => Bundle | undefined): Covered[] {
  const chosen = choose(scored);
  const bundleOfCause = ({ finding }: Cause): Bundle | undefined => finding && bundleOf(finding);
  const parents = parentsOf(chosen, bundleOfCause);
  const parentOf = (cause: Cause): string | undefined => {
    const bundle = bundleOfCause(cause);
    return bundle && parents.get(bundle);
  };
  const rootOf = (key: string): string => {
    const path = [key];
    for (let at = key; path.length <= maxChain; ) {
      const cause = chosen.get(at)?.cause;
      const parent = cause && parentOf(cause);
      if (parent === undefined) return at;
      // Two causes that explain each other: the first by kind and name is the root, whichever we started from.
      if (path.includes(parent)) return firstOf(path.slice(path.indexOf(parent)), chosen);
      path.push(parent);
      at = parent;
    }
    return path.at(-1) ?? key;
  };
  const groups = new Map<string, { cause: Cause; pairs: readonly Scored[] }>();
  for (const [key, { pairs }] of chosen) {
    const root = chosen.get(rootOf(key));
    if (root === undefined) continue;
    const { cause } = root;
    const known = groups.get(cause.key);
    groups.set(cause.key, { cause, pairs: known ? known.pairs.concat(pairs) : pairs });
  }
  return [...groups.values()].sort((a, b) => compareCauses(a.cause, b.cause));
}

function firstOf(keys: readonly string[], chosen: ReadonlyMap<string, Covered>): string {
  const causes = keys.flatMap((key) => chosen.get(key)?.cause ?? []);
  return causes.sort(compareCauses)[0]?.key ?? keys[0] ?? '';
}

/** The other causes that could explain some of these bundles, best first: for the trace. */
export function alternatives(
  scored: readonly Scored[],
  root: Cause | undefined,
  bundles: ReadonlySet<Bundle>,
): Scored[] {
  const best = new Map<string, Scored>();
  for (const pair of scored) {
    if (pair.cause.key === root?.key || !bundles.has(pair.bundle) || pair.score < floor) continue;
    const known = best.get(pair.cause.key);
    if (known === undefined || pair.score > known.score) best.set(pair.cause.key, pair);
  }
  return [...best.values()].sort((a, b) => b.score - a.score || compareCauses(a.cause, b.cause)).slice(0, 5);
}
