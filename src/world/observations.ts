import { isDeepStrictEqual } from 'node:util';
import { kindOf, type Ref } from '../model/ref.ts';
import { joinedRuns, type RunsSinceSuccess, runsAfter } from './cron-runs.ts';
import { given } from './fields.ts';
import type { ContainerState, PodView } from './kinds/pod.ts';
import { type Projection, statedKind } from './kinds.ts';
import { noTurns, type Turns, turnedOf, turnsAfter } from './turns.ts';

/** A kubelet resets its back-off after a container ran this long (twice its longest back-off of 5 minutes). */
export const goodRunMs = 10 * 60_000;

/** `restarts` went beyond `before` at `at`, or no later. */
export type RestartNote = { readonly at: number; readonly before: number };

/** What of one object only somebody who kept watching can know. */
export type Notes = {
  /** UID of the object: of its namesake nothing is known. */
  readonly uid: string;
  /** Facets without a time in the API, by when they began. */
  readonly facets: ReadonlyMap<string, number>;
  readonly restarts: ReadonlyMap<string, readonly RestartNote[]>;
  readonly pullErrors: ReadonlyMap<string, string>;
  /** Condition types that turned from or to True in the last hour, by when (the oldest first). */
  readonly turns: Turns;
  readonly runs?: RunsSinceSuccess;
};

const noFacets: readonly string[] = [];
const nothing: Omit<Notes, 'uid'> = { facets: new Map(), restarts: new Map(), pullErrors: new Map(), turns: new Map() };

/** How long restarts are remembered, and how many of one container. */
const restartMemoryMs = 60 * 60_000;
/** How often what is too old is looked for: turns follow each other closer, and nobody asks for it meanwhile. */
const expiryEveryMs = 60_000;
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
        facets.set(`${prefix}/waiting/${family}`, waitingSince(view, state));
      }
      if (isCrashing(state, now)) facets.set(`${prefix}/crashing`, lastEnd(state)?.finishedAt ?? now);
    }
  } else for (const facet of statedFacets(view)) facets.set(facet, now);
  return facets;
}

/** What the row of its kind says holds of an object now. */
function statedFacets(view: Projection): readonly string[] {
  return statedKind(kindOf(view.ref))?.facets?.(view) ?? noFacets;
}

/** Whether there can be nothing to note of an object that nothing was noted of before. */
function isUneventful(view: Projection): boolean {
  if (view.kind === 'CronJob') return runsAfter(undefined, view, false) === undefined;
  if (view.kind !== 'Pod') return statedFacets(view).length === 0;
  return view.containers.every((state) => state.restarts === 0 && !state.waiting && lastEnd(state) === undefined);
}

/** At first sight of a container that waits: since its last end, or since its Pod could begin with it. */
function waitingSince(pod: PodView, state: ContainerState): number {
  const isInit = pod.template.containers.some(({ name, role }) => name === state.name && role !== 'main');
  const ready = pod.conditions.find(({ type }) => type === (isInit ? 'PodScheduled' : 'Initialized'));
  const began = ready?.status === 'True' ? ready.since : (pod.startedAt ?? pod.createdAt);
  return lastEnd(state)?.finishedAt ?? began;
}

/** What was observed of objects, kept while there is something to keep. Times are epoch milliseconds. */
export class Observations {
  readonly #notes = new Map<Ref, Notes>();
  /** Objects of which something else was noted since it was last asked. */
  readonly #changed = new Set<Ref>();
  /** Objects of which something was noted before a restart, and that have not been seen since. */
  readonly #awaited = new Set<Ref>();
  #expiresAt = 0;

