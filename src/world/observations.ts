import type { Ref } from '../model/ref.ts';
import { given } from './fields.ts';
import type { ContainerState, PodView } from './kinds/pod.ts';
import type { Projection } from './kinds.ts';

/** A kubelet resets its back-off after a container ran this long (twice its longest back-off of 5 minutes). */
export const goodRunMs = 10 * 60_000;

/** `restarts` went beyond `before` at `at`, or no later. */
type RestartNote = { readonly at: number; readonly before: number };

/** What of one object only somebody who kept watching can know. */
type Notes = {
  /** Facets without a time in the API, by when they began. */
  facets: Map<string, number>;
  restarts: Map<string, RestartNote[]>;
  pullErrors: Map<string, string>;
};

/** How long restarts are remembered, and how many of one container. */
const restartMemoryMs = 60 * 60_000;
const maxRestartNotes = 12;

/** Waiting reasons that a kubelet alternates between for one and the same trouble. */
const waitingFamily: ReadonlyMap<string, string> = new Map([
  ['ErrImagePull', 'ImagePullBackOff'],
  ['RegistryUnavailable', 'ImagePullBackOff'],
]);

/** The message of `ImagePullBackOff` that tells nothing: `Back-off pulling image "x"`. */
const bareBackOff = /^Back-off pulling image "[^"]*"$/;

/** When the current run of a container began and how the one before ended, whichever state it is in. */
function lastEnd({ terminated, last }: ContainerState): ContainerState['last'] {
  return terminated ?? last;
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
        const family = waitingFamily.get(state.waiting.reason) ?? state.waiting.reason;
        facets.set(`${prefix}/waiting/${family}`, waitingSince(view, state, now));
      }
      if (isCrashing(state, now)) facets.set(`${prefix}/crashing`, lastEnd(state)?.finishedAt ?? now);
    }
  } else if ('replicas' in view && view.ready < view.replicas) facets.set('short', now);
  return facets;
}

/** Whether there can be nothing to note of an object that nothing was noted of before. */
function isUneventful(view: Projection): boolean {
  if (view.kind !== 'Pod') return !('replicas' in view && view.ready < view.replicas);
  return view.containers.every((state) => state.restarts === 0 && !state.waiting && lastEnd(state) === undefined);
}

/** At first sight of a container that waits: since its last end, or since its Pod could begin with it. */
function waitingSince(pod: PodView, state: ContainerState, now: number): number {
  const isInit = pod.template.containers.some(({ name, role }) => name === state.name && role !== 'main');
  const ready = pod.conditions.find(({ type }) => type === (isInit ? 'PodScheduled' : 'Initialized'));
  const began = ready?.status === 'True' ? ready.since : (pod.startedAt ?? pod.createdAt);
  return Math.min(now, lastEnd(state)?.finishedAt ?? began);
}

/** Keeps notes of objects while there is something to note. */
export type ObservationStore = {
  /** Compares an object with what was seen of it before (`undefined` at first sight). */
  note(before: Projection | undefined, after: Projection, now: number): void;
  drop(ref: Ref): void;
  facet(ref: Ref, facet: string): number | undefined;
  restartsAfter(view: PodView, container: string, afterMs: number): number;
  pullError(ref: Ref, container: string): string | undefined;
  expire(now: number): void;
};

/** Builds an empty note book. */
export function createObservationStore(): ObservationStore {
  const book = new Map<Ref, Notes>();

  function noteFacets(notes: Notes, before: Projection | undefined, after: Projection, now: number): void {
    const facets = new Map<string, number>();
    for (const [facet, atFirstSight] of facetsOf(after, now)) {
      const began = notes.facets.get(facet) ?? (before && !facet.endsWith('/crashing') ? now : atFirstSight);
      facets.set(facet, began);
    }
    if (after.kind === 'Pod') {
      // A run that lasted ends a series of crashes: the next crash begins another.
      for (const state of after.containers) {
        const facet = `container/${state.name}/crashing`;
        const end = lastEnd(state);
        const ran = (end?.finishedAt ?? 0) - (end?.startedAt ?? end?.finishedAt ?? 0);
        if (end?.finishedAt !== undefined && ran >= goodRunMs && facets.has(facet))
          facets.set(facet, Math.max(facets.get(facet) ?? 0, end.finishedAt));
      }
    }
    notes.facets = facets;
  }

  function noteRestarts(notes: Notes, before: Projection | undefined, pod: PodView, now: number): void {
    const known = new Map(before?.kind === 'Pod' ? before.containers.map((state) => [state.name, state]) : []);
    for (const state of pod.containers) {
      const previous = known.get(state.name)?.restarts;
      const ended = lastEnd(state)?.finishedAt ?? now;
      const fresh: RestartNote[] = [];
      if (previous === undefined && state.restarts > 0) {
        // At first sight: none when the Pod began, all but the last before the last end.
        fresh.push({ at: pod.startedAt ?? pod.createdAt, before: 0 }, { at: ended, before: state.restarts - 1 });
      } else if (previous !== undefined && state.restarts > previous) fresh.push({ at: ended, before: previous });
      const kept = [...(notes.restarts.get(state.name) ?? []), ...fresh].filter(({ at }) => at > now - restartMemoryMs);
      if (kept.length > 0) notes.restarts.set(state.name, kept.slice(-maxRestartNotes));
      else notes.restarts.delete(state.name);
    }
  }

  function notePullErrors(notes: Notes, pod: PodView): void {
    for (const { name, waiting } of pod.containers) {
      const pulling = waiting && (waitingFamily.get(waiting.reason) ?? waiting.reason) === 'ImagePullBackOff';
      if (!pulling) notes.pullErrors.delete(name);
      else if (waiting.message !== '' && !bareBackOff.test(waiting.message))
        notes.pullErrors.set(name, waiting.message);
    }
  }

  return {
    note(before, after, now) {
      // Most objects never have anything to note.
      if (!book.has(after.ref) && isUneventful(after)) return;
      const notes = book.get(after.ref) ?? { facets: new Map(), restarts: new Map(), pullErrors: new Map() };
      noteFacets(notes, before, after, now);
      if (after.kind === 'Pod') {
        noteRestarts(notes, before, after, now);
        notePullErrors(notes, after);
      }
      const empty = notes.facets.size + notes.restarts.size + notes.pullErrors.size === 0;
      if (empty) book.delete(after.ref);
      else book.set(after.ref, notes);
    },
    drop: (ref) => void book.delete(ref),
    facet: (ref, facet) => book.get(ref)?.facets.get(facet),
    restartsAfter(view, container, afterMs) {
      const restarts = view.containers.find(({ name }) => name === container)?.restarts ?? 0;
      const notes = book.get(view.ref)?.restarts.get(container) ?? [];
      return Math.max(0, ...notes.filter(({ at }) => at > afterMs).map(({ before }) => restarts - before));
    },
    pullError: (ref, container) => book.get(ref)?.pullErrors.get(container),
    expire(now) {
      for (const [ref, notes] of book) {
        for (const [container, list] of notes.restarts)
          if (list.every(({ at }) => at <= now - restartMemoryMs)) notes.restarts.delete(container);
        if (notes.facets.size + notes.restarts.size + notes.pullErrors.size === 0) book.delete(ref);
      }
    },
  };
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
