import type { BlamedChange, Explanation, ExplanationPart, Step } from '../../model/explanation.ts';
import type { Finding } from '../../model/finding.ts';
import { earliest } from '../../model/instants.ts';
import { describeRef, type Ref } from '../../model/ref.ts';
import { type Confidence, compareSeverity, confidences, type Severity, worse } from '../../model/severity.ts';
import { lastingSigns } from '../../model/sign-groups.ts';
import type { Subject } from '../../model/subject.ts';
import type { PlacedSign, World } from '../../world/view/world.ts';
import type { Cause } from '../candidates/candidates.ts';
import { blamedChange } from '../evidence/edits.ts';
import { compareReason, namingReason, seenOf, selfEvident } from '../evidence/families.ts';
import { isHistory } from '../evidence/outlive.ts';
import { compareRefs } from '../evidence/ref-order.ts';
import { saysOf, tellingSign } from '../evidence/says.ts';
import { isNobodysNumber } from '../evidence/unanswered.ts';
import { mounting } from '../evidence/workload.ts';
import { isSaidOfOthers, unavailable } from '../rules/reasons.ts';
import { isNeed } from '../rules/rule.ts';
import type { Scored } from '../scores/score.ts';
import { scorers } from '../scores/scorers.ts';
import { endsOtherwise, speaksOfOthers } from '../scores/testimony.ts';
import { awaitedUntil } from './awaited.ts';
import type { Group, Setting, Solved } from './group.ts';
import { proofOf } from './proof.ts';
import { runsOf } from './runs.ts';
import { samplePod } from './sample.ts';
import { healthOf, judgeImpact, lostNodeOf, withRoot } from './severity.ts';
import { inOrder, type Share, type Slice, slicesOf } from './shares.ts';
import { unreachableBy } from './unreachable.ts';

/** A mean score from here on is `high` (right at least 95 % of the time on the labelled scenarios). */
const sure = 0.8;

const round = (value: number): number => Math.round(value * 100) / 100;

/** The mean score over all findings of some pairs. */
function meanScore(pairs: readonly Scored[]): number {
  let [sum, count] = [0, 0];
  for (const { bundle, score } of pairs) {
    sum += score * bundle.members.length;
    count += bundle.members.length;
  }
  return count === 0 ? 0 : round(sum / count);
}

/** How many findings some pairs are of, and the means over these findings: of the score, and of what each scorer added. */
function meansOf(pairs: readonly Scored[]): {
  count: number;
  score: number;
  added: readonly (readonly [string, number])[];
} {
  let [sum, count] = [0, 0];
  const sums = new Map<string, number>();
  for (const { bundle, score, added } of pairs) {
    const { length } = bundle.members;
    sum += score * length;
    count += length;
    for (const name of Object.keys(added)) sums.set(name, (sums.get(name) ?? 0) + (added[name] ?? 0) * length);
  }
  const mean = (of: number): number => (count === 0 ? 0 : round(of / count));
  return { count, score: mean(sum), added: [...sums].map(([name, of]) => [name, mean(of)] as const) };
}

const isLasting = ({ kind }: PlacedSign): boolean => lastingSigns.includes(kind);

/** Scorers whose answer would be another one if the cause were. */
const evidence = scorers.flatMap((scorer) => (scorer.evidence ? [scorer.name] : []));

/**
 * Whether an edit has a rival: what the workload needs fails itself, and could explain the same. Old Pods that serve beside the new ones need it as
 * well, which clears it.
 */
function isRivalled({ change }: Cause, judged: readonly Scored[], others: readonly Scored[]): boolean {
  if (change === undefined || judged.some(({ added }) => (added.contrast ?? 0) > 0)) return false;
  return others.some(({ rule, cause }) => cause.finding !== undefined && isNeed(rule));
}

