import { closeSync, fdatasync, openSync } from 'node:fs';

/** So long after a transaction it is forced to the disk; milliseconds. */
const delayMs = 50;
/** After so many transactions the write-ahead log is moved into the file. */
const transactionsPerCheckpoint = 200;

/** What the syncer works with. */
export type SyncerOptions = {
  /** The write-ahead log. */
  readonly path: string;
  /** Moves it into the file; may throw. */
  readonly checkpoint: () => void;
  /** Told that what was committed may not be on the disk. */
  readonly failed: (error: unknown) => void;
};

/**
 * Forces what was committed to the disk, beside the commits instead of in them: those are safe from the end of the process at
 * once, and from a loss of power after some milliseconds. No commit waits for the disk but those that meet a checkpoint.
 */
export class Syncer {
  readonly #options: SyncerOptions;
  #file: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #syncing = false;
  #again = false;
  #sinceCheckpoint = 0;
  #closed = false;

  constructor(options: SyncerOptions) {
    this.#options = options;
  }

  /** A transaction was committed. */
  committed(): void {
    this.#sinceCheckpoint += 1;
    this.#timer ??= setTimeout(() => this.#run(), delayMs);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#timer);
    if (!this.#syncing) this.#closeFile();
  }

  #run(): void {
    this.#timer = undefined;
    try {
      if (this.#sinceCheckpoint < transactionsPerCheckpoint) this.#sync();
      else this.#checkpoint();
    } catch (error) {
      this.#options.failed(error);
    }
  }

  #checkpoint(): void {
    this.#sinceCheckpoint = 0;
    this.#options.checkpoint();
  }

  #sync(): void {
    if (this.#syncing) {
      this.#again = true;
      return;
    }
    // The log need not be there before the first transaction.
    this.#file ??= openSync(this.#options.path, 'r');
    this.#syncing = true;
    fdatasync(this.#file, (error) => {
      const again = this.#again;
      this.#syncing = false;
      this.#again = false;
      if (this.#closed) this.#closeFile();
      else if (error) this.#options.failed(error);
      else if (again) this.#sync();
    });
  }

  #closeFile(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}
