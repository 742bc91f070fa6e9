import type { Finding } from '../../model/finding.ts';
import type { Family } from '../../model/reason-traits.ts';
import type { Ref } from '../../model/ref.ts';
import type { Cause } from '../candidates/candidates.ts';
import { compareReason, familyOf } from '../evidence/families.ts';
import { compareRefs } from '../evidence/ref-order.ts';
import type { RuleTable } from '../rules/rule-table.ts';
import type { Group } from './group.ts';
import { GroupTally } from './group-tally.ts';

/** A consequence joins what explains it; everything else makes a lift of its own. */
const isConsequence = (finding: Finding): boolean => familyOf(finding.reason) === 'consequence';

/** Findings of one workload failing alike are one group; two families that show on the same object are one as well. */
function byWorkload(findings: readonly Finding[], owner: (ref: Ref) => Ref): Group[] {
  const groups: Group[] = [];
  for (const [root, own] of Map.groupBy(findings, ({ subject }) => owner(subject.ref))) {
    const label = new Map<Family, Family>();
    for (const onOne of Map.groupBy(own, ({ subject }) => subject.ref).values()) {
      const families = [...new Set(onOne.map(({ reason }) => familyOf(reason)))];
      const labels = new Set(families.map((family) => label.get(family) ?? family));
      const [first] = labels;
      if (first === undefined) continue;
      for (const family of families) label.set(family, first);
      for (const [family, known] of label) if (labels.has(known)) label.set(family, first);
    }
    for (const members of Map.groupBy(own, ({ reason }) => label.get(familyOf(reason))).values())
      groups.push({ root, bundles: [], loose: members });
  }
  return groups;
}

/** The first group that holds a failure of each object of these workloads. */
function holders(workloads: ReadonlySet<Ref>, groups: readonly Group[], owner: (ref: Ref) => Ref): Map<Ref, Group> {
  const holder = new Map<Ref, Group>();
  for (const group of groups) {
    const note = ({ subject }: Finding): void => {
      if (!holder.has(subject.ref)) holder.set(subject.ref, group);
    };
    for (const { workload, members } of group.bundles) if (workloads.has(workload)) members.forEach(note);
    for (const finding of group.loose) if (workloads.has(owner(finding.subject.ref))) note(finding);
  }
  return holder;
}

/**
 * What fails on an object whose workload is to blame for another failure of it belongs to that: a second container of a Pod
 * that a release broke is no incident of its own. Returns what is left.
 */
function joinSameObject(
  findings: readonly Finding[],
  explained: readonly Group[],
  owner: (ref: Ref) => Ref,
): readonly Finding[] {
  const workloads = new Set(findings.map(({ subject }) => owner(subject.ref)));
  const own = explained.filter(({ root }) => workloads.has(root));
  if (own.length === 0) return findings;
  const holder = holders(workloads, own, owner);
  return findings.filter((finding) => {
    const group = holder.get(finding.subject.ref);
    if (group?.root !== owner(finding.subject.ref)) return true;
    group.loose.push(finding);
    return false;
  });
}

/** A group with what its root is blamed for. */
type Rooted = Group & { readonly cause?: Pick<Cause, 'change'> };

/** What lifting needs to know of findings. */
type Lifting = {
  /** The workload of an object. */
  readonly owner: (ref: Ref) => Ref;
  readonly rules: RuleTable;
  /** What is to blame where nothing else is. */
  readonly lastResort: (finding: Finding) => Ref | undefined;
  /** The workloads behind the object of a finding. */
  readonly behind: (finding: Finding) => readonly Ref[];
};

/**
 * Gives every finding that no cause explains a place: lifted to its workload with those that fail alike. A mere
 * consequence (a Pod not ready, a workload short of replicas) goes to the group that holds the failure behind it: on the
 * same object, else in the same workload, else to the object that is its last resort; one of what stands before workloads
 * (a Service without endpoints, a budget that is short) goes to whatever is wrong with most of them, else to its last resort. A
 * Pod joins only failures of its own workload, never a cause it is not linked to.
 */
