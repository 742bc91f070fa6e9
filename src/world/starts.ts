import { isListOf, isNumber } from '../model/memory.ts';
import { NotedMap } from '../model/noted-map.ts';
import type { Ref } from '../model/ref.ts';
import type { PodView } from './kinds/pod.ts';
import { isReady, readySince } from './readiness.ts';

/** Of so many owners the last so many starts are remembered. */
const maxOwners = 20_000;
const maxOfOne = 3;
/** A Pod that is ready so long after its containers began (ms) has lost and regained it: that tells nothing of its start. */
const longestMs = 10 * 60_000;

const none: readonly number[] = [];

/** How long the containers of a Pod that is ready took from running to ready (seconds), as far as the Pod still tells. */
function tookSeconds(pod: PodView): number | undefined {
  if (!isReady(pod)) return undefined;
  let began = 0;
  for (const { running } of pod.containers) began = Math.max(began, running?.startedAt ?? 0);
  const took = readySince(pod) - began;
  return began > 0 && took >= 0 && took <= longestMs ? took / 1000 : undefined;
}

/** Whether something remembered is how long Pods of one owner took. */
export const areStarts = (value: unknown): value is readonly number[] => isListOf(value, isNumber);

/** How long Pods took lately from running to ready, by their owner. Bounded; saved across restarts. */
export class Starts {
  readonly #byOwner = new NotedMap<Ref, readonly number[]>();

  /** What is to be saved. */
  get noted(): NotedMap<Ref, readonly number[]> {
    return this.#byOwner;
  }

  /** A Pod as it is seen now, and as it was seen before. */
  note(before: PodView | undefined, pod: PodView): void {
    const { owner } = pod;
    if (owner === undefined || (before && isReady(before))) return;
    const seconds = tookSeconds(pod);
    if (seconds === undefined) return;
    const known = this.#byOwner.get(owner) ?? none;
    // First sight of Pods that are all alike.
    if (!before && known.includes(seconds)) return;
    this.#byOwner.set(owner, [...known, seconds].slice(-maxOfOne));
    const [first] = this.#byOwner.size > maxOwners ? this.#byOwner.keys().take(1) : [];
    if (first !== undefined) this.#byOwner.delete(first);
  }

  /** How long its last Pods took, at most three (seconds). */
  of(owner: Ref): readonly number[] {
    return this.#byOwner.get(owner) ?? none;
  }

  /** An owner has gone. */
  drop(owner: Ref): void {
    this.#byOwner.delete(owner);
  }
}
