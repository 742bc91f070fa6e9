import type { Ref } from '../model/ref.ts';
import type { PodView } from './kinds/pod.ts';
import { isReady } from './readiness.ts';

/** A Pod restarted or was ready no more, at an instant (epoch milliseconds). */
export type Lapse = { readonly pod: Ref; readonly at: number };

/** What was seen of the Pods of a ReplicaSet: since when somebody has watched, and their lapses, the latest last. */
export type Instability = { readonly watchedSince: number; readonly lapses: readonly Lapse[] };

/** How long lapses are remembered, how many of one ReplicaSet, and of how many. */
const memoryMs = 6 * 60 * 60_000;
const maxOfOne = 60;
const maxOwners = 5000;
/** What a Pod does in its first minutes is how it starts (ms). */
const startMs = 5 * 60_000;

const none: readonly Lapse[] = [];

const restartsOf = ({ containers }: PodView): number => containers.reduce((sum, { restarts }) => sum + restarts, 0);

/** How steadily the Pods of revisions run; a restart of Tocsin forgets it. */
export class Instabilities {
  readonly #byOwner = new Map<Ref, readonly Lapse[]>();
  #watchedSince: number | undefined;

  /** A Pod changed, on a Node that works. */
  note(before: PodView | undefined, after: PodView, now: number): void {
    this.#watchedSince ??= now;
    const { owner, uid } = after;
    if (before?.uid !== uid || owner === undefined || after.deletionAt !== undefined) return;
    if (now < after.createdAt + startMs) return;
    const isLapse = restartsOf(after) > restartsOf(before) || (isReady(before) && !isReady(after));
    if (!isLapse) return;
    const known = this.#byOwner.get(owner) ?? none;
    // A container that ends takes readiness along, in an update of its own.
    if (known.some(({ pod, at }) => pod === after.ref && now - at < 30_000)) return;
    this.#byOwner.delete(owner);
    this.#byOwner.set(owner, [...known, { pod: after.ref, at: now }].slice(-maxOfOne));
    const [first] = this.#byOwner.size > maxOwners ? this.#byOwner.keys().take(1) : [];
    if (first !== undefined) this.#byOwner.delete(first);
  }

  /** What was seen of the Pods of a ReplicaSet. */
  of(owner: Ref, now: number): Instability {
    return { watchedSince: this.#watchedSince ?? now, lapses: this.#byOwner.get(owner) ?? none };
  }

  /** Forgets what is too old. */
  expire(now: number): void {
    for (const [owner, lapses] of this.#byOwner)
      if ((lapses.at(-1)?.at ?? 0) <= now - memoryMs) this.#byOwner.delete(owner);
  }
}
