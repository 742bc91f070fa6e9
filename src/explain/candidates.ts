import type { Finding } from '../model/finding.ts';
import { kindOf, type Ref } from '../model/ref.ts';
import { viewKindOf } from '../world/custom-resource.ts';
import type { PodView } from '../world/kinds/pod.ts';
import { isReady, readySince } from '../world/readiness.ts';
import type { World } from '../world/world.ts';
import { blamedEdit, type Edit } from './edits.ts';
import { familyOf } from './families.ts';
import { neededByAny } from './needs.ts';
import { requirements } from './requirements.ts';
import type { FindingPattern, Rule } from './rule.ts';
import { dnsOf, leaders } from './system.ts';
import { ownersOf, podsOf, podView } from './workload.ts';

/** The effect may start this long before its cause: detectors and controllers do not look at the same instant. */
export const leadMs = 60_000;
/** An effect that starts this long after its cause has ended is still its own, unless the row says otherwise. */
export const afterEndMs = 15 * 60_000;
/** Objects looked at per link of one finding. */
const fanOut = 32;
/** Pods of one Service looked at for what they have in common. */
const replicas = 4;

/** Pods of one Node looked at: kubelets take 110 by default, 250 at most in what clouds offer. */
const podsOfNode = 256;

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
  readonly rules: readonly Rule[];
  findings(ref: Ref): readonly Finding[];
  ended(ref: Ref): readonly Ended[];
  /** Changes blamed before, which the world may have forgotten since. */
  remembered(ref: Ref): readonly Edit[];
};

/** Whether a finding is of one of the kinds with one of the reasons. */
export function fits(pattern: FindingPattern, finding: Finding): boolean {
  return (
    pattern.kinds.includes(viewKindOf(finding.subject.ref)) &&
    (pattern.reasons === 'any' || pattern.reasons.includes(finding.reason))
  );
}

/** Rows of these join a finding to what is wrong with workloads, whatever that turns out to be: they name no cause. */
function isGrouping(via: Rule['via']): via is 'children' | 'workloads' {
  return via === 'children' || via === 'workloads';
}

/** Whether some row takes findings like this one for a cause, so that its end is worth remembering. */
export function canCause(finding: Finding, rules: readonly Rule[]): boolean {
  return rules.some(({ via, cause }) => !isGrouping(via) && cause.basis === 'finding' && fits(cause, finding));
}

/** The longest that an effect stays with a cause that has ended: the longer settle and 5 min. */
export const longestOutliveMs = 5 * 60_000 + 75_000;

/**
 * How long an effect stays with a cause that has ended: its own settle and 5 min (`50-incidents`: an unresolved symptom
 * that outlives its root becomes its own incident).
 */
export function outliveMs(effect: Finding): number {
  return effect.conclusive ? 5 * 60_000 + 15_000 : longestOutliveMs;
}

/**
 * The Nodes that the Pods of a workload which do not serve run on, or on which those ran that they replace. Pods that serve
 * again since it became short count as well: the workload's own status follows theirs a moment later.
 */
function nodesOfLost({ subject, since }: Finding, world: World): readonly Ref[] {
  const lost = podsOf(world, subject.ref, fanOut).filter((pod) => !isReady(pod) || readySince(pod) > since);
  const nodes = lost.flatMap(({ ref }) => [
    ...world.linked(ref, 'runs-on', 'out', 1),
    ...world.linked(ref, 'replaces', 'out', 1),
  ]);
  return [...new Set(nodes)];
}

/** The kubelet evicted the Pod. Some evicted Pods have no `status.reason`, hence the condition (KEP-3329). */
function isEvicted({ reason, conditions }: PodView): boolean {
  const disruption = conditions.find(({ type, status }) => type === 'DisruptionTarget' && status === 'True');
  return reason === 'Evicted' || disruption?.reason === 'TerminationByKubelet';
}

