import type { HeardSign } from '../../model/heard-sign.ts';
import type { Projection } from '../kinds/kinds.ts';
import type { PodView } from '../kinds/workloads/pod.ts';
import { given } from '../reading/fields.ts';
import type { Condition } from '../reading/meta.ts';
import { joinedRuns, type RunsSinceSuccess, runsAfter } from './cron-runs.ts';
import { facetsAfter, goodRunMs, lastEnd, statedFacets, waitsFor } from './facets.ts';
import { heardAfter, joinedSigns } from './heard-signs.ts';
import { type Turns, turnsAfter } from './turns.ts';

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
  /** What its containers said of why they fail, most telling first. */
  readonly signs: readonly HeardSign[];
  /** The last words of a container whose log was read and gave no sign (`last-words.ts`); empty where it said nothing, or gave one. */
  readonly words?: string;
  /** The last line of a container, from its log or its termination message: what people know failures of their own by. */
  readonly line?: string;
  readonly runs?: RunsSinceSuccess;
};

/** Nothing is noted of an object. */
export const nothing: Omit<Notes, 'uid'> = {
  facets: new Map(),
  restarts: new Map(),
  pullErrors: new Map(),
  turns: new Map(),
  signs: [],
};

/** How long restarts are remembered, and how many of one container. */
const restartMemoryMs = 60 * 60_000;
const maxRestartNotes = 12;

/** The message of `ImagePullBackOff` that tells nothing: `Back-off pulling image "x"`. */
const bareBackOff = /^Back-off pulling image "[^"]*"$/;

/** Whether there can be nothing to note of an object that nothing was noted of before. */
export function isUneventful(view: Projection): boolean {
  if (view.kind === 'CronJob') return runsAfter(undefined, view, false) === undefined;
  if (view.kind !== 'Pod') return statedFacets(view).length === 0;
  return view.containers.every((state) => state.restarts === 0 && !state.waiting && lastEnd(state) === undefined);
}

/** What is noted of an object after it was seen again; `turned`: conditions that have just turned from or to True. */
export function notesAfter(
  last: Notes | undefined,
  before: Projection | undefined,
  after: Projection,
  turned: readonly Condition[],
  now: number,
): Notes {
  // One made anew under the same name, while nobody looked.
  const known = last?.uid === after.uid ? last : nothing;
  const { signs, words, line } =
    after.kind === 'Pod' ? heardAfter(known, before?.kind === 'Pod' ? before : undefined, after, now) : known;
  return {
    uid: after.uid,
    facets: facetsAfter(known.facets, before, after, now),
    restarts: after.kind === 'Pod' ? restartsAfter(known.restarts, before, after, now) : known.restarts,
    pullErrors: after.kind === 'Pod' ? pullErrorsAfter(known.pullErrors, after) : known.pullErrors,
    turns: turnsAfter(known.turns, turned, now),
    signs,
    ...given({
      words,
      line,
      runs: after.kind === 'CronJob' ? runsAfter(known.runs, after, before === undefined) : undefined,
    }),
  };
}

/** What was noted of an object before a restart, and what holds of it now: that lasts since it was first noted. */
export function joined(before: Notes, met: Notes): Notes {
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
    signs: joinedSigns(before.signs, met.signs),
    ...given({
      words: met.words ?? before.words,
      line: met.line ?? before.line,
      runs: met.runs && joinedRuns(before.runs, met.runs),
    }),
  };
}

/** Whether there is nothing to keep. */
export function isEmpty({ facets, restarts, pullErrors, turns, signs, words, line, runs }: Notes): boolean {
  const noted = facets.size + restarts.size + pullErrors.size + turns.size + signs.length;
  return noted === 0 && words === undefined && line === undefined && runs === undefined;
}

/** Whether some of it will be too old for anybody to ask for. */
export const canAge = ({ restarts, turns }: Notes): boolean => restarts.size > 0 || turns.size > 0;

/** The notes without what is too old for anybody to ask for; the same if nothing is. */
export function withoutOld(notes: Notes, now: number): Notes {
  const [restarts, turns] = [recentRestarts(notes.restarts, now), turnsAfter(notes.turns, [], now)];
  return restarts === notes.restarts && turns === notes.turns ? notes : { ...notes, restarts, turns };
}

/** Restarts not too old for anybody to ask for; the same if all are. */
function recentRestarts(known: Notes['restarts'], now: number): Notes['restarts'] {
  const isOld = (list: readonly RestartNote[]): boolean => list.every(({ at }) => at <= now - restartMemoryMs);
  if (known.size === 0 || ![...known.values()].some(isOld)) return known;
  return new Map([...known].filter(([, list]) => !isOld(list)));
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

/** What an Event that counts the starts of a container tells: how many there were from the first to the last (epoch milliseconds). */
export type StartsTold = {
  readonly container: string;
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
};

/**
 * The notes with what such an Event tells of a container that was met when it had restarted already: when the first of these restarts was, and
 * where they followed each other so closely that no run between them was a good one, that it has crashed since.
 */
export function withStartsTold(
  notes: Notes,
  { container, count, firstAt, lastAt }: StartsTold,
  restarted: number,
): Notes {
  if (restarted === 0) return notes;
  const told = { at: firstAt, before: Math.max(0, restarted - count) };
  const known = notes.restarts.get(container) ?? [];
  const restarts = new Map(notes.restarts).set(container, [...known, told].slice(-maxRestartNotes));
  const facet = `container/${container}/crashing`;
  const since = notes.facets.get(facet);
  const isSeries = since !== undefined && count > 1 && (lastAt - firstAt) / (count - 1) < goodRunMs;
  return isSeries
    ? { ...notes, restarts, facets: new Map(notes.facets).set(facet, Math.min(since, firstAt)) }
    : { ...notes, restarts };
}

function pullErrorsAfter(known: Notes['pullErrors'], pod: PodView): Notes['pullErrors'] {
  const errors = new Map<string, string>();
  for (const { name, waiting } of pod.containers) {
    if (!waiting || waitsFor(waiting.reason) !== 'ImagePullBackOff') continue;
    const says = waiting.message !== '' && !bareBackOff.test(waiting.message) ? waiting.message : known.get(name);
    if (says !== undefined) errors.set(name, says);
  }
  return errors;
}
