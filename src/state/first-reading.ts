import type { Clock } from '../model/clock.ts';
import type { SaveProblem } from './problem.ts';
import type { Answer, Opening } from './protocol.ts';
import { Reading, type SavedRows } from './reading.ts';
import type { Thread } from './thread.ts';

/** What was saved must have been read after this, or it is gone without; milliseconds. */
const readMs = 15_000;

/** What was found at the start. `unread`: there may be something, which could not be read; it is never written over. */
export type Found = Omit<Opening, 'savedAt'> & { readonly saved: SavedRows | undefined };

/** Reads at the start what an earlier process saved, as far as the disk answers in time. */
export class FirstReading {
  readonly #thread: Thread;
  readonly #clock: Clock;
  readonly #onProblem: (problem: SaveProblem) => void;
  /** Takes what is read, while it is. */
  #reading: { readonly rows: Reading; readonly finish: (opening: Opening) => void } | undefined;

  constructor(
    { thread, clock }: { readonly thread: Thread; readonly clock: Clock },
    onProblem: (problem: SaveProblem) => void,
  ) {
    this.#thread = thread;
    this.#clock = clock;
    this.#onProblem = onProblem;
  }

  /** Reads what was saved. Never rejects, and takes at most 15 s. */
  read(): Promise<Found> {
    const rows = new Reading();
    return new Promise((resolve) => {
      const finish = ({ savedAt, ...opening }: Opening): void => {
        this.#reading = undefined;
        cancel();
        if (opening.problem) this.#onProblem(opening.problem);
        // What was read of a copy is in no file that is written; what is set aside now leaves it with the next transaction.
        const isInFile = opening.problem === undefined && opening.setAside?.latest === undefined;
        resolve({ ...opening, saved: opening.is === 'read' ? rows.finish(savedAt, isInFile) : undefined });
      };
      const problem: SaveProblem = { code: 'Slow', message: `the disk has not answered for ${readMs / 1000} s` };
      const cancel = this.#clock.after(readMs, () => {
        this.#thread.ask({ do: 'leaveUnread' });
        finish({ is: 'unread', problem });
      });
      this.#reading = { rows, finish };
      this.#thread.ask({ do: 'open', now: this.#clock.now() });
    });
  }

  /** An answer of the thread: what concerns others is left alone. */
  hear(answer: Answer): void {
    if (answer.is === 'rows') this.#reading?.rows.take(answer.rows);
    if (answer.is === 'opened') this.#reading?.finish(answer.opening);
  }
}