  /** Compares an object with what was seen of it before (`undefined` at first sight). */
  note(before: Projection | undefined, after: Projection, now: number): void {
    // Most objects never have anything to note.
    const turned = turnedOf(before, after);
    if (!this.#notes.has(after.ref) && turned.length === 0 && isUneventful(after)) return;
    const last = this.#notes.get(after.ref);
    // One made anew under the same name, while nobody looked.
    const known = last?.uid === after.uid ? last : nothing;
    const notes = {
      uid: after.uid,
      facets: facetsAfter(known.facets, before, after, now),
      restarts: after.kind === 'Pod' ? restartsAfter(known.restarts, before, after, now) : known.restarts,
      pullErrors: after.kind === 'Pod' ? pullErrorsAfter(known.pullErrors, after) : known.pullErrors,
      turns: turnsAfter(known.turns, turned, now),
      ...given({ runs: after.kind === 'CronJob' ? runsAfter(known.runs, after, before === undefined) : undefined }),
    };
    this.#keep(after.ref, notes);
  }

  drop(ref: Ref): void {
    if (this.#notes.delete(ref)) this.#changed.add(ref);
  }

  /** What was noted before a restart. Objects may have been met again since, when nothing was known of them. */
  restore(notes: ReadonlyMap<Ref, Notes>): void {
    for (const [ref, before] of notes) {
      const met = this.#notes.get(ref);
      if (met && met.uid !== before.uid) continue;
      this.#notes.set(ref, met ? joined(before, met) : before);
      if (!met) this.#awaited.add(ref);
    }
  }

  /** Looks for what was noted before a restart: of what went meanwhile nothing is kept. */
  look(get: (ref: Ref) => unknown): void {
    for (const ref of this.#awaited) {
      const object = get(ref);
      if (object !== 'unknown') this.#awaited.delete(ref);
      if (object === 'absent') this.drop(ref);
    }
  }

  /** What is noted of the objects of which something else is since the last call; `undefined`: nothing any more. */
  takeChanges(): ReadonlyMap<Ref, Notes | undefined> {
    const changes = new Map([...this.#changed].map((ref) => [ref, this.#notes.get(ref)]));
    this.#changed.clear();
    return changes;
  }

  #keep(ref: Ref, notes: Notes): void {
    const known = this.#notes.get(ref);
    if (isEmpty(notes)) {
      if (this.#notes.delete(ref)) this.#changed.add(ref);
    } else if (known === undefined || !isDeepStrictEqual(known, notes)) {
      this.#notes.set(ref, notes);
      this.#changed.add(ref);
    }
  }

  /** Since when a facet has been as it is, if that is not in the API. */
  facet(ref: Ref, facet: string): number | undefined {
    return this.#notes.get(ref)?.facets.get(facet);
  }

  /** How often a container restarted after an instant, as far as it was seen or follows from the Pod's age. */
  restartsAfter(view: PodView, container: string, afterMs: number): number {
    const restarts = view.containers.find(({ name }) => name === container)?.restarts ?? 0;
    const notes = this.#notes.get(view.ref)?.restarts.get(container) ?? [];
    return notes.reduce((most, { at, before }) => (at > afterMs ? Math.max(most, restarts - before) : most), 0);
  }

  /** When a condition turned from or to True in the last hour, the oldest first. */
  turns(ref: Ref, type: string): readonly number[] {
    return this.#notes.get(ref)?.turns.get(type) ?? noTurns;
  }

  /** The newest message of a failing pull that told its cause. */
  pullError(ref: Ref, container: string): string | undefined {
    return this.#notes.get(ref)?.pullErrors.get(container);
  }

  /** The runs of a CronJob since its last success. */
  runsSinceSuccess(ref: Ref): RunsSinceSuccess | undefined {
    return this.#notes.get(ref)?.runs;
  }

  /** Forgets restarts too old for anybody to ask for. */
  expire(now: number): void {
    if (now < this.#expiresAt) return;
    this.#expiresAt = now + expiryEveryMs;
    for (const [ref, notes] of this.#notes) {
      const [restarts, turns] = [recentRestarts(notes.restarts, now), turnsAfter(notes.turns, [], now)];
      if (restarts !== notes.restarts || turns !== notes.turns) this.#keep(ref, { ...notes, restarts, turns });
    }
  }
}

/** Restarts not too old for anybody to ask for; the same if all are. */
function recentRestarts(known: Notes['restarts'], now: number): Notes['restarts'] {
  const isOld = (list: readonly RestartNote[]): boolean => list.every(({ at }) => at <= now - restartMemoryMs);
  if (known.size === 0 || ![...known.values()].some(isOld)) return known;
  return new Map([...known].filter(([, list]) => !isOld(list)));
}

/** What was noted of an object before a restart, and what holds of it now: that lasts since it was first noted. */
function joined(before: Notes, met: Notes): Notes {
  const restarts = [...new Set([...before.restarts.keys(), ...met.restarts.keys()])].map((name) => {
    const notes = [...(before.restarts.get(name) ?? []), ...(met.restarts.get(name) ?? [])];
    return [name, notes.slice(-maxRestartNotes)] as const;
  });
  return {
    uid: met.uid,
    facets: new Map([...met.facets].map(([facet, at]) => [facet, before.facets.get(facet) ?? at])),
    restarts: new Map(restarts),
    pullErrors: new Map([...before.pullErrors, ...met.pullErrors]),
    turns: new Map([...before.turns, ...met.turns]),
    ...given({ runs: met.runs && joinedRuns(before.runs, met.runs) }),
  };
}

function isEmpty({ facets, restarts, pullErrors, turns, runs }: Omit<Notes, 'uid'>): boolean {
  return facets.size + restarts.size + pullErrors.size + turns.size === 0 && runs === undefined;
}

function facetsAfter(known: Notes['facets'], before: Projection | undefined, after: Projection, now: number) {
  const facets = new Map<string, number>();
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

function restartsAfter(known: Notes['restarts'], before: Projection | undefined, pod: PodView, now: number) {
  const counts = new Map(before?.kind === 'Pod' ? before.containers.map(({ name, restarts }) => [name, restarts]) : []);
  const restarts = new Map<string, readonly RestartNote[]>();
  for (const state of pod.containers) {
    const previous = counts.get(state.name);
    const ended = lastEnd(state)?.finishedAt ?? now;
    const fresh: RestartNote[] = [];
    if (previous === undefined && state.restarts > 0) {
      // At first sight: none when the Pod began, all but the last before the last end.
      fresh.push({ at: pod.startedAt ?? pod.createdAt, before: 0 }, { at: ended, before: state.restarts - 1 });
    } else if (previous !== undefined && state.restarts > previous) fresh.push({ at: ended, before: previous });
    const kept = [...(known.get(state.name) ?? []), ...fresh].filter(({ at }) => at > now - restartMemoryMs);
    if (kept.length > 0) restarts.set(state.name, kept.slice(-maxRestartNotes));
  }
  return restarts;
}

function pullErrorsAfter(known: Notes['pullErrors'], pod: PodView): Notes['pullErrors'] {
  const errors = new Map<string, string>();
  for (const { name, waiting } of pod.containers) {
    if (!waiting || (waitingFamily.get(waiting.reason) ?? waiting.reason) !== 'ImagePullBackOff') continue;
    const says = waiting.message !== '' && !bareBackOff.test(waiting.message) ? waiting.message : known.get(name);
    if (says !== undefined) errors.set(name, says);
  }
  return errors;
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
