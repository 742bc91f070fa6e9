import { fits, listOf, number } from '../../model/shape.ts';
import type { PodView } from '../kinds/workloads/pod.ts';
import { isReady, readySince } from '../pods/readiness.ts';
import { Recent } from './recent.ts';

/** A Pod that is ready so long after its containers began (ms) has lost and regained it: that tells nothing of its start. */
const longestMs = 10 * 60_000;

/** How long the containers of a Pod that is ready took from running to ready (seconds), as far as the Pod still tells. */
function tookSeconds(pod: PodView): number | undefined {
  if (!isReady(pod)) return undefined;
  let began = 0;
  for (const { running } of pod.containers) began = Math.max(began, running?.startedAt ?? 0);
  const took = readySince(pod) - began;
  return began > 0 && took >= 0 && took <= longestMs ? took / 1000 : undefined;
}

/** Whether something remembered is how long Pods of one owner took. */
export const areStarts = fits(listOf(number));

/** How long the last Pods of an owner took from running to ready (seconds). */
export class Starts extends Recent<number> {
  constructor() {
    super({ ofOne: 3, objects: 20_000 });
  }

  /** A Pod as it is seen now, and as it was seen before. */
  note(before: PodView | undefined, pod: PodView): void {
    const { owner } = pod;
    if (owner === undefined || (before && isReady(before))) return;
    const seconds = tookSeconds(pod);
    if (seconds === undefined) return;
    // First sight of Pods that are all alike.
    if (before || !this.of(owner).includes(seconds)) this.remember(owner, seconds);
  }
}