/** `high` wants a high score with evidence behind it; a change that the API only shows as possible is never enough. */
function confidenceOf({ cause, pairs, others }: Solved, reason: Finding['reason'], world: World): Confidence {
  if (cause === undefined) return selfEvident(reason);
  // Who fails for want of what an edit broke says nothing of the edit.
  const judged =
    cause.change === undefined ? pairs : pairs.filter(({ rule, cause: by }) => by === cause || !isNeed(rule));
  const score = meanScore(judged);
  const proven = judged.some(({ added }) => evidence.some((name) => (added[name] ?? 0) > 0));
  const bound = pairs.find(({ rule, cause: by }) => by.key === cause.key && rule.atMost !== undefined)?.rule.atMost;
  const isOfOthers = judged.some((pair) => pair.rule.via === 'owners' && speaksOfOthers(pair, world));
  const isOtherwise = judged.some((pair) => endsOtherwise(pair, world));
  // That a call failed, in words that nobody can read, may be of who called; an address by number may have been somebody's a moment ago.
  const isVague = cause.finding?.facts.sign === 'CallFailed' || isNobodysNumber(cause.ref);
  const isDoubtful = isOfOthers || isOtherwise || isVague || isRivalled(cause, judged, others);
  const isSure = score >= sure && proven && cause.change?.certain !== false && !isDoubtful;
  const joint: Confidence = isSure ? 'high' : 'likely';
  // That others fail for want of it tells nothing of why it fails itself.
  const isNeeded = cause.finding !== undefined && pairs.some(({ rule, cause: by }) => by === cause && isNeed(rule));
  const own = isNeeded ? selfEvident(reason) : joint;
  // Whoever wrote a signature or an alert may be wrong, and what they mean nobody sees.
  const written: Confidence = reason === 'OwnSignature' || reason === 'ExternalAlert' ? 'likely' : joint;
  return [joint, bound ?? joint, written].reduce(
    (a, b) => (confidences.indexOf(b) > confidences.indexOf(a) ? b : a),
    own,
  );
}

