import { kindOf } from '../../model/ref.ts';
import { type Projection, statedKind } from '../kinds/kinds.ts';
import type { ContainerState, PodView } from '../kinds/workloads/pod.ts';
import { given } from '../reading/fields.ts';

/** A kubelet resets its back-off after a container ran this long (twice its longest back-off of 5 minutes). */
export const goodRunMs = 10 * 60_000;

const noFacets: readonly string[] = [];

/** Waiting reasons that a kubelet alternates between for one and the same trouble. */
const waitingFamily: ReadonlyMap<string, string> = new Map([
  ['ErrImagePull', 'ImagePullBackOff'],
  ['RegistryUnavailable', 'ImagePullBackOff'],
]);

/** The reason that a container waits for, with the others of its family as one. */
export const waitsFor = (reason: string): string => waitingFamily.get(reason) ?? reason;

/** When the current run of a container began and how the one before ended, whichever state it is in. */
export function lastEnd({ terminated, last }: ContainerState): ContainerState['last'] {
  return terminated ?? last;
}

/** Whether a container ended after an instant (epoch milliseconds), and it was not an init container that had done its work. */
export function endedAfter(state: ContainerState, instant: number): boolean {
  const end = lastEnd(state);
  const isDone = end?.exitCode === 0 && state.running === undefined;
  return end !== undefined && !isDone && (end.finishedAt ?? 0) > instant;
}

/** A container that failed and has not yet run well for long: it may be between two crashes. */
function isCrashing(state: ContainerState, now: number): boolean {
  if (state.waiting?.reason === 'CrashLoopBackOff') return true;
  if (state.running) return lastEnd(state) !== undefined && now - state.running.startedAt < goodRunMs;
  return lastEnd(state) !== undefined;
}

/** The facets of an object that hold now and have no time in the API, with the time to take at first sight. */
function facetsOf(view: Projection, now: number): Map<string, number> {
  const facets = new Map<string, number>();
  if (view.kind === 'Pod') {
    for (const state of view.containers) {
      const prefix = `container/${state.name}`;
      if (state.waiting) {
        const family = waitsFor(state.waiting.reason);
        facets.set(`${prefix}/waiting/${family}`, waitingSince(view, state));
      }
      if (isCrashing(state, now)) facets.set(`${prefix}/crashing`, lastEnd(state)?.finishedAt ?? now);
    }
  } else for (const facet of statedFacets(view)) facets.set(facet, now);
  return facets;
}

/** What the row of its kind says holds of an object now. */
export function statedFacets(view: Projection): readonly string[] {
  return statedKind(kindOf(view.ref))?.facets?.(view) ?? noFacets;
}

/** At first sight of a container that waits: since its last end, or since its Pod could begin with it. */
function waitingSince(pod: PodView, state: ContainerState): number {
  const isInit = pod.template.containers.some(({ name, role }) => name === state.name && role !== 'main');
  const ready = pod.conditions.find(({ type }) => type === (isInit ? 'PodScheduled' : 'Initialized'));
  const began = ready?.status === 'True' ? ready.since : (pod.startedAt ?? pod.createdAt);
  return lastEnd(state)?.finishedAt ?? began;
}

/** The facet of a container that was met when it had restarted so often, until it restarts again. */
export const metAt = (restarts: number): string => `met/${restarts}`;

/** By when containers were met that had restarted already, and have not since. */
function* met(
  known: ReadonlyMap<string, number>,
  before: Projection | undefined,
  after: Projection,
  now: number,
): Iterable<readonly [string, number]> {
  if (after.kind !== 'Pod') return;
  for (const { name, restarts, running } of after.containers) {
    const facet = `container/${name}/${metAt(restarts)}`;
    const at = before ? known.get(facet) : (known.get(facet) ?? now);
    if (at !== undefined && restarts > 0 && running) yield [facet, at];
  }
}

/** Since when the facets of an object that hold now have held; `known`: those of before. */
export function facetsAfter(
  known: ReadonlyMap<string, number>,
  before: Projection | undefined,
  after: Projection,
  now: number,
): ReadonlyMap<string, number> {
  const facets = new Map<string, number>();
  for (const [facet, at] of met(known, before, after, now)) facets.set(facet, at);
  for (const [facet, atFirstSight] of facetsOf(after, now))
    facets.set(facet, known.get(facet) ?? (before && !facet.endsWith('/crashing') ? now : atFirstSight));
  // A run that lasted ends a series of crashes: the next crash begins another.
  for (const state of after.kind === 'Pod' ? after.containers : []) {
    const facet = `container/${state.name}/crashing`;
    const began = facets.get(facet);
    const end = lastEnd(state);
    if (began === undefined || end?.finishedAt === undefined) continue;
    const ranMs = end.finishedAt - (end.startedAt ?? end.finishedAt);
    if (ranMs >= goodRunMs) facets.set(facet, Math.max(began, end.finishedAt));
  }
  return facets;
}

/** The API's own time of a facet, where it has one: `condition/Ready`, `container/api/running`, `deleted`. */
export function facetInApi(view: Projection, facet: string): number | undefined {
  const [kind, name, state] = facet.split('/');
  if (kind === 'condition' && 'conditions' in view) return view.conditions.find(({ type }) => type === name)?.since;
  if (view.kind !== 'Pod') return undefined;
  const container = kind === 'container' ? view.containers.find((entry) => entry.name === name) : undefined;
  const times: Record<string, number | undefined> = {
    ...given({ running: container?.running?.startedAt, terminated: container?.terminated?.finishedAt }),
  };
  return times[state ?? ''];
}
