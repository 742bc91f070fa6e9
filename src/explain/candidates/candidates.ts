import type { Finding } from '../../model/finding.ts';
import { kindOf, type Ref } from '../../model/ref.ts';
import { viewKindOf } from '../../world/reading/custom-resource.ts';
import { aftermathMs, clocksMs, leadMs } from '../../world/view/bounds.ts';
import type { World } from '../../world/view/world.ts';
import { blamedEdit, type Edit } from '../evidence/edits.ts';
import { familyOf } from '../evidence/families.ts';
import { endSeenMs, heldUntil } from '../evidence/outlive.ts';
import { ends, saysOf } from '../evidence/says.ts';
import { lacksWhatWasTaken } from '../evidence/taken.ts';
import { holds } from '../requirements/requirements.ts';
import { askedPods } from '../rules/by-pods.ts';
import { isOfKind, type Rule, type Strength, withinMs } from '../rules/rule.ts';
import { causes, type RuleTable } from '../rules/rule-table.ts';
import { reach } from './reach.ts';
import { canHaveRead } from './started-since.ts';

/** Objects whose end is not the end of what follows from it. */
const machines: ReadonlySet<string> = new Set(['Node', 'NodePool', 'NodeGroup', 'Zone']);

/** A finding that has cleared lately: its second wave (evictions, forced detach) is still its own. */
export type Ended = { readonly finding: Finding; readonly at: number };

/** Why an object can be a cause. `since`: when it began, epoch milliseconds. */
export type Cause = {
  /** Identity: one object is one cause by its findings and by being named, and another by its change. */
  readonly key: string;
  readonly ref: Ref;
  readonly since: number;
  readonly finding?: Finding;
  readonly endedAt?: number;
  readonly change?: Edit;
};

/** A row that could explain an effect by a cause. */
export type Candidate = {
  readonly cause: Cause;
  readonly rule: Rule;
  readonly effect: Finding;
  /** Epoch milliseconds after which an ended cause does not hold this effect any more. */
  readonly until?: number;
};

/** What finding candidates needs besides the world. */
export type Lookup = {
  readonly world: World;
  readonly rules: RuleTable;
  findings(ref: Ref): readonly Finding[];
  ended(ref: Ref): readonly Ended[];
  /** Changes blamed before, which the world may have forgotten since. */
  remembered(ref: Ref): readonly Edit[];
};

/**
 * How long after a cause has ended an effect may begin (ms). Of what says no more than that it does not serve there is no proof that it is a
 * second wave: it is taken for the cause's as long as that goes on.
 */
const lastsMs = ({ lastResort }: Rule, cause: Ref): number =>
  machines.has(kindOf(cause)) && !lastResort ? aftermathMs : endSeenMs;

function byFinding(rule: Rule, effect: Finding, ref: Ref, look: Lookup, now: number): Candidate[] {
  const { cause } = rule;
  if (cause.basis !== 'finding') return [];
  const live = look.findings(ref).filter((finding) => causes(cause, finding));
  const candidates: Candidate[] = live.map((finding) => ({
    cause: { key: ref, ref, since: finding.since, finding },
    rule,
    effect,
  }));
  for (const { finding, at } of look.ended(ref)) {
    if (!causes(cause, finding) || live.some(({ reason }) => reason === finding.reason)) continue;
    const until = heldUntil(effect, at, look.world);
    if (effect.since > at + lastsMs(rule, ref) || now >= until) continue;
    candidates.push({ cause: { key: ref, ref, since: finding.since, finding, endedAt: at }, rule, effect, until });
  }
  return candidates;
}

/** So many edits before it that are remembered make an edit of data one of many: of an object that somebody writes again and again. */
const usualEdits = 3;
function isUsual({ field, at }: Edit, edits: readonly Edit[]): boolean {
  // What was blamed before is remembered twice.
  const before = new Set(edits.flatMap((edit) => (edit.field === field && edit.at < at ? [edit.at] : [])));
  return field === 'data' && before.size >= usualEdits;
}

