import type { Ref } from '../../model/ref.ts';
import { isSame } from '../../model/same.ts';
import { addTo, takeFrom } from '../../model/sets.ts';
import type { Labels } from '../../model/subject.ts';
import { type LabelSelector, selects } from '../reading/label-selector.ts';
import type { PodRecord, Siblings } from './pod-record.ts';

/** Who selects Pods, and in which namespace. */
type Selecting = { readonly namespace: string; readonly selector: LabelSelector; readonly label: string };

/** The selectors of one namespace, by one of the labels that each asks for (`app=api`); `''`: those that ask for none. */
type Buckets = Map<string, Set<Ref>>;

const noLabel = '';

/**
 * Pods that are alike: siblings that there are, or those that a workload would make. `varied`: some may have labels of
 * their own.
 */
type Group = Pick<Siblings, 'namespace' | 'labels' | 'varied'> & {
  readonly pods: readonly Pick<PodRecord, 'ref' | 'labels'>[];
  readonly workload?: Ref;
};

const nobody: ReadonlySet<Ref> = new Set();

/**
 * Which Pods and workloads are selected by whom, kept as both come and go: a Pod is compared only with the selectors that ask
 * for one of its labels, and a Pod like its siblings with none. Members are groups of Pods of which at least one was selected;
 * which of them are is told by their labels when somebody asks.
 */
export class Selections {
  readonly #buckets = new Map<string, Buckets>();
  readonly #selecting = new Map<Ref, Selecting>();
  readonly #members = new Map<Ref, Set<Group>>();
  /** By namespace. */
  readonly #groups = new Map<string, Set<Group>>();
  /** Who selects nothing, by namespace. */
  readonly #barren = new Map<string, Set<Ref>>();
  readonly #workloads = new Map<Ref, Group>();

  /** An object selects Pods of a namespace from now on; without a selector it selects none. */
  put(ref: Ref, namespace: string, selector: LabelSelector | undefined): void {
    this.remove(ref);
    if (selector === undefined) return;
    const buckets = this.#buckets.get(namespace) ?? new Map<string, Set<Ref>>();
    this.#buckets.set(namespace, buckets);
    const label = rarestLabel(buckets, selector);
    addTo(buckets, label, ref);
    this.#selecting.set(ref, { namespace, selector, label });
    addTo(this.#barren, namespace, ref);
    for (const group of this.#groups.get(namespace) ?? []) if (isMember(group, selector)) this.#join(ref, group);
  }

  /** It selects nothing any more. */
  remove(ref: Ref): void {
    const known = this.#selecting.get(ref);
    if (!known) return;
    const buckets = this.#buckets.get(known.namespace);
    if (buckets) takeFrom(buckets, known.label, ref);
    if (buckets?.size === 0) this.#buckets.delete(known.namespace);
    this.#selecting.delete(ref);
    this.#members.delete(ref);
    takeFrom(this.#barren, known.namespace, ref);
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
    for (const group of this.#members.get(ref) ?? []) {
      const shared = selects(selector, group.labels);
      for (const { ref: pod, labels } of group.pods)
        if (labels === group.labels ? shared : selects(selector, labels)) yield pod;
    }
  }

  /** The workloads whose Pods an object would select, whether there are any or not. */
  *workloads(ref: Ref): Iterable<Ref> {
    for (const { workload } of this.#members.get(ref) ?? []) if (workload !== undefined) yield workload;
  }

  /** Who selects nothing in a namespace: neither Pods nor those that a workload would make. */
  barren(namespace: string): Iterable<Ref> {
    return this.#barren.get(namespace) ?? nobody;
  }

  /** The labels of the Pods of a namespace, and of those that its workloads would make; those of siblings that are alike once. */
  *labelsIn(namespace: string): Iterable<Labels> {
    for (const { labels, varied, pods } of this.#groups.get(namespace) ?? [])
      if (varied) yield* new Set(pods.map((pod) => pod.labels));
      else yield labels;
  }

  /** The Pods of a namespace. */
  *podsIn(namespace: string): Iterable<Ref> {
    for (const { pods } of this.#groups.get(namespace) ?? []) for (const { ref } of pods) yield ref;
  }

  /** A Pod came to its siblings, or has other labels. */
  came({ siblings, labels }: PodRecord): void {
    // One like the others is where they are; where some differ, nobody like it may have been there.
    if (siblings.pods.length > 1 && labels === siblings.labels && !siblings.varied) return;
    addTo(this.#groups, siblings.namespace, siblings);
    for (const ref of this.by(siblings.namespace, labels)) this.#join(ref, siblings);
  }

  /** The last Pod of these siblings went. */
  went(siblings: Group): void {
    const { namespace, labels } = siblings;
    takeFrom(this.#groups, namespace, siblings);
    // Only siblings that differ can be members elsewhere than their shared labels say, and those are few.
    for (const ref of siblings.varied ? [...this.#membersIn(namespace)] : this.by(namespace, labels))
      this.#leave(ref, siblings);
  }

  /** A workload makes Pods with such labels from now on; `undefined`: none. */
  makes(workload: Ref, namespace: string, labels: Labels | undefined): void {
    const known = this.#workloads.get(workload);
    if (known && isSame(known.labels, labels)) return;
    if (known) this.went(known);
    this.#workloads.delete(workload);
    if (labels === undefined) return;
    const group: Group = { namespace, labels, varied: false, pods: [], workload };
    this.#workloads.set(workload, group);
    addTo(this.#groups, namespace, group);
    for (const ref of this.by(namespace, labels)) this.#join(ref, group);
  }

  #join(ref: Ref, group: Group): void {
    addTo(this.#members, ref, group);
    takeFrom(this.#barren, group.namespace, ref);
  }

  #leave(ref: Ref, group: Group): void {
    takeFrom(this.#members, ref, group);
    if (!this.#members.has(ref)) addTo(this.#barren, group.namespace, ref);
  }

  *#membersIn(namespace: string): Iterable<Ref> {
    for (const ref of this.#members.keys()) if (this.#selecting.get(ref)?.namespace === namespace) yield ref;
  }

  *#of(refs: Iterable<Ref>, labels: Labels): Iterable<Ref> {
    for (const ref of refs) {
      const selector = this.#selecting.get(ref)?.selector;
      if (selector && selects(selector, labels)) yield ref;
    }
  }
}

/** Whether a selector selects any of these Pods. */
function isMember({ varied, labels, pods }: Group, selector: LabelSelector): boolean {
  return varied ? pods.some((pod) => selects(selector, pod.labels)) : selects(selector, labels);
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
