import type { Clock } from '../../model/clock.ts';
import type { StateView } from '../../model/state-view.ts';
import type { DirectoryLockState } from '../../state/directory-lock.ts';
import type { Durability } from '../../state/durability.ts';
import type { Found } from '../../state/first-reading.ts';
import type { SaveProblem } from '../../state/problem.ts';
import type { SetAside } from '../../state/quarantine.ts';
import { StateDirectory } from '../../state/state-directory.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { durabilityNow } from './saved-state.ts';

/** A damaged file or row is news for a day; afterwards only the log and the metrics have it. Milliseconds. */
const asideNewsMs = 24 * 3_600_000;
/** What waits to be saved when the process ends gets this long; milliseconds. */
const closeMs = 5_000;

/** What a state volume works with. */
export type StateVolumeOptions = {
  readonly path: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Whether people may be told at this very moment: what became of it is written then, and nothing is otherwise. */
  readonly mayTell: () => boolean;
  /** Told of a bug in the thread that writes: the lock of the directory is gone with it. */
  readonly crashed: (error: Error) => void;
};

/** The state directory through the life of the process: its lock, what was found there, and what is wrong with it. */
export class StateVolume {
  readonly directory: StateDirectory;
  readonly #options: StateVolumeOptions;
  readonly #ours = Promise.withResolvers<void>();
  #durability: Durability = { is: 'unknown' };
  #problem: SaveProblem | undefined;
  #aside: { readonly name: string; readonly at: number } | undefined;
  #setAside: SetAside | undefined;
  #found: Promise<Found> | undefined;
  #changed = (): void => undefined;

  constructor(options: StateVolumeOptions) {
    const { path, clock, log, mayTell, crashed } = options;
    this.#options = options;
    this.directory = new StateDirectory({
      directory: path,
      clock,
      crashed,
      mayAct: mayTell,
      onLock: (state) => this.#onLock(state),
      onProblem: (problem) => this.#onProblem(problem),
      onAside: (name) => this.#onAside(name),
      onTrimmed: (rows) => log.warn({ rows }, 'the state file was too large: its oldest history was removed'),
    });
  }

  /** Takes the lock of the directory, and resolves with what is there once it is ours or nobody can have it. */
  open(): Promise<Found> {
    this.#found ??= this.#open();
    return this.#found;
  }

  /** From now on told when what `view` says is another. */
  onChange(changed: () => void): void {
    this.#changed = changed;
  }

  /** The Lease is held again: what waits is saved. */
  resume(): void {
    this.directory.journal.wake();
  }

  /** Whether no other process can have this directory, which is one that the next Pod gets as well. */
  get fences(): boolean {
    return this.directory.lock.held && this.#durability.is === 'durable';
  }

  /** How it stands. */
  view(): StateView {
    const { path, clock } = this.#options;
    const isNews = (at: number): boolean => clock.now() - at < asideNewsMs;
    return {
      directory: path,
      busy: this.directory.lock.state.is === 'busy',
      durability: this.#durability,
      ...(this.#problem && { problem: this.#problem }),
      ...(this.#aside && isNews(this.#aside.at) && { aside: this.#aside.name }),
      ...(this.#setAside && { setAside: { rows: this.#setAside.rows, isNews: isNews(this.#setAside.lastAt) } }),
    };
  }

  /** Saves what waits and lets the lock go. */
  close(): Promise<void> {
    return this.directory.close(closeMs);
  }

  async #open(): Promise<Found> {
    this.directory.lock.acquire();
    await this.#ours.promise;
    const found = await this.directory.journal.open();
    this.#durability = durabilityNow(this.#options.path);
    if (found.aside !== undefined) this.#onAside(found.aside);
    if (found.setAside) this.#onSetAside(found.setAside);
    return found;
  }

  #onLock(state: DirectoryLockState): void {
    const { path, log } = this.#options;
    if (state.is === 'busy') log.info({ directory: path }, 'another process has the state directory; waiting for it');
    if (state.is === 'held') log.info({ directory: path }, 'the state directory is ours');
    if (state.is === 'unavailable')
      log.error({ directory: path, ...state.problem }, 'the state directory cannot be used');
    if (state.is === 'held' || state.is === 'unavailable') this.#ours.resolve();
    this.#changed();
  }

  #onProblem(problem: SaveProblem | undefined): void {
    const { log } = this.#options;
    this.#problem = problem;
    if (problem) log.error({ ...problem }, 'state is not saved; deliveries go on from memory');
    else log.info('state is saved again');
    this.#changed();
  }

  #onSetAside(setAside: SetAside): void {
    this.#setAside = setAside;
    const { rows, latest } = setAside;
    if (latest === undefined) return;
    const say =
      'saved rows that cannot be gone on from are set aside in the table `quarantine` of the state file; the start goes on without them';
    this.#options.log.error({ rows, latest }, say);
    this.#changed();
  }

  #onAside(name: string): void {
    const { clock, log } = this.#options;
    this.#aside = { name, at: clock.now() };
    log.error({ kept: name }, 'a state file could not be used: it is kept under this name, and a new one was begun');
    this.#changed();
  }
}
