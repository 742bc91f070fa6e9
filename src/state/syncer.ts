import { closeSync, fdatasync, openSync } from 'node:fs';

/** So long after a transaction it is forced to the disk; milliseconds. */
const delayMs = 50;
/** With so many bytes the write-ahead log is moved into the file once nothing was committed for `restMs`. */
const bytesToCheckpoint = 4 * 1024 * 1024;
const restMs = 500;
/** And with so many without such a rest. */
const mostBytes = 16 * 1024 * 1024;

/** What the syncer works with. */
export type SyncerOptions = {
  /** The write-ahead log. */
  readonly path: string;
  /** Whether none is under way. */
  readonly mayCheckpoint: () => boolean;
  /** Moves it into the file; may throw. */
  readonly checkpoint: () => void;
  /** Told that what was committed may not be on the disk. */
  readonly failed: (error: unknown) => void;
};

/**
 * Forces what was committed to the disk, beside the commits instead of in them: those are safe from the end of the process at
 * once, and from a loss of power after some milliseconds. Checkpoints wait for a rest, so that hardly any commit waits for the disk.
 */
export class Syncer {
  readonly #options: SyncerOptions;
  #file: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #rest: NodeJS.Timeout | undefined;
  #syncing = false;
  #again = false;
  /** About so many bytes are in the log. */
  #logged = 0;
  #closed = false;

  constructor(options: SyncerOptions) {
    this.#options = options;
  }

  /** A transaction that has written about so many bytes was committed. */
  committed(bytes: number): void {
    this.#logged += bytes;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (this.#logged < mostBytes || !this.#options.mayCheckpoint()) this.#try(() => this.#sync());
      else this.#checkpoint();
    }, delayMs);
    if (this.#logged < bytesToCheckpoint) return;
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => {
      if (this.#options.mayCheckpoint()) this.#checkpoint();
    }, restMs);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#rest);
    if (!this.#syncing) this.#closeFile();
  }

  #checkpoint(): void {
    clearTimeout(this.#rest);
    this.#logged = 0;
    this.#try(this.#options.checkpoint);
  }

  #try(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#options.failed(error);
    }
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
