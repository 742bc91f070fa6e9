import type { Explanation } from '../../model/explanation.ts';
import { findingKey } from '../../model/finding.ts';
import { kindOf, type Ref } from '../../model/ref.ts';
import type { Bundle, Entry, Pair } from './bundle.ts';
import type { Index } from './key-index.ts';

/** A bundle while its findings come and go, and the part that it is solved with. */
export class LiveBundle {
  readonly key: string;
  readonly workload: Ref;
  /** What connects it with others: an object, a workload, a possible cause. */
  readonly anchors: readonly Ref[];
  readonly #entries = new Map<string, Entry>();
  #bundle: Bundle | undefined;
  part: Part | undefined;

  constructor({ finding, workload, candidates, behind, needs, sentence, bundle }: Entry) {
    const own = kindOf(finding.subject.ref) === 'Pod' ? [] : [finding.subject.ref];
    this.key = bundle;
    this.workload = workload;
    const said = sentence === undefined ? [] : [sentence];
    const causes = candidates.map(({ cause }) => cause.ref);
    this.anchors = [...new Set([workload, ...own, ...said, ...behind, ...needs, ...causes])];
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
      ...{ key: this.key, workload: this.workload, pairs, isSeen: first.isSeen, behind: first.behind },
      members: sorted.map(({ finding }) => finding),
      first: first.finding,
    };
    for (const candidate of first.candidates) pairs.push({ ...candidate, bundle });
    return bundle;
  }
}

/** Bundles that hang together by what they share: they are solved together, and nobody else's answer depends on theirs. */
export class Part {
  readonly members = new Set<LiveBundle>();
  /** What they were explained by when they were solved last. */
  explanations: readonly Explanation[] = [];
  /** A member is gone that may have held it together. */
  isLoose = false;

  take(live: LiveBundle): void {
    live.part = this;
    this.members.add(live);
  }

  bundles(): Bundle[] {
    const bundles: Bundle[] = [];
    for (const { bundle } of this.members) if (bundle) bundles.push(bundle);
    return bundles;
  }
}

/** Which bundles hang together, kept while they come and go: finding it out anew would look at every one of them. */
export class Parts {
  readonly #byAnchor: Index<LiveBundle>;

  /** `byAnchor`: every bundle that is in a part, by what connects it. */
  constructor(byAnchor: Index<LiveBundle>) {
    this.#byAnchor = byAnchor;
  }

  /** The part of whoever shares an anchor: they are all in one. */
  at(anchor: Ref): Part | undefined {
    const [live] = this.#byAnchor.get(anchor);
    return live?.part;
  }

  /** A bundle comes: what it is connected with becomes one part, the largest, which has the explanations of all. */
  join(live: LiveBundle): void {
    const met = new Set<Part>();
    for (const anchor of live.anchors) {
      const part = this.at(anchor);
      if (part) met.add(part);
    }
    const [largest = new Part(), ...others] = [...met].sort((a, b) => b.members.size - a.members.size);
    for (const other of others) merge(other, largest);
    largest.take(live);
  }

  /** A bundle is gone, also from the index. */
  leave(live: LiveBundle): void {
    const { part, anchors } = live;
    part?.members.delete(live);
    live.part = undefined;
    // Who met it at one place only still meets there.
    if (part && anchors.filter((anchor) => this.#byAnchor.has(anchor)).length > 1) part.isLoose = true;
  }

  /** The parts that one has fallen into; itself when it has not. */
  split(part: Part): Part[] {
    if (!part.isLoose) return part.members.size === 0 ? [] : [part];
    const parts: Part[] = [];
    for (const live of part.members) if (live.part === part) parts.push(this.#partAround(live));
    return parts;
  }

  #partAround(start: LiveBundle): Part {
    const part = new Part();
    const seen = new Set<string>();
    part.take(start);
    // A Set's iteration goes on over what is added meanwhile.
    for (const { anchors } of part.members)
      for (const anchor of anchors) {
        if (seen.has(anchor)) continue;
        seen.add(anchor);
        for (const peer of this.#byAnchor.get(anchor)) if (peer.part !== part) part.take(peer);
      }
    return part;
  }
}

function merge(from: Part, into: Part): void {
  for (const live of from.members) into.take(live);
  from.members.clear();
  into.explanations = [...into.explanations, ...from.explanations];
  from.explanations = [];
  into.isLoose ||= from.isLoose;
}