/** `edits`: those of the object that are remembered. */
function byChange(rule: Rule, effect: Finding, ref: Ref, edits: readonly Edit[], look: Lookup): Candidate[] {
  const earliest = effect.since - (withinMs(rule) ?? 0);
  const all = edits.filter(({ at }) => at >= earliest && at <= effect.since + clocksMs);
  const read = all.filter(({ at }) => canHaveRead(effect, rule, at, look.world));
  const changes = read.length > 0 ? read : all;
  if (changes.length === 0) return [];
  const isTaken = lacksWhatWasTaken(effect, look.world);
  const telling = rule.requires?.tookAway ? changes.filter(isTaken) : changes;
  const change = blamedEdit(telling, effect, rule.fields, isTaken);
  if (change === undefined || isUsual(change, edits)) return [];
  return [{ cause: { key: `${ref}|change`, ref, since: change.at, change }, rule, effect }];
}

/** Time says no: the effect began too long before the cause, or too long after it. */
function inTime({ cause, rule, effect }: Candidate): boolean {
  if (rule.cause.basis === 'named') return true;
  if (effect.since < cause.since - leadMs) return false;
  return effect.since <= cause.since + (withinMs(rule) ?? Number.POSITIVE_INFINITY);
}

/** The object failed by something of its own before the cause began, or its program has ended: that it is not ready, or unknown, follows from that. */
function followsItsOwn({ cause, effect }: Candidate, { findings }: Lookup): boolean {
  const isConsequence = ({ reason }: Finding): boolean => familyOf(reason) === 'consequence';
  const isBehind = (own: Finding): boolean => own.since < cause.since - leadMs || ends.has(own.reason);
  return isConsequence(effect) && findings(effect.subject.ref).some((own) => !isConsequence(own) && isBehind(own));
}

/** What one look for candidates has in common; several rows ask for the edits of the same object. */
type Look = { readonly look: Lookup; readonly now: number; readonly edits: Map<Ref, readonly Edit[]> };
/** The same, with all objects that were looked at. */
type Walk = Look & { readonly walked: Set<Ref> };

/** Kinds of which not every one is an object that is watched: of Secrets only certificates are, and a driver need not have registered itself. */
const heldInPart: ReadonlySet<string> = new Set(['Secret', 'CSIDriver']);

/** What an object is a cause by, by one row. */
function byRule(rule: Rule, effect: Finding, ref: Ref, { look, now, edits }: Look): readonly Candidate[] {
  const { cause } = rule;
  if (cause.basis === 'named') {
    const view = look.world.get(ref);
    const isSo = cause.isMissing ? typeof view !== 'object' : view !== 'absent' || heldInPart.has(kindOf(ref));
    return isSo ? [{ cause: { key: ref, ref, since: effect.since }, rule, effect }] : [];
  }
  if (cause.basis === 'finding') return byFinding(rule, effect, ref, look, now);
  const known = edits.get(ref) ?? [...look.world.changes(ref, 0), ...look.remembered(ref)];
  edits.set(ref, known);
  return byChange(rule, effect, ref, known, look);
}

/** A Node that was lost with its zone or pool is no cause besides that: it has come back with it, and tells nothing of why. */
function withoutNodesOfPlaces(found: Candidate[]): Candidate[] {
  const isNode = ({ cause }: Candidate): boolean => kindOf(cause.ref) === 'Node';
  if (!found.some((one) => one.rule.via === 'places' && !isNode(one))) return found;
  return found.filter((one) => one.cause.endedAt === undefined || !isNode(one));
}

/**
 * Every row that could explain the finding, by an object that has a finding or change of its own or is named: being
 * reachable is never a cause. `walked` are all objects looked at, healthy ones too: when one changes, look again.
 */
export function candidatesFor(effect: Finding, look: Lookup, now: number): { found: Candidate[]; walked: Set<Ref> } {
  const walk = { look, now, edits: new Map<Ref, readonly Edit[]>(), walked: new Set<Ref>() };
  const { explaining, byPods } = look.rules.of(effect);
  const found = candidatesBy(explaining, effect, walk);
  for (const { effect: ofPod, prospects } of byPods.length > 0 ? askedPods(effect, look.world) : []) {
    const rows = byPods.filter(
      ({ effect: { reasons } }) => reasons === 'any' || prospects.some((one) => reasons.includes(one)),
    );
    for (const candidate of candidatesBy(rows, ofPod, walk)) found.push({ ...candidate, effect });
  }
  return { found: withoutNodesOfPlaces(found), walked: walk.walked };
}

