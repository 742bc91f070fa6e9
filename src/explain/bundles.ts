import { type Finding, findingKey } from '../model/finding.ts';
import { kindOf, type Ref } from '../model/ref.ts';
import type { Candidate } from './candidates.ts';
import { Index } from './key-index.ts';

/** A finding with what could explain it. */
export type Entry = {
  readonly finding: Finding;
  readonly workload: Ref;
  readonly candidates: readonly Candidate[];
  /** Everything looked at on the way, healthy objects too. */
  readonly walked: ReadonlySet<Ref>;
  /** Whether its object is in sight. */
  readonly isSeen: boolean;
  /** The bundle it belongs to. */
  readonly bundle: string;
};

/**
 * Findings of Pods of one workload with the same reason and the same possible causes: they are weighed as one, so that the
 * cost of a solve is that of its workloads, however many Pods these have. What is not of a Pod is a bundle of its own.
 */
export type Bundle = {
  readonly key: string;
  readonly workload: Ref;
  /** By their keys; never empty. */
  readonly members: readonly Finding[];
  /** The one that began first speaks for all. */
  readonly first: Finding;
  /** What could explain the first, and with it the others. */
  readonly candidates: readonly Candidate[];
  /** Whether their objects are in sight. */
  readonly isSeen: boolean;
};

/** A bundle with a cause that could explain it, by a row. `effect` is the first of its findings. */
export type Pair = Candidate & { readonly bundle: Bundle };

type Held = {
  readonly workload: Ref;
  readonly anchors: readonly Ref[];
  readonly entries: Map<string, Entry>;
  /** Made when it is asked for, until an entry comes or goes. */
  bundle?: Bundle;
};

function causeKey({ rule, cause }: Candidate): string {
  const since = rule.cause.basis === 'named' ? '' : `@${cause.since}`;
  const edited = cause.change === undefined ? '' : `/${cause.change.field},${cause.change.also?.join() ?? ''}`;
  return `${rule.id}<${cause.key}${since}${edited}${cause.endedAt === undefined ? '' : '!'}`;
}

/** The key of the bundle that a finding belongs to. */
export function bundleKey({ finding, workload, candidates, isSeen }: Omit<Entry, 'walked' | 'bundle'>): string {
  const { subject, reason } = finding;
  const own = kindOf(subject.ref) === 'Pod' ? '' : subject.ref;
  return [workload, own, reason, isSeen ? '' : '?', ...candidates.map(causeKey)].join('|');
}

function bundleOf(key: string, { workload, entries }: Held): Bundle | undefined {
  const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
  const first = sorted.reduce<Entry | undefined>(
    (a, b) => (a === undefined || b.finding.since < a.finding.since ? b : a),
    undefined,
  );
  if (first === undefined) return undefined;
  const members = sorted.map(({ finding }) => finding);
  return { key, workload, members, first: first.finding, candidates: first.candidates, isSeen: first.isSeen };
}

/** The bundles of all findings, and what connects them: an object, a workload, a possible cause. */
export class Bundles {
  readonly #held = new Map<string, Held>();
  readonly #byAnchor = new Index();

  /** Adds an entry to its bundle, in the place of one with the same finding. */
  add(entry: Entry): void {
    const { finding, workload, candidates } = entry;
    let held = this.#held.get(entry.bundle);
    if (held === undefined) {
      const own = kindOf(finding.subject.ref) === 'Pod' ? [] : [finding.subject.ref];
      const anchors = [...new Set([workload, ...own, ...candidates.map(({ cause }) => cause.ref)])];
      held = { workload, anchors, entries: new Map() };
      this.#held.set(entry.bundle, held);
      this.#byAnchor.add(anchors, entry.bundle);
    }
    held.entries.set(findingKey(finding), entry);
    delete held.bundle;
  }

  /** Takes an entry out of its bundle; an empty bundle is gone. */
  remove({ finding, bundle: key }: Entry): void {
    const held = this.#held.get(key);
    if (held === undefined) return;
    held.entries.delete(findingKey(finding));
    delete held.bundle;
    if (held.entries.size > 0) return;
    this.#held.delete(key);
    this.#byAnchor.remove(held.anchors, key);
  }

  get(key: string): Bundle | undefined {
    const held = this.#held.get(key);
    if (held === undefined) return undefined;
    const bundle = held.bundle ?? bundleOf(key, held);
    if (bundle) held.bundle = bundle;
    return bundle;
  }

  /** Keys of the bundles of a workload, of an object's own findings, or of what it may be the cause of. */
  at(ref: Ref): Iterable<string> {
    return this.#byAnchor.get(ref);
  }

  /** Adds to a set of keys everything that shares an anchor with one of them; `also`: what else belongs to a key. */
  connect(keys: Set<string>, also: (key: string) => Iterable<string>): void {
    const anchors = new Set<Ref>();
    // A Set's iteration goes on over what is added meanwhile.
    for (const key of keys) {
      for (const other of also(key)) keys.add(other);
      for (const anchor of this.#held.get(key)?.anchors ?? []) {
        if (anchors.has(anchor)) continue;
        anchors.add(anchor);
        for (const peer of this.#byAnchor.get(anchor)) keys.add(peer);
      }
    }
  }
}