/** The Nodes whose kubelets evicted Pods of a workload, or of a Pod's owner: what was evicted stays as a failed Pod. */
function nodesOfEvicted({ subject }: Finding, world: World): readonly Ref[] {
  const owner = podView(world, subject.ref)?.owner ?? subject.ref;
  const evicted = podsOf(world, owner, fanOut).filter(isEvicted);
  return [...new Set(evicted.flatMap(({ ref }) => [...world.linked(ref, 'runs-on', 'out', 1)]))];
}

/**
 * The Secrets that the object of a finding, or what it names, uses, and those that the Pods mount which answer for it: a webhook is
 * served by the Pods of the Service that it calls.
 */
function certificatesOf({ subject, names }: Finding, world: World): ReadonlySet<Ref> {
  const secrets = new Set<Ref>();
  const add = (ref: Ref): void => {
    for (const used of world.linked(ref, 'uses', 'out', fanOut)) if (kindOf(used) === 'Secret') secrets.add(used);
  };
  for (const ref of [subject.ref, ...names]) {
    add(ref);
    const called = kindOf(ref) === 'Service' ? [ref] : world.linked(ref, 'calls', 'out', fanOut);
    for (const service of called) for (const pod of world.linked(service, 'selects', 'out', replicas)) add(pod);
  }
  return secrets;
}

/** The policies for the Pods behind the Services that the program of an effect names. */
function policiesOf(effect: Finding, world: World): readonly Ref[] {
  const policies = new Set<Ref>();
  for (const name of effect.names)
    if (kindOf(name) === 'Service')
      for (const pod of world.linked(name, 'selects', 'out', replicas))
        for (const by of world.linked(pod, 'selects', 'in', fanOut))
          if (kindOf(by) === 'NetworkPolicy') policies.add(by);
  return [...policies];
}

/** The agents of its Node's network that an effect names, and the Pods of these that run there. */
function agentsOf({ subject, names }: Finding, world: World): readonly Ref[] {
  const agents = names.filter((name) => kindOf(name) === 'DaemonSet');
  if (agents.length === 0) return [];
  const found = [...agents];
  for (const node of world.linked(subject.ref, 'runs-on', 'out', 1))
    for (const pod of world.linked(node, 'runs-on', 'in', podsOfNode)) {
      const owner = podView(world, pod)?.owner;
      if (owner !== undefined && agents.includes(owner)) found.push(pod);
    }
  return found;
}

/** The objects at the other end of a row's link. */
function reach(rule: Rule, effect: Finding, world: World): readonly Ref[] {
  const { ref } = effect.subject;
  if (isGrouping(rule.via)) return [];
  if (rule.via === 'names') return effect.names;
  if (rule.via === 'owners') return ownersOf(world, ref);
  if (rule.via === 'itself') return [ref];
  if (rule.via === 'nodes-of-lost') return nodesOfLost(effect, world);
  if (rule.via === 'nodes-of-evicted') return nodesOfEvicted(effect, world);
  if (rule.via === 'selected-by') {
    const selecting = world.linked(ref, kindOf(ref) === 'Pod' ? 'selects' : 'fronts', 'in', fanOut);
    return [...selecting].filter((by) => rule.cause.kinds.includes(kindOf(by)));
  }
  if (rule.via === 'called-workloads') {
    const services = [...world.linked(ref, 'calls', 'out', fanOut)];
    return services.flatMap((service) => [...world.linked(service, 'fronts', 'out', fanOut)]);
  }
  if (rule.via === 'said-policies') return policiesOf(effect, world);
  if (rule.via === 'certificates') return [...certificatesOf(effect, world)];
  if (rule.via === 'cluster-dns') return dnsOf(ref, world);
  if (rule.via === 'network-agents') return agentsOf(effect, world);
  if (rule.via === 'needed') return neededByAny(effect, world);
  if (rule.via === 'leaders') return leaders;
  if (rule.via === 'owned') return [...world.linked(ref, 'owned-by', 'in', fanOut)];
  return [...world.linked(ref, rule.via, 'out', fanOut)];
}

