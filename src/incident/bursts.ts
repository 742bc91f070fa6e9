import type { Explanation } from '../model/explanation.ts';

const second = 1000;
/** What starts within this time of each other can be one burst. */
const burstWindowMs = 75 * second;
const usualWindowMs = 60 * 60 * second;
/** A burst is more than this many times the usual rate of the hour, and at least so many related problems. */
const timesUsual = 3;
const fewest = 3;
/** Arrivals of which the hour's rate is taken at most: beyond that it is a lot in any case. */
const maxRemembered = 20_000;

/** A problem that was first seen lately: its message class, and the Nodes that it touches. */
type Arrival = { readonly at: number; readonly reason: string; readonly nodes: ReadonlySet<string> };

function nodesOf({ root, affected }: Explanation): Set<string> {
  const nodes = new Set<string>();
  for (const { node } of [root].concat(affected)) if (node !== undefined) nodes.add(node);
  return nodes;
}

/**
 * Tells a burst from the usual: when much more begins at once than in the rest of the hour, and it is related by its reason
 * or by a Node, waiting lets a common cause show. Each question costs what the explanation is large, however many there are.
 */
export class Bursts {
  /** First seen within the window. */
  #recent: Arrival[] = [];
  /** Instants of what was first seen before that, within the hour. */
  #earlier: number[] = [];
  readonly #byReason = new Map<string, number[]>();
  readonly #byNode = new Map<string, number[]>();

  /** Forgets what is too long ago for anything that is decided at `now` (epoch milliseconds). */
  advance(now: number): void {
    const past = this.#recent.filter(({ at }) => at <= now - burstWindowMs);
    if (past.length > 0) {
      for (const { at } of past) this.#earlier.push(at);
      this.#recent = this.#recent.filter(({ at }) => at > now - burstWindowMs);
      this.#index();
    }
    const [oldest] = this.#earlier;
    if (oldest !== undefined && (oldest <= now - usualWindowMs || this.#earlier.length > maxRemembered))
      this.#earlier = this.#earlier.slice(-maxRemembered).filter((at) => at > now - usualWindowMs);
  }

  /** A problem was first seen. */
  add(explanation: Explanation, now: number): void {
    const { reason } = explanation;
    this.#recent.push({ at: now, reason, nodes: nodesOf(explanation) });
    this.#link(this.#recent.length - 1);
  }

  /** Whether this explanation is part of a burst. */
  includes(explanation: Explanation): boolean {
    if (this.#recent.length < fewest) return false;
    const usual = (this.#earlier.length * burstWindowMs) / (usualWindowMs - burstWindowMs);
    if (this.#recent.length <= timesUsual * usual) return false;
    const related = new Set<number>();
    for (const index of this.#relatedTo(explanation)) {
      related.add(index);
      if (related.size >= fewest) return true;
    }
    return false;
  }

  *#relatedTo(explanation: Explanation): Generator<number> {
    yield* this.#byReason.get(explanation.reason) ?? [];
    for (const { node } of [explanation.root].concat(explanation.affected))
      if (node !== undefined) yield* this.#byNode.get(node) ?? [];
  }

  #index(): void {
    this.#byReason.clear();
    this.#byNode.clear();
    for (const index of this.#recent.keys()) this.#link(index);
  }

  #link(index: number): void {
    const arrival = this.#recent[index];
    if (arrival === undefined) return;
    note(this.#byReason, arrival.reason, index);
    for (const node of arrival.nodes) note(this.#byNode, node, index);
  }
}

/** More than `fewest` of one key tell nothing more. */
function note(index: Map<string, number[]>, key: string, arrival: number): void {
  const known = index.get(key);
  if (known === undefined) index.set(key, [arrival]);
  else if (known.length < fewest) known.push(arrival);
}
