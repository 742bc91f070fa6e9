import { isDeepStrictEqual } from 'node:util';
import type { Explanation } from '../model/explanation.ts';
import { Faults } from '../model/faults.ts';
import { type Finding, findingKey } from '../model/finding.ts';
import { type Memory, recallOfObjects } from '../model/memory.ts';
import { kindOf, type Ref, refOf } from '../model/ref.ts';
import type { Override } from '../model/settings.ts';
import { siblingsAsked } from '../world/view/bounds.ts';
import type { World } from '../world/view/world.ts';
import { Bundles } from './candidates/bundles.ts';
import { areEnded, CauseMemory } from './candidates/memory.ts';
import type { Part } from './candidates/parts.ts';
import { Peers } from './candidates/peers.ts';
import { unexplained } from './candidates/unexplained.ts';
import { Entries } from './entries.ts';
import { ownersOf, workloadOf } from './evidence/workload.ts';
import type { Rule } from './rules/rule.ts';
import { RuleTable } from './rules/rule-table.ts';
import { causalRules } from './rules/rules.ts';
import { compareExplanations } from './solve/build.ts';
import type { Setting } from './solve/group.ts';
import { overridden } from './solve/severity.ts';
import { Shares } from './solve/shares.ts';
import { solve } from './solve/solve.ts';

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

/**
 * Findings to causes, incrementally: only connected parts with something new are solved again, and of those only what has
 * changed is looked at again. Its first call looks at everything.
 */
export class Explainer {
  readonly #world: World;
  readonly #source: FindingSource;
  readonly #rules: RuleTable;
  readonly #memory: CauseMemory;
  readonly #bundles = new Bundles();
  readonly #entries: Entries;
  readonly #peers: Peers;
  readonly #shares: Shares;
  readonly #faults: Faults;
  /** Before overrides. */
  #current: readonly Explanation[] = [];
  /** The Nodes on which something fails: it may wait for what stands unready beside it there (`awaited.ts`). */
  #failing: ReadonlySet<Ref> = new Set();
  #shown: readonly Shown[] = [];
  #started = false;
  /** Of before a restart, until they are looked at first. */
  #restored: readonly Explanation[] = [];

  /** `faults`: where what cannot be explained is set aside */
  constructor(
    world: World,
    source: FindingSource,
    { rules = causalRules, faults = new Faults() }: { readonly rules?: readonly Rule[]; readonly faults?: Faults } = {},
  ) {
    this.#faults = faults;
    this.#world = world;
    this.#source = source;
    this.#rules = new RuleTable(rules);
    this.#memory = new CauseMemory((finding) => this.#rules.of(finding).canCause);
    const { ended, remembered } = this.#memory;
    const findings = (ref: Ref): readonly Finding[] => source.findings(ref);
    this.#entries = new Entries({ world, rules: this.#rules, findings, ended, remembered }, this.#bundles, faults);
    this.#peers = new Peers(world, findings);
    this.#shares = new Shares(world);
  }

  /**
   * Goes on from explanations of before a restart: edits that they blame are remembered, which the world has forgotten, and what
   * does not hold any more when they are looked at first has just ended. `memory`: the causes that had ended before.
   */
  restore(explanations: readonly Explanation[], memory: Memory): void {
    this.#memory.noted.restore(recallOfObjects(memory, 'ended', areEnded));
    this.#memory.keepBlamed(explanations);
    this.#restored = explanations;
  }

  /** Causes that have ended lately, by object, where they are others than at the last call; `undefined`: none any more. */
  takeEnded(): Iterable<readonly [Ref, unknown]> {
    return this.#memory.noted.takeChanges();
  }

