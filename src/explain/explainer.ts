import { isDeepStrictEqual } from 'node:util';
import type { Explanation } from '../model/explanation.ts';
import { type Finding, findingKey } from '../model/finding.ts';
import type { Ref } from '../model/ref.ts';
import type { Override } from '../model/settings.ts';
import type { World } from '../world/world.ts';
import { compareExplanations } from './build.ts';
import { type Candidate, canCause, candidatesFor, type Lookup } from './candidates.ts';
import { createMemory } from './memory.ts';
import { createPeers } from './peers.ts';
import type { Rule } from './rule.ts';
import { causalRules } from './rules.ts';
import { overridden } from './severity.ts';
import { solve } from './solve.ts';
import { workloadOf } from './workload.ts';

/** What the explainer reads of detection: the findings that hold now. */
export type FindingSource = {
  findings(ref: Ref): readonly Finding[];
  all(): Iterable<Finding>;
};

/** Every current explanation; unchanged ones are the same objects as the last time. */
export type Explained = {
  readonly explanations: readonly Explanation[];
  /** Epoch milliseconds: the next instant at which the answer could change by time alone. */
  readonly wakeAt?: number;
};

/** Findings to causes, incrementally: only connected parts with something new are solved again. */
export type Explainer = {
  /** `changed`: subjects whose findings changed and objects that changed. `now` in epoch milliseconds. */
  explain(changed: ReadonlySet<Ref>, now: number, overrides: readonly Override[]): Explained;
};

/** A finding with what connects it to others. */
type Entry = {
  readonly finding: Finding;
  readonly candidates: readonly Candidate[];
  /** Its object, its workload and its possible causes: findings that share one are solved together. */
  readonly anchors: ReadonlySet<Ref>;
  /** Everything looked at on the way, healthy objects too. */
  readonly walked: ReadonlySet<Ref>;
};

/** Refs to the keys of the entries that have to do with them. */
class Index {
  readonly #keys = new Map<Ref, Set<string>>();
  add(refs: Iterable<Ref>, key: string): void {
    for (const ref of refs) {
      const keys = this.#keys.get(ref);
      if (keys) keys.add(key);
      else this.#keys.set(ref, new Set([key]));
    }
  }
  remove(refs: Iterable<Ref>, key: string): void {
    for (const ref of refs) {
      const keys = this.#keys.get(ref);
      keys?.delete(key);
      if (keys?.size === 0) this.#keys.delete(ref);
    }
  }
  get(ref: Ref): Iterable<string> {
    return this.#keys.get(ref) ?? [];
  }
}

