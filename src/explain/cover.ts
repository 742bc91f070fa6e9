import type { Finding } from '../model/finding.ts';
import type { Bundle } from './bundles.ts';
import type { Cause } from './candidates.ts';
import { compareRefs } from './ref-order.ts';
import type { Scored } from './score.ts';

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

/** The best pair of each (cause, effect), good enough and close enough to the best cause of that effect. */
function eligible(scored: readonly Scored[]): Map<string, Map<string, Scored>> {
  const best = new Map<string, number>();
  for (const { bundle, score } of scored) best.set(bundle.key, Math.max(best.get(bundle.key) ?? 0, score));
  const byCause = new Map<string, Map<string, Scored>>();
  for (const pair of scored) {
    const { key } = pair.bundle;
    if (pair.score < floor || pair.score < (best.get(key) ?? 0) - rivalry) continue;
    const effects = byCause.get(pair.cause.key) ?? new Map<string, Scored>();
    const known = effects.get(key);
    if (known === undefined || pair.score > known.score) effects.set(key, pair);
    byCause.set(pair.cause.key, effects);
  }
  return byCause;
}

/** What a cause gains by a bundle: whole numbers, whose sum does not depend on their order. */
const gainOf = ({ score, bundle }: Scored): number => Math.round(score * 10_000) * bundle.members.length;

type Choice = { readonly cause: Cause; readonly effects: Map<string, Scored>; gain: number };

/** Greedy weighted set cover: the cause with the largest gain takes its effects, until none gains anything. */
function choose(scored: readonly Scored[]): Map<string, Choice> {
  const open: Choice[] = [...eligible(scored).values()].flatMap((effects) => {
    const [first] = effects.values();
    if (first === undefined) return [];
    const gain = effects.values().reduce((sum, pair) => sum + gainOf(pair), 0);
    return [{ cause: first.cause, effects, gain }];
  });
  // In the order of ties: of equal gains the first stays.
  open.sort((a, b) => compareCauses(a.cause, b.cause));
  const wanting = new Map<string, Choice[]>();
  for (const choice of open)
    for (const key of choice.effects.keys()) {
      const rivals = wanting.get(key);
      if (rivals) rivals.push(choice);
      else wanting.set(key, [choice]);
    }
  const chosen = new Map<string, Choice>();
  for (;;) {
    const best = open.reduce<Choice | undefined>((a, b) => (b.gain > (a?.gain ?? 0) ? b : a), undefined);
    if (best === undefined) return chosen;
    chosen.set(best.cause.key, best);
    open.splice(open.indexOf(best), 1);
    for (const key of best.effects.keys())
      for (const rival of wanting.get(key) ?? []) {
        const lost = rival === best ? undefined : rival.effects.get(key);
        if (lost === undefined) continue;
        rival.gain -= gainOf(lost);
        rival.effects.delete(key);
      }
  }
}

/**
 * The fewest causes that explain the effects. A cause whose own finding another cause explains goes under that one, so
 * the roots are what nothing explains. `bundleOf` gives the key of the bundle that a finding is in.
 */
export function cover(scored: readonly Scored[], bundleOf: (finding: Finding) => string | undefined): Covered[] {
  const chosen = choose(scored);
  const explainedBy = new Map<string, string>();
  for (const [causeKey, { effects }] of chosen)
    for (const effectKey of effects.keys()) explainedBy.set(effectKey, causeKey);
  const parentOf = ({ finding }: Cause): string | undefined =>
    finding === undefined ? undefined : explainedBy.get(bundleOf(finding) ?? '');
  const rootOf = (key: string): string => {
    const path = [key];
    for (let at = key; path.length <= maxChain; ) {
      const cause = chosen.get(at)?.cause;
      const parent = cause === undefined ? undefined : parentOf(cause);
      if (parent === undefined) return at;
      // Two causes that explain each other: the first by kind and name is the root, whichever we started from.
      if (path.includes(parent)) return firstOf(path.slice(path.indexOf(parent)), chosen);
      path.push(parent);
      at = parent;
    }
    return path.at(-1) ?? key;
  };
  const groups = new Map<string, { cause: Cause; pairs: Scored[] }>();
  for (const [key, { effects }] of chosen) {
    const root = chosen.get(rootOf(key));
    if (root === undefined) continue;
    const group = groups.get(root.cause.key) ?? { cause: root.cause, pairs: [] };
    for (const pair of effects.values()) group.pairs.push(pair);
    groups.set(root.cause.key, group);
  }
  return [...groups.values()].sort((a, b) => compareCauses(a.cause, b.cause));
}

function firstOf(keys: readonly string[], chosen: ReadonlyMap<string, Choice>): string {
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
