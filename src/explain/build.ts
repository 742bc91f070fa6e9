import type { BlamedChange, Explanation, ExplanationPart, Step } from '../model/explanation.ts';
import type { Finding } from '../model/finding.ts';
import { describeRef, kindOf, type Ref } from '../model/ref.ts';
import { type Confidence, compareSeverity, type Severity, worse } from '../model/severity.ts';
import type { Subject } from '../model/subject.ts';
import { blamedChange } from './edits.ts';
import { namingReason, selfEvident } from './families.ts';
import type { Group, Setting, Solved } from './group.ts';
import { proofOf } from './proof.ts';
import { compareRefs } from './ref-order.ts';
import { samplePod } from './sample.ts';
import type { Scored } from './score.ts';
import { scorers } from './scorers.ts';
import { healthOf, type Impact, judgeImpact } from './severity.ts';
import { inOrder, type Share, type Slice, slicesOf } from './shares.ts';
import { usedKinds } from './workload.ts';

/** A mean score from here on is `high` (right at least 95 % of the time on the labelled scenarios). */
const sure = 0.8;

const round = (value: number): number => Math.round(value * 100) / 100;

/** The mean over all findings of some pairs. */
function mean(pairs: readonly Scored[], figure: (pair: Scored) => number): number {
  let [sum, count] = [0, 0];
  for (const pair of pairs) {
    sum += figure(pair) * pair.bundle.members.length;
    count += pair.bundle.members.length;
  }
  return count === 0 ? 0 : round(sum / count);
}

const sizeOf = (pairs: readonly Scored[]): number => pairs.reduce((sum, { bundle }) => sum + bundle.members.length, 0);

/** Scorers whose answer would be another one if the cause were. */
const evidence = scorers.flatMap((scorer) => (scorer.evidence ? [scorer.name] : []));

/** `high` wants a high score with evidence behind it; a change that the API only shows as possible is never enough. */
function confidenceOf({ cause, pairs }: Solved, reason: Finding['reason']): Confidence {
  if (cause === undefined) return selfEvident(reason);
  const score = mean(pairs, (pair) => pair.score);
  const proven = pairs.some(({ added }) => evidence.some((name) => (added[name] ?? 0) > 0));
  return score >= sure && proven && cause.change?.certain !== false ? 'high' : 'likely';
}

/** The trace: each row that was used with its mean score, what the scorers added, what else was considered. */
function traceOf({ root, cause, pairs, others }: Solved, impact: readonly string[]): Step[] {
  const steps: Step[] = [];
  if (cause === undefined)
    steps.push({ rule: 'lift', about: root, says: `nothing explains these findings, lifted to ${describeRef(root)}` });
  for (const [id, used] of Map.groupBy(pairs, ({ rule }) => rule.id)) {
    const score = mean(used, (pair) => pair.score);
    steps.push({ rule: id, about: root, says: `explains ${sizeOf(used)} findings`, score });
    for (const name of new Set(used.flatMap(({ added }) => Object.keys(added)))) {
      const added = mean(used, (pair) => pair.added[name] ?? 0);
      steps.push({ rule: `${id}/${name}`, about: root, says: 'added to the prior', score: added });
    }
  }
  for (const { rule, cause: other, score } of others)
    steps.push({ rule: rule.id, about: other.ref, says: 'could explain some of it', score: round(score) });
  for (const says of impact) steps.push({ rule: 'impact', about: root, says });
  return steps;
}

/** The edit that is blamed; where effects blame different fields of it, what the naming ones blame. */
function blamed({ cause, pairs }: Solved, reason: Finding['reason']): BlamedChange | undefined {
  if (cause?.change === undefined) return undefined;
  const naming = pairs.find((pair) => pair.cause.key === cause.key && pair.effect.reason === reason);
  return blamedChange(naming?.cause.change ?? cause.change);
}

/** What an explanation is made of: its slices in order, all their findings, and what each workload has of them. */
type Content = {
  readonly slices: readonly Slice[];
  readonly members: readonly Finding[];
  readonly shares: ReadonlyMap<Ref, Share>;
};

