import type { Clock } from '../model/clock.ts';
import type { LockAttempt } from './lock-file.ts';
import type { SaveProblem } from './problem.ts';
import type { Answer } from './protocol.ts';
import type { Thread } from './thread.ts';

/** Between two attempts; milliseconds. */
const retryMs = 1_000;
/** A disk that has not answered for so long does not answer. Milliseconds. */
const answerMs = 10_000;

/** Whether the state directory is ours. `busy`: another process has it. `unavailable`: nobody can have it, as the disk is. */
export type DirectoryLockState = { readonly is: 'waiting' } | { readonly is: 'released' } | LockAttempt;

/**
 * The exclusive lock of the state directory: who holds it is the only process that reads and writes there. The kernel lets it
 * go when the process ends. Tries until it is held or released.
 */
export class DirectoryLock {
  readonly #thread: Thread;
  readonly #clock: Clock;
  readonly #changed: (state: DirectoryLockState) => void;
  #state: DirectoryLockState = { is: 'released' };
  #cancel = (): void => undefined;
  /** Attempts that are not answered yet: only the last one counts. */
  #asked = 0;

  /** `changed` is told of every new state. */
  constructor(thread: Thread, clock: Clock, changed: (state: DirectoryLockState) => void) {
    this.#thread = thread;
    this.#clock = clock;
    this.#changed = changed;
    thread.listen((answer) => this.#hear(answer));
  }

  get state(): DirectoryLockState {
    return this.#state;
  }

  get held(): boolean {
    return this.#state.is === 'held';
  }

  /** Begins to try. */
  acquire(): void {
    if (this.#state.is !== 'released') return;
    this.#become({ is: 'waiting' });
    this.#try();
  }

  /** Lets it go; nothing is written any more. */
  release(): void {
    if (this.#state.is === 'released') return;
    this.#cancel();
    this.#thread.ask({ do: 'unlock' });
    this.#become({ is: 'released' });
  }

  #try(): void {
    this.#asked += 1;
    this.#thread.ask({ do: 'lock' });
    const problem: SaveProblem = {
      code: 'Slow',
      message: `the disk of the state directory has not answered for ${answerMs / 1000} s`,
    };
    this.#cancel = this.#clock.after(answerMs, () => this.#become({ is: 'unavailable', problem }));
  }

  #hear(answer: Answer): void {
    if (answer.is !== 'lock') return;
    this.#asked -= 1;
    if (this.#asked > 0 || this.#state.is === 'released') return;
    this.#cancel();
    this.#become(answer.attempt);
    if (answer.attempt.is !== 'held') this.#cancel = this.#clock.after(retryMs, () => this.#try());
  }

  #become(state: DirectoryLockState): void {
    const { is } = this.#state;
    this.#state = state;
    if (is !== state.is) this.#changed(state);
  }
}
