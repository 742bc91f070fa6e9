import type { PodView } from '../kinds/workloads/pod.ts';
import { type PodRecord, viewOf } from './pod-record.ts';

/** Views that are kept at once, about 2 KB each, and Pods of which is known that somebody asked lately. */
const most = 250;

/**
 * Views of Pods, made when somebody asks. A Pod's containers are judged one after the other, so the view made last is kept. What a workload failed
 * of is asked of all of its Pods, again and again, so others are kept once they are asked for a second time. Where every Pod is looked at
 * once, as at the baseline, none is: views that outlive two collections of what is young count as permanent, 130 MiB of 100,000 Pods.
 */
export class PodViews {
  #last: { readonly record: PodRecord; readonly view: PodView } | undefined;
  readonly #askedOnce = new Set<PodRecord>();
  readonly #kept = new Map<PodRecord, PodView>();

  /** The view of a record as it is now. */
  of(record: PodRecord): PodView {
    if (this.#last?.record !== record) this.#last = { record, view: this.#kept.get(record) ?? this.#make(record) };
    return this.#last.view;
  }

  /** The record has changed, or is gone. */
  drop(record: PodRecord): void {
    this.#last = undefined;
    this.#kept.delete(record);
  }

  #make(record: PodRecord): PodView {
    const view = viewOf(record);
    if (this.#askedOnce.delete(record)) {
      if (this.#kept.size >= most) this.#kept.clear();
      this.#kept.set(record, view);
    } else {
      if (this.#askedOnce.size >= most) this.#askedOnce.clear();
      this.#askedOnce.add(record);
    }
    return view;
  }
}