  /** `changed`: subjects whose findings changed and objects that changed. `now` in epoch milliseconds. */
  explain(changed: ReadonlySet<Ref>, now: number, overrides: readonly Override[]): Explained {
    const dirty = new Set(changed);
    this.#memory.prune(now);
    if (!this.#started) this.#start(dirty, now);
    this.#started = true;
    this.#update(dirty, now);
    this.#shown = shownBy(this.#current, overrides, this.#shown);
    const wakeAt = this.#entries.wakeAt();
    const explanations = this.#shown.map(({ explanation }) => explanation);
    return { explanations, ...(wakeAt === undefined ? {} : { wakeAt }) };
  }

  /** Everything that holds is new, and what held before a restart and does not now has ended. */
  #start(dirty: Set<Ref>, now: number): void {
    const holding = new Set<string>();
    for (const finding of this.#source.all()) {
      dirty.add(finding.subject.ref);
      holding.add(findingKey(finding));
    }
    for (const { members } of this.#restored)
      for (const finding of members) if (!holding.has(findingKey(finding))) this.#memory.cleared(finding, now);
    this.#restored = [];
  }

  #update(changed: ReadonlySet<Ref>, now: number): void {
    const owner = memoized((ref: Ref) => workloadOf(this.#world, ref));
    for (const ref of changed) for (const other of [ref, ...ownersOf(this.#world, ref)]) this.#peers.forget(other);
    const parts = this.#concerned(changed, owner);
    const touched = this.#entries.touched(changed, owner, now);
    if (touched.size === 0 && parts.size === 0) return;
    const holding = this.#holding(touched, changed);
    for (const finding of holding.values()) this.#memory.holds(finding);
    const concern = (bundle: string): void => {
      const part = this.#bundles.partOf(bundle);
      if (part) parts.add(part);
    };
    for (const key of touched) {
      const entry = this.#entries.get(key);
      if (entry === undefined) continue;
      concern(entry.bundle);
      this.#peers.forget(entry.workload);
      if (!holding.has(key)) this.#memory.cleared(entry.finding, now);
    }
    // What is gone or cut loose leaves peers behind: the parts as they were are solved again, and those that something joins.
    for (const key of touched) {
      const finding = holding.get(key);
      if (finding === undefined) this.#entries.drop(key);
      else concern(this.#entries.put(finding, owner, now));
    }
    this.#solve(parts, owner);
  }

  /**
   * The parts that are weighed differently, although none of their findings has changed: a Pod that is ready now changes
   * how bad it is for its workload, and a Node that fails is no contrast any more for the workloads on it.
   */
  #concerned(changed: ReadonlySet<Ref>, owner: (ref: Ref) => Ref): Set<Part> {
    const parts = new Set<Part>();
    const workloads = new Set<Ref>();
    for (const ref of changed) {
      workloads.add(owner(ref));
      for (const node of this.#nodesAt(ref))
        for (const pod of this.#world.linked(node, 'runs-on', 'in')) workloads.add(owner(pod));
    }
    for (const workload of workloads) {
      const part = this.#bundles.partAt(workload);
      if (part) parts.add(part);
    }
    return parts;
  }

  /** The Nodes of which all Pods are weighed differently when an object changes; of a Pod that is gone nobody knows where it was. */
  #nodesAt(ref: Ref): Iterable<Ref> {
    if (kindOf(ref) === 'Node') return [ref];
    if (kindOf(ref) !== 'Pod' || this.#failing.size === 0) return [];
    if (this.#world.get(ref) === 'absent') return this.#failing;
    return Iterator.from(this.#world.linked(ref, 'runs-on', 'out', 1)).filter((node) => this.#failing.has(node));
  }

  /** The findings that hold now, of those touched. */
  #holding(touched: ReadonlySet<string>, changed: ReadonlySet<Ref>): Map<string, Finding> {
    const subjects = new Set(changed);
    for (const key of touched) {
      const entry = this.#entries.get(key);
      if (entry) subjects.add(entry.finding.subject.ref);
    }
    const holding = new Map<string, Finding>();
    for (const ref of subjects)
      for (const finding of this.#source.findings(ref)) {
        const key = findingKey(finding);
        if (touched.has(key)) holding.set(key, finding);
      }
    return holding;
  }

  #solve(parts: ReadonlySet<Part>, owner: (ref: Ref) => Ref): void {
    const before = new Set<Explanation>();
    for (const { explanations } of parts) for (const explanation of explanations) before.add(explanation);
    const byRoot = Map.groupBy(before, ({ root }) => root.ref);
    const setting: Setting = {
      ...{ world: this.#world, rules: this.#rules, peers: this.#peers, shares: this.#shares, owner },
      findings: (ref) => this.#source.findings(ref),
      bundleOf: (finding) => {
        const entry = this.#entries.get(findingKey(finding));
        return entry && this.#bundles.get(entry.bundle);
      },
    };
    const current = this.#current.filter((explanation) => !before.has(explanation));
    for (const part of [...parts].flatMap((whole) => this.#bundles.parts.split(whole))) {
      part.explanations = this.#explanationsOf(part, setting, before).map(
        (fresh) => byRoot.get(fresh.root.ref)?.find((known) => isSame(known, fresh)) ?? fresh,
      );
      for (const explanation of part.explanations) current.push(explanation);
    }
    this.#current = current.sort(compareExplanations);
    this.#failing = nodesOf(this.#current);
    this.#memory.keepBlamed(this.#current);
  }

  /** The causes of one part; where they cannot be looked for, what is found is told all the same. `before`: what was known so far. */
  #explanationsOf(part: Part, setting: Setting, before: Iterable<Explanation>): Explanation[] {
    const bundles = part.bundles();
    const about = bundles.reduce<Ref | undefined>(
      (least, { workload }) => (least === undefined || workload < least ? workload : least),
      undefined,
    );
    if (about === undefined) return solve(bundles, setting);
    try {
      const solved = solve(bundles, setting);
      this.#faults.passed('explain', about);
      return solved;
    } catch (error) {
      this.#faults.note({ step: 'explain', about, by: '', error });
      return unexplained(bundles, before);
    }
  }
}

/** The Nodes of the first findings of explanations, which are asked what they wait for. */
function nodesOf(explanations: readonly Explanation[]): ReadonlySet<Ref> {
  const first = explanations.flatMap(({ members }) => members.slice(0, siblingsAsked));
  return new Set(first.flatMap(({ subject: { node } }) => (node === undefined ? [] : refOf('Node', '', node))));
}

/** Whether two explanations say the same. Where they do not, it shows in a share as a rule, and most of these are the same objects. */
function isSame(a: Explanation, b: Explanation): boolean {
  const others = b.parts ?? [];
  const parts = a.parts ?? [];
  return (
    a.members.length === b.members.length &&
    parts.length === others.length &&
    parts.every((part, index) => part === others[index] || isDeepStrictEqual(part, others[index])) &&
    isDeepStrictEqual(a, b)
  );
}

/** An explanation as overrides make it. */
type Shown = {
  readonly from: Explanation;
  readonly overrides: readonly Override[];
  readonly explanation: Explanation;
};

/** What was shown before and has not changed stays the same object. */
function shownBy(current: readonly Explanation[], overrides: readonly Override[], before: readonly Shown[]): Shown[] {
  const known = new Map(before.map((shown) => [shown.from, shown]));
  return current.map((from) => {
    const shown = known.get(from);
    if (shown && (shown.overrides === overrides || isDeepStrictEqual(shown.overrides, overrides))) return shown;
    const severity = overridden(from, overrides);
    return { from, overrides, explanation: severity === from.severity ? from : { ...from, severity } };
  });
}

function memoized<T>(reckon: (ref: Ref) => T): (ref: Ref) => T {
  const known = new Map<Ref, T>();
  return (ref) => {
    const value = known.get(ref) ?? reckon(ref);
    known.set(ref, value);
    return value;
  };
}
