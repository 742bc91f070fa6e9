import { Faults } from '../model/faults.ts';
import { type Finding, findingKey } from '../model/finding.ts';
import { kindOf, type Ref } from '../model/ref.ts';
import { workloadsBehind } from './candidates/behind.ts';
import { bundleKey, type Entry } from './candidates/bundle.ts';
import type { Bundles } from './candidates/bundles.ts';
import { candidatesFor, type Lookup, outgrown, undone } from './candidates/candidates.ts';
import { Index } from './candidates/key-index.ts';
import { isEmpty } from './evidence/needs.ts';
import { isNeed } from './rules/rule.ts';
import { sentenceOf } from './solve/same-words.ts';

/** All findings that hold, each with what could explain it, and who has to be looked at again when an object changes. */
export class Entries {
  readonly #look: Lookup;
  readonly #bundles: Bundles;
  readonly #faults: Faults;
  readonly #entries = new Map<string, Entry>();
  readonly #bySubject = new Index();
  readonly #byWalked = new Index();
  readonly #byWorkload = new Index();
  /** Those that were judged by the Pods of their workload. */
  readonly #byPods = new Index();
  /** Keys of entries with a cause that has ended: time alone takes it from them. */
  readonly #waning = new Set<string>();
  /** What was last seen of objects that were walked to, as far as it makes them causes. */
  readonly #seen = new Map<Ref, string>();

  /** `faults`: where a finding whose causes cannot be looked for is set aside */
  constructor(look: Lookup, bundles: Bundles, faults = new Faults()) {
    this.#look = look;
    this.#bundles = bundles;
    this.#faults = faults;
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  /** The instant (epoch milliseconds) at which the next ended cause lets go of an effect. */
  wakeAt(): number | undefined {
    let next: number | undefined;
    for (const key of this.#waning)
      for (const { until } of this.#entries.get(key)?.candidates ?? [])
        if (until !== undefined && until < (next ?? Number.POSITIVE_INFINITY)) next = until;
    return next;
  }

  /**
   * Keys of findings to look at again: those of changed objects, of what was reached through them, of their workloads.
   * `owner` gives the workload of an object.
   */
  touched(changed: ReadonlySet<Ref>, owner: (ref: Ref) => Ref, now: number): Set<string> {
    const keys = new Set<string>();
    const addAll = (others: Iterable<string>): void => {
      for (const key of others) keys.add(key);
    };
    for (const ref of changed) {
      const isPod = kindOf(ref) === 'Pod';
      const workloads = new Set([owner(ref)]);
      for (const key of this.#bySubject.get(ref)) {
        keys.add(key);
        const known = this.#entries.get(key)?.workload;
        if (known !== undefined) workloads.add(known);
      }
      for (const finding of this.#look.findings(ref)) keys.add(findingKey(finding));
      if (this.#changedAsCause(ref)) addAll(this.#byWalked.get(ref));
      for (const workload of workloads) addAll((isPod ? this.#byPods : this.#byWorkload).get(workload));
    }
    for (const key of this.#waning)
      if (this.#entries.get(key)?.candidates.some(({ until }) => until !== undefined && until <= now)) keys.add(key);
    return keys;
  }

  /** Whether an object that was walked to is another cause than before; what else its findings say matters to nobody here. */
  #changedAsCause(ref: Ref): boolean {
    if (!this.#byWalked.has(ref)) {
      this.#seen.delete(ref);
      return false;
    }
    const before = this.#seen.get(ref);
    const now = this.#asCause(ref);
    this.#seen.set(ref, now);
    return before !== now;
  }

  #asCause(ref: Ref): string {
    const { findings, world } = this.#look;
    const reasons = findings(ref).map(({ reason, since }) => `${reason}@${since}`);
    const edits = world.changes(ref, 0).map(({ field, at }) => `${field}@${at}`);
    const empty = kindOf(ref) === 'Service' && isEmpty(ref, world) ? ['empty'] : [];
    return [...reasons.sort(), ...edits, ...empty].join();
  }

  drop(key: string): void {
    this.#replace(key, undefined);
  }

  /** Takes an entry out of all indexes; out of its bundle only if another does not take its place there. */
  #replace(key: string, next: Entry | undefined): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    const { finding, workload, walked } = entry;
    this.#entries.delete(key);
    this.#waning.delete(key);
    this.#bySubject.remove([finding.subject.ref], key);
    this.#byWalked.remove(walked, key);
    this.#byWorkload.remove([workload], key);
    this.#byPods.remove([workload], key);
    if (entry.bundle !== next?.bundle) this.#bundles.remove(entry);
  }

  /** Looks for what could explain a finding. Returns the key of its bundle. */
  put(finding: Finding, owner: (ref: Ref) => Ref, now: number): string {
    const key = findingKey(finding);
    const { candidates, walked, behind } = this.#explained(finding, this.#entries.get(key)?.candidates ?? [], now);
    const { ref } = finding.subject;
    const workload = owner(ref);
    const { world } = this.#look;
    const isSeen = world.get(ref) !== 'unknown';
    const known = { finding, workload, candidates, behind, sentence: sentenceOf(finding, world), isSeen };
    const bundle = bundleKey(known);
    const needs = candidates.flatMap(({ rule, cause }) => (isNeed(rule) ? owner(cause.ref) : []));
    const entry: Entry = { ...known, needs: new Set(needs), walked, bundle };
    this.#replace(key, entry);
    this.#entries.set(key, entry);
    if (candidates.some(({ until }) => until !== undefined)) this.#waning.add(key);
    this.#bySubject.add([ref], key);
    this.#byWalked.add(walked, key);
    this.#byWorkload.add([workload], key);
    if (this.#looksAtPods(finding, workload)) this.#byPods.add([workload], key);
    for (const other of walked) if (!this.#seen.has(other)) this.#seen.set(other, this.#asCause(other));
    this.#bundles.add(entry);
    return bundle;
  }

  /** What could explain a finding; nothing where that cannot be looked for. */
  #explained(
    finding: Finding,
    before: Entry['candidates'],
    now: number,
  ): Pick<Entry, 'candidates' | 'walked' | 'behind'> {
    const { ref: about } = finding.subject;
    const by = finding.reason;
    try {
      const { found, walked } = candidatesFor(finding, this.#look, now);
      const over = [...undone(before, walked, this.#look, now), ...outgrown(before, found, this.#look, now)];
      const candidates = [...found, ...over];
      const behind = workloadsBehind(finding, this.#look.world, this.#look.rules);
      this.#faults.passed('explain', about, by);
      return { candidates, walked, behind };
    } catch (error) {
      this.#faults.note({ step: 'explain', about, by, error });
      return { candidates: [], walked: new Set(), behind: [] };
    }
  }

  /** Whether other Pods of its workload decide what could explain a finding: a DaemonSet's newest template shows in them. */
  #looksAtPods(finding: Finding, workload: Ref): boolean {
    if (kindOf(finding.subject.ref) !== 'Pod' || kindOf(workload) === 'DaemonSet') return true;
    return this.#look.rules.of(finding).looksAtPods;
  }
}
