import type { Explanation } from '../model/explanation.ts';
import { isNumber, type Memory, recall } from '../model/memory.ts';
import { reasonTraits } from '../model/reason.ts';
import { fits, listOf, number, record, text } from '../model/shape.ts';

const second = 1000;
/** What starts within this time of each other can be one burst. */
const burstWindowMs = 75 * second;
const usualWindowMs = 60 * 60 * second;
/** A burst is more than this many times the usual rate of the hour, and at least so many related problems that do not explain each other. */
const timesUsual = 3;
const fewest = 3;
/** What is longer ago is counted by the minute. */
const bucketMs = 60 * second;

/** Findings of one explanation whose texts are looked at for what they name. */
const mostLookedAt = 50;

/** A problem that was first seen lately: its root, and by what it may be related to others. */
type Arrival = { readonly key: string; readonly at: number; readonly root: string; readonly ties: readonly string[] };

/** Whether something remembered is one. */
const isArrival = fits(record<Arrival>({ key: text, at: number, root: text, ties: listOf(text) }));

/** What relates problems: their likeness, the Nodes that they touch, the objects that their texts name, the edit that is blamed. */
function* tiesOf(explanation: Explanation): Generator<string> {
  const { root, affected, members, change } = explanation;
  const likeness = likenessOf(explanation);
  if (likeness !== undefined) yield likeness;
  if (change) yield change.ref;
  for (const { node } of [root].concat(affected)) if (node !== undefined) yield `node ${node}`;
  for (const { names } of members.slice(0, mostLookedAt)) yield* names;
}

/**
 * How a problem is like others that nothing links it to. A lost Node says only that it is lost, and may have gone with its zone; programs that
 * say the same of themselves may have it from the same source, where nobody knows it yet. To fail at the same time, with the same reason, is
 * no likeness: it would let thirty troubles of thirty teams wait for each other.
 */
function likenessOf({ reason, confidence, sign }: Explanation): string | undefined {
  if (reasonTraits[reason].family === 'node') return 'lost Node';
  if (confidence === 'high' || sign === undefined || sign.target !== undefined) return undefined;
  return `says ${sign.kind} ${sign.name ?? ''}`;
}

/**
 * Tells a burst from the usual: when much more begins at once than in the rest of the hour, and it is related, waiting lets a common
 * cause show. What an explanation has taken in needs no other cause: the Pods of a lost Node make no burst of it. Each question costs
 * what the explanation is large, however many there are.
 */
export class Bursts {
  /** First seen within the window. */
  #recent: Arrival[] = [];
  /** How much was first seen before that, within the hour: by the minute (epoch milliseconds) in which it was. */
  readonly #earlier = new Map<number, number>();
  #count = 0;
  /** Tie → what was first seen lately and has it. */
  readonly #byTie = new Map<string, number[]>();
  /** Root → what was first seen of it lately. */
  readonly #byRoot = new Map<string, number[]>();

  /** Forgets what is too long ago for anything that is decided at `now` (epoch milliseconds). */
  advance(now: number): void {
    const past = this.#recent.filter(({ at }) => at <= now - burstWindowMs);
    if (past.length > 0) {
      for (const { at } of past) this.#tally(at);
      this.#recent = this.#recent.filter(({ at }) => at > now - burstWindowMs);
      this.#index();
    }
    for (const minute of this.#earlier.keys()) if (minute <= now - usualWindowMs) this.#earlier.delete(minute);
  }

  /** A problem was first seen at an instant. */
  add(explanation: Explanation, at: number): void {
    this.#count += 1;
    const key = `${at} ${this.#count}`;
    const arrival: Arrival = { key, at, root: explanation.root.ref, ties: [...new Set(tiesOf(explanation))] };
    this.#recent.push(arrival);
    this.#link(arrival, this.#recent.length - 1);
  }

  /** What is to be remembered: what is recent, and how much came before it, by the minute. */
  memory(): Memory {
    return {
      arrivals: new Map(this.#recent.map((arrival) => [arrival.key, arrival])),
      bursts: new Map([...this.#earlier].map(([minute, count]) => [String(minute), count])),
    };
  }

  /** Counts on from before a restart. */
  restore(memory: Memory): void {
    for (const [minute, count] of recall(memory, 'bursts', isNumber))
      if (Number.isFinite(Number(minute))) this.#earlier.set(Number(minute), count);
    this.#recent = [...recall(memory, 'arrivals', isArrival).values()].sort((a, b) => a.at - b.at);
    this.#count = this.#recent.length;
    this.#index();
  }

  /** Whether this explanation is part of a burst: with others that it does not explain. */
  includes(explanation: Explanation): boolean {
    if (this.#recent.length < fewest) return false;
    const earlier = [...this.#earlier.values()].reduce((sum, count) => sum + count, 0);
    const usual = (earlier * burstWindowMs) / (usualWindowMs - burstWindowMs);
    if (this.#recent.length <= timesUsual * usual) return false;
    const own = this.#explainedBy(explanation);
    const others = new Set<number>();
    for (const tie of tiesOf(explanation))
      for (const index of this.#byTie.get(tie) ?? []) {
        if (!own.has(index)) others.add(index);
        if (others.size >= fewest - 1) return true;
      }
    return false;
  }

  /** What was first seen lately and is this explanation now, or a part of it. */
  #explainedBy({ root, affected }: Explanation): ReadonlySet<number> {
    return new Set([root].concat(affected).flatMap(({ ref }) => this.#byRoot.get(ref) ?? []));
  }

  #tally(at: number): void {
    const minute = at - (at % bucketMs);
    this.#earlier.set(minute, (this.#earlier.get(minute) ?? 0) + 1);
  }

  #index(): void {
    this.#byTie.clear();
    this.#byRoot.clear();
    for (const [index, arrival] of this.#recent.entries()) this.#link(arrival, index);
  }

  #link({ root, ties }: Arrival, index: number): void {
    note(this.#byRoot, root, index);
    for (const tie of ties) note(this.#byTie, tie, index);
  }
}

function note(known: Map<string, number[]>, by: string, arrival: number): void {
  const arrivals = known.get(by);
  if (arrivals === undefined) known.set(by, [arrival]);
  else arrivals.push(arrival);
}