/** The trace: each row that was used with its mean score, what the scorers added, what else was considered. */
function traceOf({ root, cause, pairs, others }: Solved, impact: readonly string[]): Step[] {
  const steps: Step[] = [];
  if (cause === undefined)
    steps.push({ rule: 'lift', about: root, says: `nothing explains these findings, lifted to ${describeRef(root)}` });
  for (const [id, used] of Map.groupBy(pairs, ({ rule }) => rule.id)) {
    const { count, score, added } = meansOf(used);
    steps.push({ rule: id, about: root, says: `explains ${count} findings`, score });
    for (const [name, share] of added)
      steps.push({ rule: `${id}/${name}`, about: root, says: 'added to the prior', score: share });
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
  /** By workload. */
  readonly shares: readonly Share[];
};

function contentOf({ root, bundles, loose }: Group, { shares, owner }: Setting): Content {
  const slices = inOrder([...bundles, ...slicesOf(loose, owner)]);
  const [own, others]: [Finding[], Finding[]] = [[], []];
  const rootWorkload = owner(root);
  // Of other workloads no finding is looked at: there can be thousands.
  for (const { workload, members } of slices)
    if (workload !== rootWorkload) for (const finding of members) others.push(finding);
    else for (const finding of members) (finding.subject.ref === root ? own : others).push(finding);
  const byWorkload = [...slices].sort((a, b) => compareRefs(a.workload, b.workload));
  const all: Share[] = [];
  for (const some of runsOf(byWorkload, ({ workload }) => workload)) {
    const share = shares.of(some);
    if (share) all.push(share);
  }
  return { slices, members: own.concat(others), shares: all };
}

/** The share of each workload, when the root is something else. */
function partsOf(root: Ref, shares: readonly Share[]): ExplanationPart[] | undefined {
  return shares.length === 1 && shares[0]?.workload === root ? undefined : shares.map(({ part }) => part);
}

function subjectsHit(root: Ref, rootWorkload: Ref, shares: readonly Share[]): Subject[] {
  const hit: Subject[] = [];
  for (const { workload, subjects } of shares)
    for (const subject of workload === rootWorkload ? subjects.filter(({ ref }) => ref !== root) : subjects)
      hit.push(subject);
  for (const { workload, part, isItself, isUsed } of shares)
    if (!isItself && !isUsed && workload !== root) hit.push(part.root);
  return hit;
}

/** What they fail of themselves; where there is no such, what is said of others. */
function firstHandOf(members: readonly Finding[]): readonly Finding[] {
  const own = members.filter(({ reason }) => !isSaidOfOthers(reason));
  return own.length > 0 ? own : members;
}

/** The finding that names the root: the one that most effects were explained by, else the root's worst own. */
function rootReason(solved: Solved, { slices, members }: Content): Finding['reason'] | undefined {
  const { root, cause, pairs } = solved;
  if (cause === undefined) return namingReason(firstHandOf(members));
  const ofRoot = slices.flatMap(({ workload, members: own }) => (workload === root ? own : []));
  if (cause.change !== undefined) return namingReason(ofRoot.length > 0 ? ofRoot : firstHandOf(members));
  const votes = new Map<Finding['reason'], number>();
  for (const { cause: by, rule, bundle } of pairs) {
    // Whoever depends on a workload depends on whatever is wrong with it.
    const reason = by.ref === root && !isNeed(rule) ? by.finding?.reason : undefined;
    if (reason !== undefined) votes.set(reason, (votes.get(reason) ?? 0) + bundle.members.length);
  }
  const [most] = [...votes].sort((a, b) => b[1] - a[1] || compareReason(a[0], b[0]));
  if (most) return most[0];
  // It has no finding of its own: what it is named for.
  const direct = ofRoot.length > 0 ? [] : pairs.filter(({ cause: by }) => by.key === cause.key);
  if (direct.length > 0) return namingReason(direct.map(({ effect }) => effect));
  return namingReason(ofRoot.length > 0 ? ofRoot : members);
}

/** Makes the explanation of a solved group; `undefined` for an empty one. */
export function build(solved: Solved, setting: Setting): Explanation | undefined {
  const { root, cause } = solved;
  const { world } = setting;
  const content = contentOf(solved, setting);
  const { slices, members, shares } = content;
  const reason = rootReason(solved, content);
  if (reason === undefined) return undefined;
  if (cause?.endedAt !== undefined && isHistory(members, cause.endedAt, world)) return undefined;
  const hit = shares.filter(({ isUsed }) => !isUsed);
  // Before its Pods are late, a workload that lacks its claims is known by these.
  const workloads = hit.length > 0 ? hit.map(({ workload }) => workload) : mounting(world, members);
  const change = blamed(solved, reason);
  const released = change !== undefined && cause?.change?.certain === true;
  const worst = seenOf(shares.map(({ part }) => part)).reduce<Severity>((so, part) => worse(so, part.severity), 'low');
  const outage = members.some((member) => unavailable.includes(member.reason));
  const since = earliest(members.map((member) => member.since));
  // Of what else may have thousands of members nobody asks.
  const lasts =
    reason === 'CronJobFailing' &&
    (change !== undefined || members.some((member) => saysOf(member, world).some(isLasting)));
  const impact = withRoot({ root, reason, worst, outage, workloads: hit, released, lasts, since, world });
  const { severity, because } = judgeImpact(impact);
  const health = healthOf(impact);
  const down = health.filter(({ ready }) => ready === 0).map(({ ref }) => ref);
  const unreachable = unreachableBy(down, world, lostNodeOf(impact));
  const parts = partsOf(root, shares);
  const sample = samplePod(world, root, slices);
  const sign = tellingSign(members, sample, root, world);
  const awaits = awaitedUntil(cause, members, world);
  return {
    root: world.subject(root),
    reason,
    severity,
    confidence: confidenceOf(solved, reason, world),
    members,
    affected: subjectsHit(root, setting.owner(root), shares),
    ...(change === undefined ? {} : { change }),
    workloads,
    ...(health.length === 0 ? {} : { impact: health }),
    ...(unreachable.length === 0 ? {} : { unreachable }),
    ...(parts === undefined ? {} : { parts }),
    ...(sample === undefined ? {} : { samplePod: sample }),
    ...(sign === undefined ? {} : { sign }),
    ...(awaits === undefined ? {} : { awaits }),
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