function contentOf({ root, bundles, loose }: Group, { shares, owner }: Setting): Content {
  const slices = inOrder([...bundles, ...slicesOf(loose, owner)]);
  const [own, others]: [Finding[], Finding[]] = [[], []];
  const rootWorkload = owner(root);
  // Of other workloads no finding is looked at: there can be thousands.
  for (const { workload, members } of slices)
    if (workload !== rootWorkload) for (const finding of members) others.push(finding);
    else for (const finding of members) (finding.subject.ref === root ? own : others).push(finding);
  const byWorkload = [...Map.groupBy(slices, ({ workload }) => workload)].sort(([a], [b]) => compareRefs(a, b));
  const known = byWorkload.flatMap(([workload, some]) => {
    const share = shares.of(workload, some);
    return share === undefined ? [] : [[workload, share] as const];
  });
  return { slices, members: own.concat(others), shares: new Map(known) };
}

/** The share of each workload, when the root is something else. */
function partsOf(root: Ref, shares: Content['shares']): ExplanationPart[] | undefined {
  return shares.size === 1 && shares.has(root) ? undefined : [...shares.values()].map(({ part }) => part);
}

function subjectsHit(root: Ref, rootWorkload: Ref, shares: Content['shares']): Subject[] {
  const hit: Subject[] = [];
  for (const [workload, { subjects }] of shares)
    for (const subject of workload === rootWorkload ? subjects.filter(({ ref }) => ref !== root) : subjects)
      hit.push(subject);
  for (const [workload, { part, isItself }] of shares)
    if (!isItself && workload !== root && !usedKinds.includes(kindOf(workload))) hit.push(part.root);
  return hit;
}

/** The finding that names the root: the one that most effects were explained by, else the root's worst own. */
function rootReason(solved: Solved, members: readonly Finding[]): Finding['reason'] | undefined {
  const { root, cause, pairs } = solved;
  if (cause === undefined || cause.change !== undefined) return namingReason(members);
  const votes = new Map<Finding['reason'], number>();
  for (const { cause: by, bundle } of pairs) {
    const reason = by.ref === root ? by.finding?.reason : undefined;
    if (reason !== undefined) votes.set(reason, (votes.get(reason) ?? 0) + bundle.members.length);
  }
  const [most] = [...votes].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  if (most) return most[0];
  const own = members.filter(({ subject }) => subject.ref === root);
  return namingReason(own.length > 0 ? own : members);
}

/** Makes the explanation of a solved group; `undefined` for an empty one. */
export function build(solved: Solved, setting: Setting): Explanation | undefined {
  const { root, cause } = solved;
  const { world } = setting;
  const { slices, members, shares } = contentOf(solved, setting);
  const reason = rootReason(solved, members);
  if (reason === undefined) return undefined;
  const workloads = [...shares.keys()].filter((ref) => !usedKinds.includes(kindOf(ref)));
  const change = blamed(solved, reason);
  const released = change !== undefined && cause?.change?.certain === true;
  const worst = [...shares.values()].reduce<Severity>((so, { part }) => worse(so, part.severity), 'low');
  const impact: Impact = { root, reason, worst, workloads, released, world };
  const { severity, because } = judgeImpact(impact);
  const health = healthOf(impact);
  const parts = partsOf(root, shares);
  const sample = samplePod(world, root, slices);
  return {
    root: world.subject(root),
    reason,
    severity,
    confidence: confidenceOf(solved, reason),
    members,
    affected: subjectsHit(root, setting.owner(root), shares),
    ...(change === undefined ? {} : { change }),
    workloads,
    ...(health.length === 0 ? {} : { impact: health }),
    ...(parts === undefined ? {} : { parts }),
    ...(sample === undefined ? {} : { samplePod: sample }),
    proof: proofOf(solved, members, world),
    trace: traceOf(solved, because),
  };
}

/** Worst first, then by root and reason: the order in which explanations are given. */
export function compareExplanations(a: Explanation, b: Explanation): number {
  return (
    compareSeverity(a.severity, b.severity) ||
    compareRefs(a.root.ref, b.root.ref) ||
    (a.reason < b.reason ? -1 : a.reason > b.reason ? 1 : 0)
  );
}