/** Makes an explainer over one world and the findings of its objects. Its first call looks at everything. */
export function createExplainer(world: World, source: FindingSource, rules: readonly Rule[] = causalRules): Explainer {
  const entries = new Map<string, Entry>();
  const bySubject = new Index();
  const byAnchor = new Index();
  const byWalked = new Index();
  /** The explanation that each finding is in, before overrides. */
  const explainedBy = new Map<string, Explanation>();
  let current = new Set<Explanation>();
  let shown: { from: Explanation; overrides: readonly Override[]; explanation: Explanation }[] = [];
  let started = false;

  const memory = createMemory((finding) => canCause(finding, rules));
  const findingsOf = (ref: Ref): readonly Finding[] => source.findings(ref);
  const look: Lookup = { world, rules, findings: findingsOf, ended: memory.ended, remembered: memory.remembered };

  function drop(key: string): void {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    bySubject.remove([entry.finding.subject.ref], key);
    byAnchor.remove(entry.anchors, key);
    byWalked.remove(entry.walked, key);
  }

  function put(finding: Finding, owner: (ref: Ref) => Ref, now: number): void {
    const key = findingKey(finding);
    drop(key);
    const { found, walked } = candidatesFor(finding, look, now);
    const { ref } = finding.subject;
    const anchors = new Set<Ref>([ref, owner(ref), ...found.map(({ cause }) => cause.ref)]);
    entries.set(key, { finding, candidates: found, anchors, walked });
    bySubject.add([ref], key);
    byAnchor.add(anchors, key);
    byWalked.add(walked, key);
  }

  /** Keys that have to be looked at again: of changed objects, of what was reached through them, of their workloads. */
  function touched(changed: ReadonlySet<Ref>, owner: (ref: Ref) => Ref, now: number): Set<string> {
    const keys = new Set<string>();
    for (const ref of changed) {
      for (const key of bySubject.get(ref)) keys.add(key);
      for (const key of byWalked.get(ref)) keys.add(key);
      for (const key of byAnchor.get(owner(ref))) keys.add(key);
      for (const finding of findingsOf(ref)) keys.add(findingKey(finding));
    }
    for (const [key, { candidates }] of entries)
      if (candidates.some(({ until }) => until !== undefined && until <= now)) keys.add(key);
    return keys;
  }

  /** Adds everything that shares an anchor or an explanation with one of the keys. */
  function connected(keys: Set<string>): void {
    const anchors = new Set<Ref>();
    const explanations = new Set<Explanation>();
    // A Set's iteration goes on over what is added meanwhile.
    for (const key of keys) {
      const explanation = explainedBy.get(key);
      if (explanation && !explanations.has(explanation)) {
        explanations.add(explanation);
        for (const member of explanation.members) keys.add(findingKey(member));
      }
      for (const anchor of entries.get(key)?.anchors ?? []) {
        if (anchors.has(anchor)) continue;
        anchors.add(anchor);
        for (const peer of byAnchor.get(anchor)) keys.add(peer);
      }
    }
  }

  function update(changed: ReadonlySet<Ref>, now: number): void {
    const owners = new Map<Ref, Ref>();
    const owner = (ref: Ref): Ref => {
      let top = owners.get(ref);
      if (top === undefined) {
        top = workloadOf(world, ref);
        owners.set(ref, top);
      }
      return top;
    };
    const keys = touched(changed, owner, now);
    if (keys.size === 0) return;
    const before = new Map([...keys].map((key) => [key, entries.get(key)]));
    const subjects = new Map<Ref, readonly Finding[]>();
    for (const entry of before.values())
      if (entry) subjects.set(entry.finding.subject.ref, findingsOf(entry.finding.subject.ref));
    for (const ref of changed) subjects.set(ref, findingsOf(ref));
    const holding = new Map([...subjects.values()].flat().map((finding) => [findingKey(finding), finding]));
    for (const finding of holding.values()) memory.holds(finding);
    for (const [key, entry] of before) if (entry && !holding.has(key)) memory.cleared(entry.finding, now);
    // Peers of what is gone or cut loose are solved again too, so follow the old anchors before the new ones.
    connected(keys);
    for (const key of before.keys()) if (!holding.has(key)) drop(key);
    for (const [key, finding] of holding) if (keys.has(key)) put(finding, owner, now);
    connected(keys);
    resolve(keys, owner);
  }

  function resolve(keys: ReadonlySet<string>, owner: (ref: Ref) => Ref): void {
    const part = [...keys].sort().flatMap((key) => entries.get(key) ?? []);
    const old = new Set([...keys].flatMap((key) => explainedBy.get(key) ?? []));
    const solved = solve(
      part.map(({ finding }) => finding),
      part.flatMap(({ candidates }) => candidates),
      world,
      createPeers(world, findingsOf),
      findingsOf,
      owner,
      rules,
    );
    for (const key of keys) explainedBy.delete(key);
    for (const explanation of old) current.delete(explanation);
    const byRoot = Map.groupBy(old, ({ root }) => root.ref);
    for (const fresh of solved) {
      const same = byRoot.get(fresh.root.ref)?.find((explanation) => isDeepStrictEqual(explanation, fresh)) ?? fresh;
      current.add(same);
      for (const member of same.members) explainedBy.set(findingKey(member), same);
    }
    current = new Set([...current].sort(compareExplanations));
    memory.keepBlamed(current);
  }

  function withOverrides(overrides: readonly Override[]): readonly Explanation[] {
    const known = new Map(shown.map((entry) => [entry.from, entry]));
    shown = [...current].map((from) => {
      const entry = known.get(from);
      if (entry && (entry.overrides === overrides || isDeepStrictEqual(entry.overrides, overrides))) return entry;
      const severity = overridden(from, overrides);
      return { from, overrides, explanation: severity === from.severity ? from : { ...from, severity } };
    });
    return shown.map(({ explanation }) => explanation);
  }

  return {
    explain(changed, now, overrides) {
      const dirty = started ? changed : new Set([...changed, ...[...source.all()].map(({ subject }) => subject.ref)]);
      started = true;
      memory.prune(now);
      update(dirty, now);
      const untils = [...entries.values()].flatMap(({ candidates }) => candidates.flatMap(({ until }) => until ?? []));
      const explanations = withOverrides(overrides);
      return untils.length === 0 ? { explanations } : { explanations, wakeAt: Math.min(...untils) };
    },
  };
}
