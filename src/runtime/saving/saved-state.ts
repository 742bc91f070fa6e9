import { readFileSync, realpathSync } from 'node:fs';
import type { Clock } from '../../model/clock.ts';
import { type Edition, includes } from '../../model/edition.ts';
import type { Restored } from '../../model/turn.ts';
import { type Durability, durabilityOf } from '../../state/durability.ts';
import type { Found } from '../../state/first-reading.ts';
import type { MemoryStore } from '../../state/memory.ts';
import type { StateDirectory } from '../../state/state-directory.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { isOfCluster, notAhead, restoredFrom } from './restored.ts';

/** What saved state works with. */
export type SavedStateOptions = {
  readonly directory: StateDirectory;
  /** What the directory held at the start. */
  readonly found: Found;
  readonly store: Pick<MemoryStore, 'restore' | 'isSaved' | 'changes' | 'attach' | 'detach'>;
  readonly clusterId: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Told, once, of what is gone on from. */
  readonly restored: (saved: Restored) => void;
};

/**
 * State that outlives the process, as far as the edition has it. What an earlier process left is gone on from once it is known
 * that it may be: when the first settings are there. Another edition follows at once: the store is saved as a whole, or what is
 * saved is removed, so that nobody takes it for how things are later.
 */
export class SavedState {
  readonly #options: SavedStateOptions;
  #found: Found | undefined;
  /** Whether the store is being saved; `undefined`: not decided yet. */
  #follows: boolean | undefined;

  constructor(options: SavedStateOptions) {
    this.#options = options;
    this.#found = options.found;
  }

  /**
   * The edition, at first and whenever it is another. The first time what was saved is restored before anything is decided.
   * `isKnown`: false while the licence cannot be read; nothing is thrown away then.
   */
  configure(edition: Edition, isKnown: boolean): void {
    const { directory, store, log } = this.#options;
    const follows = includes(edition, 'savedState');
    if (follows === this.#follows) return;
    const isFirst = this.#follows === undefined;
    this.#follows = follows;
    if (follows) {
      if (isFirst) this.#restore();
      directory.journal.follow(store);
    } else if (!isKnown) directory.journal.disown();
    else if (!isFirst || this.#found?.is === 'read') directory.journal.leave();
    this.#found = undefined;
    if (!isFirst) log.info({ edition }, follows ? 'state is saved from now on' : 'state is held in memory from now on');
  }

  #restore(): void {
    const { clusterId, clock, store, log, restored } = this.#options;
    const found = this.#found?.saved;
    if (found?.savedAt === undefined) return;
    const { placeOf, ...saved } = found;
    if (!isOfCluster(saved, clusterId)) {
      log.error('the state directory holds the state of another cluster: it is not used, and kept under another name');
      this.#options.directory.journal.disown();
      return;
    }
    const now = clock.now();
    const usable = notAhead(saved, now);
    // What is put right for the clock is not what the file holds.
    store.restore(usable, usable === saved ? placeOf : undefined);
    const { incidents, outbox } = usable;
    const ageSeconds = Math.round(Math.max(0, now - found.savedAt) / 1000);
    log.info({ incidents: incidents.length, deliveries: outbox.length, ageSeconds }, 'going on from saved state');
    const left = restoredFrom(usable);
    if (left) restored(left);
  }
}

/** Whether what is written to a directory outlives the Pod. Asked once it exists; never throws. */
export function durabilityNow(directory: string): Durability {
  try {
    return durabilityOf(realpathSync(directory), readFileSync('/proc/self/mountinfo', 'utf8'));
  } catch {
    return { is: 'unknown' };
  }
}
