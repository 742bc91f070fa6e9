import { type Finding, findingKey } from '../model/finding.ts';
import { kindOf, type Ref } from '../model/ref.ts';
import type { Candidate } from './candidates.ts';
import { Index } from './key-index.ts';
import { type Part, Parts } from './parts.ts';

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
  readonly pairs: readonly Pair[];
  /** Whether their objects are in sight. */
  readonly isSeen: boolean;
};

/** A bundle with a cause that could explain it, by a row. `effect` is the first of its findings. */
export type Pair = Candidate & { readonly bundle: Bundle };

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

/** A bundle while its findings come and go, and the part that it is solved with. */
export class LiveBundle {
  readonly key: string;
  readonly workload: Ref;
  /** What connects it with others: an object, a workload, a possible cause. */
  readonly anchors: readonly Ref[];
  readonly #entries = new Map<string, Entry>();
  #bundle: Bundle | undefined;
  part: Part | undefined;

  constructor({ finding, workload, candidates, bundle }: Entry) {
    const own = kindOf(finding.subject.ref) === 'Pod' ? [] : [finding.subject.ref];
    this.key = bundle;
    this.workload = workload;
    this.anchors = [...new Set([workload, ...own, ...candidates.map(({ cause }) => cause.ref)])];
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  /** Adds an entry in the place of one with the same finding. */
  add(entry: Entry): void {
    this.#entries.set(findingKey(entry.finding), entry);
    this.#bundle = undefined;
  }

  remove({ finding }: Entry): void {
    this.#entries.delete(findingKey(finding));
    this.#bundle = undefined;
  }

  /** As it is now; the same object until an entry comes or goes. `undefined` when it is empty. */
  get bundle(): Bundle | undefined {
    this.#bundle ??= this.#make();
    return this.#bundle;
  }

  #make(): Bundle | undefined {
    const sorted = [...this.#entries].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
    const first = sorted.reduce<Entry | undefined>(
      (a, b) => (a === undefined || b.finding.since < a.finding.since ? b : a),
      undefined,
    );
    if (first === undefined) return undefined;
    const pairs: Pair[] = [];
    const bundle: Bundle = {
      ...{ key: this.key, workload: this.workload, pairs, isSeen: first.isSeen },
      members: sorted.map(({ finding }) => finding),
      first: first.finding,
    };
    for (const candidate of first.candidates) pairs.push({ ...candidate, bundle });
    return bundle;
  }
}

/** The bundles of all findings, and which of them hang together. */
export class Bundles {
  readonly #live = new Map<string, LiveBundle>();
  readonly #byAnchor = new Index<LiveBundle>();
  readonly parts = new Parts(this.#byAnchor);

  /** Adds an entry to its bundle, in the place of one with the same finding. */
  add(entry: Entry): void {
    let live = this.#live.get(entry.bundle);
    if (live === undefined) {
      live = new LiveBundle(entry);
      this.#live.set(entry.bundle, live);
      this.parts.join(live);
      this.#byAnchor.add(live.anchors, live);
    }
    live.add(entry);
  }

  /** Takes an entry out of its bundle; an empty bundle is gone. */
  remove(entry: Entry): void {
    const live = this.#live.get(entry.bundle);
    if (live === undefined) return;
    live.remove(entry);
    if (!live.isEmpty) return;
    this.#live.delete(entry.bundle);
    this.#byAnchor.remove(live.anchors, live);
    this.parts.leave(live);
  }

  get(key: string): Bundle | undefined {
    return this.#live.get(key)?.bundle;
  }

  /** The part that a bundle is solved with. */
  partOf(key: string): Part | undefined {
    return this.#live.get(key)?.part;
  }

  /** The part of the bundles of a workload, of an object's own findings, or of what it may be the cause of. */
  partAt(ref: Ref): Part | undefined {
    return this.parts.at(ref);
  }
}
