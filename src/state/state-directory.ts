import type { Clock } from '../model/clock.ts';
import type { Size } from './database.ts';
import { DirectoryLock, type DirectoryLockState } from './directory-lock.ts';
import { Journal } from './journal.ts';
import type { JournalOptions } from './journal-options.ts';
import { startThread, type Thread } from './thread.ts';

/** What the state directory is used with. */
export type StateDirectoryOptions = Pick<JournalOptions, 'onProblem' | 'onAside' | 'onTrimmed'> & {
  readonly directory: string;
  readonly clock: Clock;
  /** How large the state file may become. */
  readonly size?: Size;
  /** Whether this process may act at this very moment, besides holding the lock of the directory; without it: yes. */
  readonly mayAct?: () => boolean;
  readonly onLock: (state: DirectoryLockState) => void;
  /** Told of a bug in the thread that writes: the lock is gone with it. */
  readonly crashed: (error: Error) => void;
};

/** The directory where state is saved: its lock, and the journal behind the store. */
export class StateDirectory {
  readonly lock: DirectoryLock;
  readonly journal: Journal;
  readonly #thread: Thread;
  readonly #clock: Clock;
  #closing: Promise<void> | undefined;

  constructor({ directory, clock, size, mayAct = () => true, onLock, crashed, ...told }: StateDirectoryOptions) {
    this.#clock = clock;
    this.#thread = startThread({ directory, ...(size && { size }) }, crashed);
    this.lock = new DirectoryLock(this.#thread, clock, (state) => {
      if (state.is === 'held') this.journal.wake();
      onLock(state);
    });
    this.journal = new Journal({ thread: this.#thread, clock, mayWrite: () => this.lock.held && mayAct(), ...told });
  }

  /** Saves what waits, lets the lock go and ends the thread, each within `deadlineMs`. */
  close(deadlineMs: number): Promise<void> {
    this.#closing ??= this.#close(deadlineMs);
    return this.#closing;
  }

  async #close(deadlineMs: number): Promise<void> {
    await this.journal.settle(deadlineMs);
    this.journal.close();
    await new Promise<void>((resolve) => {
      const cancel = this.#clock.after(deadlineMs, resolve);
      this.#thread.listen(({ is }) => {
        if (is !== 'closed') return;
        cancel();
        resolve();
      });
      this.#thread.ask({ do: 'close' });
    });
    this.#thread.end();
  }
}
