import type { HeardSign } from '../../model/heard-sign.ts';
import { isListOf, isNumber, isText } from '../../model/memory.ts';
import { isRef, type Ref } from '../../model/ref.ts';
import { given } from '../reading/fields.ts';
import type { RunsSinceSuccess } from './cron-runs.ts';
import { isHeardSign } from './heard-signs.ts';
import type { Notes, RestartNote } from './notes.ts';

/** Notes as plain JSON. */
export type SavedNotes = {
  readonly uid: string;
  readonly facets: readonly (readonly [string, number])[];
  readonly restarts: readonly (readonly [string, readonly RestartNote[]])[];
  readonly pullErrors: readonly (readonly [string, string])[];
  /** Absent in what was saved before turns of conditions were noted. */
  readonly turns?: readonly (readonly [string, readonly number[]])[];
  /** Absent: nothing was heard. */
  readonly signs?: readonly HeardSign[];
  /** Absent: no log was read. */
  readonly words?: string;
  /** Absent: none was read. */
  readonly line?: string;
  readonly runs?: RunsSinceSuccess;
};

function isPair<T>(value: unknown, is: (item: unknown) => item is T): value is readonly [string, T] {
  return Array.isArray(value) && value.length === 2 && isText(value[0]) && is(value[1]);
}

function isRestartNote(value: unknown): value is RestartNote {
  if (typeof value !== 'object' || value === null) return false;
  return 'at' in value && isNumber(value.at) && 'before' in value && isNumber(value.before);
}

const isFacet = (value: unknown): value is readonly [string, number] => isPair(value, isNumber);
const isPullError = (value: unknown): value is readonly [string, string] => isPair(value, isText);
const areRestarts = (value: unknown): value is readonly RestartNote[] => isListOf(value, isRestartNote);
const areTimes = (value: unknown): value is readonly number[] => isListOf(value, isNumber);
const isTurns = (value: unknown): value is readonly [string, readonly number[]] => isPair(value, areTimes);
const isRestarts = (value: unknown): value is readonly [string, readonly RestartNote[]] => isPair(value, areRestarts);

function isRuns(value: unknown): value is RunsSinceSuccess | undefined {
  if (value === undefined) return true;
  if (typeof value !== 'object' || value === null) return false;
  const { first, last, count }: Partial<Record<string, unknown>> = { ...value };
  return isNumber(first) && isNumber(last) && isNumber(count);
}

/** Whether something remembered has the shape of notes. */
export function isSavedNotes(value: unknown): value is SavedNotes {
  if (typeof value !== 'object' || value === null) return false;
  const {
    uid,
    facets,
    restarts,
    pullErrors,
    turns = [],
    signs = [],
    words = '',
    line = '',
    runs,
  }: Partial<Record<string, unknown>> = { ...value };
  return (
    isText(uid) &&
    isListOf(facets, isFacet) &&
    isListOf(restarts, isRestarts) &&
    isListOf(pullErrors, isPullError) &&
    isListOf(turns, isTurns) &&
    isListOf(signs, isHeardSign) &&
    isText(words) &&
    isText(line) &&
    isRuns(runs)
  );
}

/** Notes as they are saved. */
export function savedNotes({ uid, facets, restarts, pullErrors, turns, signs, words, line, runs }: Notes): SavedNotes {
  return {
    uid,
    facets: [...facets],
    restarts: [...restarts],
    pullErrors: [...pullErrors],
    ...(turns.size > 0 && { turns: [...turns] }),
    ...(signs.length > 0 && { signs }),
    ...given({ words, line, runs }),
  };
}

/** Saved notes by object, as they are held. */
export function notesOf(saved: ReadonlyMap<string, SavedNotes>): ReadonlyMap<Ref, Notes> {
  const notes = new Map<Ref, Notes>();
  for (const [ref, { uid, facets, restarts, pullErrors, turns, signs = [], words, line, runs }] of saved)
    if (isRef(ref))
      notes.set(ref, {
        uid,
        facets: new Map(facets),
        restarts: new Map(restarts),
        pullErrors: new Map(pullErrors),
        turns: new Map(turns),
        signs,
        ...given({ words, line, runs }),
      });
  return notes;
}
