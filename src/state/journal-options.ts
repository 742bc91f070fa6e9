import type { Clock } from '../model/clock.ts';
import type { SaveProblem } from './problem.ts';
import type { Thread } from './thread.ts';

/** What a journal works with. */
export type JournalOptions = {
  readonly thread: Thread;
  readonly clock: Clock;
  /** Whether the directory is ours at this moment: nothing is sent to the disk otherwise. */
  readonly mayWrite: () => boolean;
  /** Told why nothing can be saved any more, and of `undefined` when everything is saved again. */
  readonly onProblem: (problem: SaveProblem | undefined) => void;
  /** Told that an older file was in the way and is kept under this name. */
  readonly onAside: (name: string) => void;
  /** Told how many rows of history had to go, since the file is too large. */
  readonly onTrimmed: (rows: number) => void;
};
