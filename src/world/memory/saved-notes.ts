import type { HeardSign } from '../../model/heard-sign.ts';
import { isRef, type Ref } from '../../model/ref.ts';
import { fits, listOf, number, pairOf, record, type Shape, text } from '../../model/shape.ts';
import { given } from '../reading/fields.ts';
import type { RunsSinceSuccess } from './cron-runs.ts';
import { heardSign } from './heard-signs.ts';
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

const ofContainers = <T>(shape: Shape<T>) => listOf(pairOf(text, shape));

/** Whether something remembered has the shape of notes. */
export const isSavedNotes = fits(
  record<SavedNotes>(
    {
      uid: text,
      facets: ofContainers(number),
      restarts: ofContainers(listOf(record<RestartNote>({ at: number, before: number }))),
      pullErrors: ofContainers(text),
    },
    {
      turns: ofContainers(listOf(number)),
      signs: listOf(heardSign),
      words: text,
      line: text,
      runs: record<RunsSinceSuccess>({ first: number, last: number, count: number }),
    },
  ),
);

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