function byFinding(rule: Rule, effect: Finding, ref: Ref, look: Lookup, now: number): Candidate[] {
  const { cause } = rule;
  if (cause.basis !== 'finding') return [];
  const live = look.findings(ref).filter((finding) => fits(cause, finding));
  const candidates: Candidate[] = live.map((finding) => ({
    cause: { key: ref, ref, since: finding.since, finding },
    rule,
    effect,
  }));
  for (const { finding, at } of look.ended(ref)) {
    if (!fits(cause, finding) || live.some(({ reason }) => reason === finding.reason)) continue;
    const until = Math.max(at, effect.since) + outliveMs(effect);
    if (effect.since > at + afterEndMs || now >= until) continue;
    candidates.push({ cause: { key: ref, ref, since: finding.since, finding, endedAt: at }, rule, effect, until });
  }
  return candidates;
}

function byChange(rule: Rule, effect: Finding, ref: Ref, look: Lookup): Candidate[] {
  const { cause } = rule;
  if (cause.basis !== 'change') return [];
  const earliest = effect.since - (rule.withinSeconds ?? 1800) * 1000;
  const changes = [...look.world.changes(ref, earliest), ...look.remembered(ref)].filter(
    ({ at }) => at >= earliest && at <= effect.since + leadMs,
  );
  const change = blamedEdit(changes, effect, rule.fields);
  if (change === undefined) return [];
  return [{ cause: { key: `${ref}|change`, ref, since: change.at, change }, rule, effect }];
}

/** Time says no: the effect began too long before the cause, or too long after it. */
function inTime({ cause, rule, effect }: Candidate): boolean {
  if (rule.cause.basis === 'named') return true;
  if (effect.since < cause.since - leadMs) return false;
  return rule.withinSeconds === undefined || effect.since <= cause.since + rule.withinSeconds * 1000;
}

/**
 * The object failed by something of its own before the cause began: what follows from that (not ready, unknown) is not the
 * cause's, though it shows later.
 */
function failedBefore({ cause, effect }: Candidate, look: Lookup): boolean {
  if (familyOf(effect.reason) !== 'consequence') return false;
  return look
    .findings(effect.subject.ref)
    .some(({ reason, since }) => familyOf(reason) !== 'consequence' && since < cause.since - leadMs);
}

/**
 * Every row that could explain the finding, by an object that has a finding or change of its own or is named: being
 * reachable is never a cause. `walked` are all objects looked at, healthy ones too: when one changes, look again.
 */
export function candidatesFor(effect: Finding, look: Lookup, now: number): { found: Candidate[]; walked: Set<Ref> } {
  const found: Candidate[] = [];
  const walked = new Set<Ref>();
  // Several rows walk the same way.
  const reached = new Map<string, readonly Ref[]>();
  for (const rule of look.rules) {
    if (!fits(rule.effect, effect)) continue;
    const way = rule.via === 'selected-by' ? `${rule.via} ${rule.cause.kinds}` : rule.via;
    const refs = reached.get(way) ?? reach(rule, effect, look.world);
    reached.set(way, refs);
    for (const ref of refs) {
      walked.add(ref);
      if (!rule.cause.kinds.includes(viewKindOf(ref))) continue;
      const candidates =
        rule.cause.basis === 'named'
          ? [{ cause: { key: ref, ref, since: effect.since }, rule, effect }]
          : [...byFinding(rule, effect, ref, look, now), ...byChange(rule, effect, ref, look)];
      for (const candidate of candidates)
        if (
          inTime(candidate) &&
          !failedBefore(candidate, look) &&
          (rule.requires ?? []).every((name) => requirements[name](effect, look.world, candidate.cause))
        )
          found.push(candidate);
    }
  }
  return { found, walked };
}
