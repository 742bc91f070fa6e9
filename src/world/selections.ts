import type { Ref } from '../model/ref.ts';
import type { Labels } from '../model/subject.ts';
import { type LabelSelector, selects } from './label-selector.ts';
import type { PodRecord, Siblings } from './pod-record.ts';

/** Who selects Pods, and in which namespace. */
type Selecting = { readonly namespace: string; readonly selector: LabelSelector; readonly label: string };

/** The selectors of one namespace, by one of the labels that each asks for (`app=api`); `''`: those that ask for none. */
type Buckets = Map<string, Set<Ref>>;

const noLabel = '';

const nobody: ReadonlySet<Ref> = new Set();

/**
 * Which Pods are selected by whom, kept as both come and go: a Pod is compared only with the selectors that ask for one of
 * its labels, and a Pod like its siblings with none. Members are groups of siblings of which at least one Pod was selected;
 * which of them are is told by their labels when somebody asks.
 */
export class Selections {
  readonly #buckets = new Map<string, Buckets>();
  readonly #selecting = new Map<Ref, Selecting>();
  readonly #members = new Map<Ref, Set<Siblings>>();
  readonly #siblings = new Map<string, Set<Siblings>>();

  /** An object selects Pods of a namespace from now on; without a selector it selects none. */
  put(ref: Ref, namespace: string, selector: LabelSelector | undefined): void {
    this.remove(ref);
    if (selector === undefined) return;
    const buckets = this.#buckets.get(namespace) ?? new Map<string, Set<Ref>>();
    this.#buckets.set(namespace, buckets);
    const label = rarestLabel(buckets, selector);
    addTo(buckets, label, ref);
    this.#selecting.set(ref, { namespace, selector, label });
    for (const siblings of this.#siblings.get(namespace) ?? [])
      if (isMember(siblings, selector)) addTo(this.#members, ref, siblings);
  }

  /** It selects nothing any more. */
  remove(ref: Ref): void {
    const known = this.#selecting.get(ref);
    if (!known) return;
    const buckets = this.#buckets.get(known.namespace);
    takeFrom(buckets, known.label, ref);
    if (buckets?.size === 0) this.#buckets.delete(known.namespace);
    this.#selecting.delete(ref);
    this.#members.delete(ref);
  }

  /** Who selects a Pod with such labels. */
  *by(namespace: string, labels: Labels): Iterable<Ref> {
    const buckets = this.#buckets.get(namespace);
    if (!buckets) return;
    for (const key in labels) yield* this.#of(buckets.get(`${key}=${labels[key]}`) ?? nobody, labels);
    yield* this.#of(buckets.get(noLabel) ?? nobody, labels);
  }

  /** The Pods that an object selects. */
  *pods(ref: Ref): Iterable<Ref> {
    const selector = this.#selecting.get(ref)?.selector;
    if (!selector) return;
    for (const siblings of this.#members.get(ref) ?? []) {
      const shared = selects(selector, siblings.labels);
      for (const { ref: pod, labels } of siblings.pods)
        if (labels === siblings.labels ? shared : selects(selector, labels)) yield pod;
    }
  }

  /** A Pod came to its siblings, or has other labels. */
  came({ siblings, labels }: PodRecord): void {
    if (siblings.pods.length > 1 && labels === siblings.labels) return;
    const { namespace } = siblings;
    addTo(this.#siblings, namespace, siblings);
    for (const ref of this.by(namespace, labels)) addTo(this.#members, ref, siblings);
  }

  /** The last Pod of these siblings went. */
  went(siblings: Siblings): void {
    const { namespace } = siblings;
    takeFrom(this.#siblings, namespace, siblings);
    // Only siblings that differ can be members elsewhere than their shared labels say, and those are few.
    for (const members of siblings.varied ? this.#membersIn(namespace) : this.#membersBy(siblings))
      members.delete(siblings);
  }

  *#membersBy({ namespace, labels }: Siblings): Iterable<Set<Siblings>> {
    for (const ref of this.by(namespace, labels)) {
      const members = this.#members.get(ref);
      if (members) yield members;
    }
  }

  *#membersIn(namespace: string): Iterable<Set<Siblings>> {
    for (const [ref, members] of this.#members) if (this.#selecting.get(ref)?.namespace === namespace) yield members;
  }

  *#of(refs: Iterable<Ref>, labels: Labels): Iterable<Ref> {
    for (const ref of refs) {
      const selector = this.#selecting.get(ref)?.selector;
      if (selector && selects(selector, labels)) yield ref;
    }
  }
}

function addTo<K, V>(sets: Map<K, Set<V>>, key: K, value: V): void {
  const set = sets.get(key);
  if (set) set.add(value);
  else sets.set(key, new Set([value]));
}

function takeFrom<K, V>(sets: Map<K, Set<V>> | undefined, key: K, value: V): void {
  const set = sets?.get(key);
  if (set?.delete(value) && set.size === 0) sets?.delete(key);
}

/** Whether a selector selects any of these Pods. */
function isMember(siblings: Siblings, selector: LabelSelector): boolean {
  if (!siblings.varied) return selects(selector, siblings.labels);
  return siblings.pods.some(({ labels }) => selects(selector, labels));
}

/** Of the labels that a selector asks for, the one that the fewest others ask for. */
function rarestLabel(buckets: Buckets, { labels }: LabelSelector): string {
  let rarest = noLabel;
  let fewest = Number.POSITIVE_INFINITY;
  for (const key in labels) {
    const label = `${key}=${labels[key]}`;
    const size = buckets.get(label)?.size ?? 0;
    if (size >= fewest) continue;
    rarest = label;
    fewest = size;
  }
  return rarest;
}