/** The labels of an edit, `a=b,c=d`, that match. */
const labelsOf = (labels: string | undefined, which: RegExp): string =>
  (labels ?? '')
    .split(',')
    .filter((label) => which.test(label))
    .join();

/** Whether what a row asks of a pair holds: what is said, what was edited, and what else must be so. */
function isShown({ rule, effect, cause }: Candidate, world: World): boolean {
  const { says, isSaid, signs = [], labels, requires = {} } = rule;
  if (labels && labelsOf(cause.change?.from, labels) === labelsOf(cause.change?.to, labels)) return false;
  if (isSaid && !saysOf(effect, world).some(({ kind }) => signs.includes(kind))) return false;
  if (says && ![effect.detail ?? '', ...saysOf(effect, world).map(({ line }) => line)].some((text) => says.test(text)))
    return false;
  return holds(requires, effect, world, cause);
}

/** From the least sure. */
const strengths: readonly Strength[] = ['weak', 'usual', 'strong', 'stated'];

/** Who is named and has trouble of its own is a cause by that: by a row that is no surer, who is named and well says nothing more. */
function withoutMereNames(found: readonly Candidate[]): Candidate[] {
  const sureness = ({ rule }: Candidate): number => strengths.indexOf(rule.strength);
  const troubled = found.filter(({ cause, rule }) => cause.finding !== undefined && rule.workloads === undefined);
  const surest = Math.max(...troubled.map(sureness));
  return found.filter((one) => one.rule.cause.basis !== 'named' || sureness(one) > surest);
}

/** The candidates by some rows. */
function candidatesBy(rules: readonly Rule[], effect: Finding, { walked, ...look }: Walk): Candidate[] {
  const { world } = look.look;
  const found: Candidate[] = [];
  // Several rows walk the same way.
  const reached = new Map<Rule['via'], readonly Ref[]>();
  for (const rule of rules) {
    const refs = reached.get(rule.via) ?? reach(rule, effect, world);
    reached.set(rule.via, refs);
    for (const ref of refs) {
      walked.add(ref);
      if (!isOfKind(rule.cause, viewKindOf(ref))) continue;
      for (const candidate of byRule(rule, effect, ref, look))
        if (inTime(candidate) && !followsItsOwn(candidate, look.look) && isShown(candidate, world))
          found.push(candidate);
    }
  }
  return found.length < 2 ? found : withoutMereNames(found);
}

/**
 * Candidates of before whose edit was blamed and has been undone: the object is deleted, or leads to the effect no more. They hold for a
 * while yet, as any cause that has ended; who waits in a back-off is not the next to blame.
 */
export function undone(before: readonly Candidate[], walked: ReadonlySet<Ref>, look: Lookup, now: number): Candidate[] {
  return before.flatMap((candidate): Candidate[] => {
    const { cause, effect } = candidate;
    const { change, endedAt = now } = cause;
    if (change === undefined || walked.has(cause.ref)) return [];
    if (!look.remembered(cause.ref).some(({ at }) => at === change.at)) return [];
    const until = heldUntil(effect, endedAt, look.world);
    return now < until ? [{ ...candidate, cause: { ...cause, endedAt }, until }] : [];
  });
}

/**
 * Candidates of before that nothing leads to any more and whose cause holds yet, or has just ended: a workload is short for a while after its Pods
 * have what they waited for, as its status follows theirs. Of what says no more than that it is short, there is nothing else to go by.
 */
export function outgrown(
  before: readonly Candidate[],
  found: readonly Candidate[],
  look: Lookup,
  now: number,
): Candidate[] {
  const keyOf = ({ rule, cause }: Candidate): string => `${rule.id} ${cause.ref}`;
  const still = new Set(found.map(keyOf));
  return before.flatMap((candidate): Candidate[] => {
    const { cause, effect, rule } = candidate;
    if (!rule.lastResort || cause.finding === undefined || still.has(keyOf(candidate))) return [];
    const { reason } = cause.finding;
    const isLive = look.findings(cause.ref).some((finding) => finding.reason === reason);
    const endedAt = isLive ? now : look.ended(cause.ref).find(({ finding }) => finding.reason === reason)?.at;
    if (endedAt === undefined) return [];
    const until = heldUntil(effect, endedAt, look.world);
    if (now >= until) return [];
    return [{ ...candidate, cause: isLive ? cause : { ...cause, endedAt }, until }];
  });
}
