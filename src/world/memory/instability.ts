import type { Ref } from '../../model/ref.ts';
import { fits, listOf, number, record, ref } from '../../model/shape.ts';
import type { PodView } from '../kinds/workloads/pod.ts';
import { isReady } from '../pods/readiness.ts';
import { Recent } from './recent.ts';

/** A Pod restarted or was ready no more, at an instant (epoch milliseconds). */
export type Lapse = { readonly pod: Ref; readonly at: number };

/** What was seen of the Pods of a ReplicaSet: since when somebody has watched, and their lapses, the latest last. */
export type Instability = { readonly watchedSince: number; readonly lapses: readonly Lapse[] };

/** How long after the last one lapses are remembered. */
const memoryMs = 6 * 60 * 60_000;
/** What a Pod does in its first minutes is how it starts (ms). */
const startMs = 5 * 60_000;

const restartsOf = ({ containers }: PodView): number => containers.reduce((sum, { restarts }) => sum + restarts, 0);

/** Whether something remembered is the lapses of the Pods of one ReplicaSet. */
export const areLapses = fits(listOf(record<Lapse>({ pod: ref, at: number })));

/** How steadily the Pods of revisions run: their lapses by ReplicaSet. */
export class Instabilities extends Recent<Lapse> {
  #watchedSince: number | undefined;

  constructor() {
    super({ ofOne: 60, objects: 5000 });
  }

  /** Since when somebody has watched Pods, before a restart, too (epoch milliseconds). */
  get watchedSince(): number | undefined {
    return this.#watchedSince;
  }

  /** Somebody has watched since then, at least. */
  watchSince(at: number): void {
    this.#watchedSince = Math.min(at, this.#watchedSince ?? at);
  }

  /** A Pod changed, on a Node that works. */
  note(before: PodView | undefined, after: PodView, now: number): void {
    this.#watchedSince ??= now;
    const { owner, uid } = after;
    if (before?.uid !== uid || owner === undefined || after.deletionAt !== undefined) return;
    if (now < after.createdAt + startMs) return;
    const lapsed = restartsOf(after) > restartsOf(before) || (isReady(before) && !isReady(after));
    if (!lapsed) return;
    // A container that ends takes readiness along, in an update of its own.
    if (this.of(owner).some(({ pod, at }) => pod === after.ref && now - at < 30_000)) return;
    this.remember(owner, { pod: after.ref, at: now });
  }

  /** What was seen of the Pods of a ReplicaSet. */
  seenOf(owner: Ref, now: number): Instability {
    return { watchedSince: this.#watchedSince ?? now, lapses: this.of(owner) };
  }

  /** Forgets what is too old. */
  expire(now: number): void {
    this.keep((_, __, lapses) => (lapses.at(-1)?.at ?? 0) > now - memoryMs);
  }
}
