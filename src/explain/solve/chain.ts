import type { Finding } from '../../model/finding.ts';
import type { Ref } from '../../model/ref.ts';
import type { Cause } from '../candidates/candidates.ts';
import { familyOf } from '../evidence/families.ts';
import { isNeed } from '../rules/rule.ts';
import type { Scored } from '../scores/score.ts';
import type { Group, Solved } from './group.ts';
import { GroupTally } from './group-tally.ts';

/** A group with what explains it so far. */
export type Explained = Group & Pick<Solved, 'cause' | 'pairs'>;

/** What chaining needs to know of findings. */
type Chaining = {
  readonly owner: (ref: Ref) => Ref;
  /** The findings of an object itself. */
  readonly findings: (ref: Ref) => readonly Finding[];
  /** The workloads behind the object of a finding. */
  readonly behind: (finding: Finding) => readonly Ref[];
  /** What is to blame where nothing else is. */
  readonly lastResort: (finding: Finding) => Scored | undefined;
};

/**
 * A cause that only follows from another goes to that one, with all that it explains: a webhook that nobody answers refuses Pods
 * because of the workload behind it, or with everybody else who calls its Service.
 */
export function chained(groups: readonly Explained[], { owner, findings, behind, lastResort }: Chaining): Explained[] {
  const all = needed(groups, owner);
  // What goes somewhere is looked at once: two that follow from each other would go to and fro.
  const gone = new Set<Explained>();
  for (let at = 0; at < all.length; ) {
    const group = all[at];
    const above = group === undefined || gone.has(group) ? undefined : aboveOf(group, all);
    if (group === undefined || above === undefined) at += 1;
    else if (all.includes(above)) take(all, group, joined(above, group), above);
    else {
      gone.add(above);
      all[at] = above;
    }
  }
  return all;

  function aboveOf(group: Explained, known: readonly Explained[]): Explained | undefined {
    if (group.cause === undefined || group.cause.change !== undefined) return undefined;
    const others = known.filter((other) => other !== group);
    return findings(group.root)
      .filter(({ reason }) => familyOf(reason) === 'consequence')
      .map((finding) => upstream(group, finding, others))
      .find((found) => found !== undefined);
  }

  function upstream(group: Explained, finding: Finding, others: readonly Explained[]): Explained | undefined {
    const workload =
      others.find((other) => holds(other, finding)) ?? new GroupTally(others, owner).first(behind(finding));
    if (workload) return workload;
    const resort = lastResort(finding);
    if (resort === undefined) return undefined;
    // What others lack fails by an edit of its own.
    if (resort.cause.ref === group.root)
      return resort.cause.change && { ...group, cause: resort.cause, pairs: [resort, ...group.pairs] };
    // Whoever lacks a workload lacks whatever is wrong with that, and not the one Pod that was looked at.
    const isLack = isNeed(resort.rule);
    const root = isLack ? owner(resort.cause.ref) : resort.cause.ref;
    const known =
      others.find((other) => other.root === root) ?? (isLack ? new GroupTally(others, owner).largest(root) : undefined);
    return known ?? { ...group, root, cause: resort.cause, pairs: [resort] };
  }
}

/**
 * Who depends on a workload whose Pods fail belongs to whatever is wrong with the workload, not to the one Pod that was looked
 * at: the group that holds what else is wrong with it, else one of its own.
 */
function needed(groups: readonly Explained[], owner: (ref: Ref) => Ref): Explained[] {
  const all = [...groups];
  // Those that hold what is wrong with the workload are where they belong.
  const there = new Set<Explained>();
  for (let at = 0; at < all.length; ) {
    const group = all[at];
    const need = group === undefined || there.has(group) ? undefined : needOf(group);
    if (group === undefined || need === undefined) {
      at += 1;
      continue;
    }
    const workload = owner(need.ref);
    const others = all.filter((other) => other !== group);
    const known = new GroupTally(others, owner).largest(workload);
    if (known) {
      const both = joined(known, group);
      const merged = known.cause ? both : { ...both, cause: need, pairs: group.pairs };
      if (!known.cause) there.add(merged);
      take(all, group, merged, known);
    } else {
      all[at] = { ...group, root: group.root === need.ref ? workload : group.root };
      at += 1;
    }
  }
  return all;
}

/** What a group fails for want of: a workload that fails, or one whose edit took what served. */
function needOf({ cause, pairs }: Explained): Cause | undefined {
  return pairs.some(({ rule, cause: by }) => isNeed(rule) && by === cause) ? cause : undefined;
}

/** Takes a group out of some, and puts what it became with another in the place of that. */
function take(all: Explained[], group: Explained, both: Explained, other: Explained): void {
  all[all.indexOf(other)] = both;
  all.splice(all.indexOf(group), 1);
}

/** Whether a finding has its place in a group: what explains it explains what follows from it. */
function holds({ bundles, loose }: Group, { subject, reason }: Finding): boolean {
  const isIt = (other: Finding): boolean => other.subject.ref === subject.ref && other.reason === reason;
  return loose.some(isIt) || bundles.some(({ members }) => members.some(isIt));
}

/** One group of what both hold, with the root of the first, and its cause; of one root, any that either has. */
function joined(above: Explained, group: Explained): Explained {
  const { cause, pairs } = above.cause === undefined && above.root === group.root ? group : above;
  return {
    ...above,
    ...(cause && { cause }),
    pairs,
    bundles: [...above.bundles, ...group.bundles],
    loose: [...above.loose, ...group.loose],
  };
}
