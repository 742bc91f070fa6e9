import type { Finding } from '../../model/finding.ts';
import type { ContainerState, PodView } from '../../world/kinds/workloads/pod.ts';
import { clocksMs, longestBackOffMs } from '../../world/view/bounds.ts';

/** The kubelet waits 10 s before the second restart, and twice as long each time. */
const firstBackOffMs = 10_000;

/** How often a kubelet can have restarted a container within a time. */
function mostRestarts(withinMs: number): number {
  let restarts = 1;
  for (let [wait, left] = [firstBackOffMs, withinMs]; left >= wait; wait = Math.min(wait * 2, longestBackOffMs)) {
    left -= wait;
    restarts += 1;
  }
  return restarts;
}

/** Whether the container had ended before the finding began, so that its beginning is not that of the trouble. */
function endedBefore({ restarts, running, terminated, last }: ContainerState, since: number): boolean {
  const lastEnd = (terminated ?? last)?.finishedAt;
  // A run that is under way began after the last end: its restart is one more than there were by then.
  const byThen = running === undefined ? restarts : restarts - 1;
  return lastEnd !== undefined && byThen > mostRestarts(Math.max(0, lastEnd - since));
}

/**
 * How long a Pod was up and ready before a finding began, in milliseconds: 0 when it never was ready, `undefined` when
 * that cannot be told (Tocsin came when it had long been failing).
 */
export function servedMs(pod: PodView, { since, scope }: Finding): number | undefined {
  const began = pod.startedAt ?? pod.createdAt;
  const ready = pod.conditions.find(({ type }) => type === 'Ready');
  // Ready is written some seconds after the start also where it was never true.
  if (ready === undefined || (ready.status !== 'True' && ready.since <= began + clocksMs)) return 0;
  const container = pod.containers.find(({ name }) => name === scope);
  if (container !== undefined && endedBefore(container, since)) return undefined;
  return Math.max(0, since - began);
}
