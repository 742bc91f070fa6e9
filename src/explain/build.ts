import type { BlamedChange, Explanation, ExplanationPart, Step } from '../model/explanation.ts';
import type { Finding } from '../model/finding.ts';
import { describeRef, kindOf, type Ref } from '../model/ref.ts';
import { type Confidence, compareSeverity, type Severity, worse } from '../model/severity.ts';
import type { Subject } from '../model/subject.ts';
import type { World } from '../world/world.ts';
import { compareRefs } from './cover.ts';
import { namingReason, selfEvident } from './families.ts';
import { healthOf } from './health.ts';
import { inOrder } from './lift.ts';
import { proofOf } from './proof.ts';
import { samplePod } from './sample.ts';
import { scorers } from './scorers.ts';
import { type Impact, judgeImpact } from './severity.ts';
import type { Solved } from './solved.ts';
import { usedKinds } from './workload.ts';

/** A mean score from here on is `high` (right at least 95 % of the time on the labelled scenarios). */
const sure = 0.8;

const mean = (numbers: readonly number[]): number =>
  numbers.length === 0 ? 0 : numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
const round = (value: number): number => Math.round(value * 100) / 100;

/** Scorers whose answer would be another one if the cause were. */
const evidence = scorers.flatMap((scorer) => (scorer.evidence ? [scorer.name] : []));

/** `high` wants a high score with evidence behind it; a change that the API only shows as possible is never enough. */
function confidenceOf({ cause, pairs }: Solved, reason: Finding['reason']): Confidence {
  if (cause === undefined) return selfEvident(reason);
  const score = round(mean(pairs.map((pair) => pair.score)));
  const proven = pairs.some(({ added }) => evidence.some((name) => (added[name] ?? 0) > 0));
  return score >= sure && proven && cause.change?.certain !== false ? 'high' : 'likely';
}

/** The trace: each row that was used with its mean score, what the scorers added, what else was considered. */
function traceOf({ root, cause, pairs, others }: Solved, impact: readonly string[]): Step[] {
  const steps: Step[] = [];
  if (cause === undefined)
    steps.push({ rule: 'lift', about: root, says: `nothing explains these findings, lifted to ${describeRef(root)}` });
  for (const [id, used] of Map.groupBy(pairs, ({ rule }) => rule.id)) {
    const score = round(mean(used.map((pair) => pair.score)));
    steps.push({ rule: id, about: root, says: `explains ${used.length} findings`, score });
    for (const name of new Set(used.flatMap(({ added }) => Object.keys(added)))) {
      const added = round(mean(used.map((pair) => pair.added[name] ?? 0)));
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
  const { ref, field, container, parts, also, at, by, from, to, certain } = naming?.cause.change ?? cause.change;
  return {
    ref,
    field,
    at,
    ...(container === undefined ? {} : { container }),
    ...(parts === undefined ? {} : { parts }),
    ...(by === undefined ? {} : { by }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(certain ? {} : { certain: false }),
    ...(also === undefined ? {} : { also }),
  };
}

/** The share of each workload, when the root is something else. */
function partsOf(
  root: Ref,
  members: readonly Finding[],
  world: World,
  owner: (ref: Ref) => Ref,
): ExplanationPart[] | undefined {
  const shares = Map.groupBy(members, ({ subject }) => owner(subject.ref));
  if (shares.size === 1 && shares.has(root)) return undefined;
  return [...shares]
    .sort(([a], [b]) => compareRefs(a, b))
    .flatMap(([workload, own]) => {
      const reason = namingReason(own);
      if (reason === undefined) return [];
      const severity = own.reduce<Severity>((worst, finding) => worse(worst, finding.severity), 'low');
      return [{ root: world.subject(workload), reason, severity, members: own }];
    });
}

function subjectsHit(root: Ref, members: readonly Finding[], workloads: readonly Ref[], world: World): Subject[] {
  const hit = new Map<Ref, Subject>();
  for (const { subject } of members) hit.set(subject.ref, subject);
  for (const workload of workloads) if (!hit.has(workload)) hit.set(workload, world.subject(workload));
  hit.delete(root);
  return [...hit.values()];
}

/** The finding that names the root: the one that most effects were explained by, else the root's worst own. */
function rootReason(solved: Solved, members: readonly Finding[]): Finding['reason'] | undefined {
  const { root, cause, pairs } = solved;
  if (cause === undefined || cause.change !== undefined) return namingReason(members);
  const votes = Map.groupBy(
    pairs.flatMap(({ cause: { ref, finding } }) => (ref === root && finding ? [finding] : [])),
    ({ reason }) => reason,
  );
  const [most] = [...votes].sort((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1));
  if (most) return most[0];
  const own = members.filter(({ subject }) => subject.ref === root);
  return namingReason(own.length > 0 ? own : members);
}

/** Makes the explanation of a solved group; `undefined` for an empty one. */
export function build(solved: Solved, world: World, owner: (ref: Ref) => Ref): Explanation | undefined {
  const { root, cause } = solved;
  const members = inOrder(root, solved.members);
  const reason = rootReason(solved, members);
  if (reason === undefined) return undefined;
  const workloads = [...new Set(members.map(({ subject }) => owner(subject.ref)))]
    .filter((ref) => !usedKinds.includes(kindOf(ref)))
    .sort(compareRefs);
  const change = blamed(solved, reason);
  const released = change !== undefined && cause?.change?.certain === true;
  const impact: Impact = { root, reason, members, workloads, released, world };
  const { severity, because } = judgeImpact(impact);
  const health = healthOf(impact);
  const parts = partsOf(root, members, world, owner);
  const sample = samplePod(world, root, members);
  return {
    root: world.subject(root),
    reason,
    severity,
    confidence: confidenceOf(solved, reason),
    members,
    affected: subjectsHit(root, members, workloads, world),
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
