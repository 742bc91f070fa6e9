import type { ContainerState, PodView } from '../kinds/workloads/pod.ts';
import { isReady, readySince } from '../pods/readiness.ts';
import { goodRunMs } from './facets.ts';

/** Restarts while a Pod is younger than this tell nothing: what it needs may still boot. */
const bootMs = 10 * 60_000;

/** Whether the last run of a container was a good one: what crashes over and over, or runs out of memory, is told by itself. */
function ranWell({ terminated, last }: ContainerState): boolean {
  const end = terminated ?? last;
  if (end?.startedAt === undefined || end.finishedAt === undefined || end.reason === 'OOMKilled') return false;
  return end.finishedAt - end.startedAt >= goodRunMs;
}

/** How many containers of a Pod were restarted after a good run, from one sight of it to the next, once it is past its boot. */
export function restartsBetween(before: PodView, after: PodView, now: number): number {
  if (now < after.createdAt + bootMs) return 0;
  const counts = new Map(before.containers.map(({ name, restarts }) => [name, restarts]));
  const isRestarted = ({ name, restarts }: ContainerState): boolean => restarts > (counts.get(name) ?? restarts);
  return after.containers.filter((state) => isRestarted(state) && ranWell(state)).length;
}

/** How long a Pod took from being placed to being ready, where this is the first time that it is; seconds. */
export function startSeconds(before: PodView, after: PodView): number | undefined {
  if (isReady(before) || !isReady(after) || after.containers.some(({ restarts }) => restarts > 0)) return undefined;
  const placed = after.conditions.find(({ type, status }) => type === 'PodScheduled' && status === 'True')?.since;
  // One that has lost its readiness was unready for less long than it is placed.
  const unready = before.conditions.find(({ type }) => type === 'Ready')?.since ?? before.createdAt;
  if (placed === undefined || unready > placed + 60_000) return undefined;
  return Math.max(0, (readySince(after) - placed) / 1000);
}