export function lift(
  uncovered: readonly Finding[],
  explained: readonly Rooted[],
  { owner, rules, lastResort, behind }: Lifting,
): Group[] {
  const sorted = [...uncovered].sort(
    (a, b) => compareReason(a.reason, b.reason) || compareRefs(a.subject.ref, b.subject.ref),
  );
  const failures = sorted.filter((finding) => !isConsequence(finding));
  const lifts = byWorkload(joinSameObject(failures, explained, owner), owner);
  lifts.sort((a, b) => compareRefs(a.root, b.root));
  const all = sorted.filter(isConsequence);
  if (all.length === 0) return lifts;
  const [consequences, followers] = [
    all.filter((one) => behind(one).length === 0),
    all.filter((one) => behind(one).length > 0),
  ];
  const groups = [...explained, ...lifts];
  const tally = new GroupTally(groups, owner);
  const lifted = new Set<Group>(lifts);
  const holder = holders(new Set(consequences.map(({ subject }) => owner(subject.ref))), groups, owner);
  const rooted = new Map<Ref, Group>(groups.map((group) => [group.root, group]));
  // Whom others blame as it is has one story; what an edit of it broke is another than what else it has.
  const selfBlamed = new Map<Ref, Group>(
    explained.flatMap((group) => (group.cause?.change === undefined ? [[group.root, group] as const] : [])),
  );
  const resorts: Group[] = [];
  const left: Finding[] = [];
  // What is the last resort of a workload is that of its Pods which say no more either.
  const ofWorkloads = new Map(consequences.map((finding) => [finding.subject.ref, lastResort(finding)]));
  for (const finding of consequences) {
    const workload = owner(finding.subject.ref);
    const resort = lastResort(finding) ?? ofWorkloads.get(workload) ?? workload;
    const group =
      holder.get(finding.subject.ref) ??
      tally.largest(workload, (one) => lifted.has(one) || rules.of(finding).isShortOwner) ??
      (resort === workload ? selfBlamed.get(workload) : rooted.get(resort));
    if (group) tally.join(group, finding);
    else if (resort === workload) left.push(finding);
    else {
      const fresh: Group = { root: resort, bundles: [], loose: [finding] };
      rooted.set(resort, fresh);
      resorts.push(fresh);
    }
  }
  const short = [...resorts, ...byWorkload(left, owner)];
  for (const group of short) tally.add(group);
  const own = [...lifts, ...short];
  const alone = followers.filter((finding) => {
    const group = holder.get(finding.subject.ref) ?? tally.first(behind(finding));
    if (group) tally.join(group, finding);
    return group === undefined;
  });
  const rootOf = (finding: Finding): Ref => lastResort(finding) ?? owner(finding.subject.ref);
  const ownRoot = (finding: Finding): boolean =>
    lastResort(finding) === undefined && !rooted.has(owner(finding.subject.ref));
  const named = byWorkload(alone.filter(ownRoot), owner);
  const others = alone.filter((finding) => !ownRoot(finding));
  return [...own, ...named, ...byRoot(others, [...groups, ...resorts, ...named], rootOf)];
}

/** What stands before workloads, and none of these is to blame, goes to what it has for a root; returns what is new. */
function byRoot(findings: readonly Finding[], groups: readonly Group[], rootOf: (finding: Finding) => Ref): Group[] {
  const rooted = new Map<Ref, Group>();
  for (const group of groups) if (!rooted.has(group.root)) rooted.set(group.root, group);
  const fresh: Group[] = [];
  for (const finding of findings) {
    const root = rootOf(finding);
    const known = rooted.get(root);
    if (known) known.loose.push(finding);
    else {
      const group: Group = { root, bundles: [], loose: [finding] };
      rooted.set(root, group);
      fresh.push(group);
    }
  }
  return fresh;
}
