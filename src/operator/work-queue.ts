import { type BackoffRange, backoffMs } from '../model/backoff.ts';
import type { Clock } from '../model/clock.ts';

/** First wait after a failed attempt, doubling to the longest: client-go's per-item limiter starts lower; nobody waits on ours. */
const retryWaits: BackoffRange = { firstMs: 500, longestMs: 60_000 };
/** Items begun before timers and sockets get their turn: work that awaits nothing would keep them out until the queue is empty. */
const begunInARow = 50;

type Entry<T> = {
  next: { item: T } | undefined;
  running: Promise<void> | undefined;
  failures: number;
  cancelRetry: (() => void) | undefined;
};

/** How a queue works. */
export type WorkQueueOptions<T> = {
  /** May reject: the item is tried again after a back-off, unless a newer one came. */
  readonly work: (key: string, item: T) => Promise<void>;
  /** Is told of each failure. */
  readonly failed: (key: string, error: unknown, retryInMs: number) => void;
  /** Whose share of the queue a key takes. The shares are served in turn: a long one does not delay a short one. */
  readonly shareOf: (key: string) => string;
  readonly clock: Clock;
  /** Keys worked on at the same time, at most. */
  readonly concurrency: number;
};

/** Work on objects by key: the newest item wins, one at a time per key, back-off per key. A slow key never delays another. */
export class WorkQueue<T> {
  readonly #options: WorkQueueOptions<T>;
  readonly #entries = new Map<string, Entry<T>>();
  /** Share → its keys that could be worked on now, both in the order in which they are served. */
  readonly #ready = new Map<string, Set<string>>();
  #idlers: (() => void)[] = [];
  #active = 0;
  #inARow = 0;
  #breath: NodeJS.Immediate | undefined;
  #stopped = false;

  constructor(options: WorkQueueOptions<T>) {
    this.#options = options;
  }

  /** Replaces whatever waits for this key, and ends its back-off. */
  add(key: string, item: T): void {
    if (this.#stopped) return;
    const entry = this.#entries.get(key) ?? {
      next: undefined,
      running: undefined,
      failures: 0,
      cancelRetry: undefined,
    };
    this.#entries.set(key, entry);
    endBackOff(entry);
    this.#plan(key, entry, item);
    this.#pump();
  }

  /** Drops what waits for this key and forgets its back-off. What runs is let run: the key's next item comes after it. */
  drop(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    entry.next = undefined;
    entry.failures = 0;
    endBackOff(entry);
    this.#unready(key);
    if (!entry.running) this.#entries.delete(key);
    this.#pump();
  }

  /** The last attempt for this key failed and the next one is planned. */
  backsOff(key: string): boolean {
    return this.#entries.get(key)?.cancelRetry !== undefined;
  }

  /** Resolves when everything added has been tried once: nothing waits (but for a retry) and nothing runs. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#idlers.push(resolve);
      this.#pump();
    });
  }

  /** Stops taking work; resolves when what is running has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#breath) clearImmediate(this.#breath);
    for (const entry of this.#entries.values()) endBackOff(entry);
    await Promise.allSettled([...this.#entries.values()].flatMap((entry) => entry.running ?? []));
    this.#entries.clear();
    this.#ready.clear();
    this.#pump();
  }

  #plan(key: string, entry: Entry<T>, item: T): void {
    entry.next = { item };
    if (entry.running) return;
    const share = this.#options.shareOf(key);
    const keys = this.#ready.get(share);
    if (keys) keys.add(key);
    else this.#ready.set(share, new Set([key]));
  }

  #unready(key: string): void {
    const share = this.#options.shareOf(key);
    const keys = this.#ready.get(share);
    keys?.delete(key);
    if (keys?.size === 0) this.#ready.delete(share);
  }

  /** The next key of the share whose turn it is; the share goes to the end of the line. */
  #take(): string | undefined {
    const [turn] = this.#ready;
    if (!turn) return undefined;
    const [share, keys] = turn;
    const [key] = keys;
    this.#ready.delete(share);
    if (key !== undefined) keys.delete(key);
    if (keys.size > 0) this.#ready.set(share, keys);
    return key;
  }

  #pump(): void {
    while (!this.#stopped && !this.#breath && this.#active < this.#options.concurrency && this.#ready.size > 0) {
      if (this.#inARow >= begunInARow) {
        this.#breathe();
        return;
      }
      const key = this.#take();
      if (key !== undefined) this.#begin(key);
    }
    if (this.#active > 0 || (!this.#stopped && this.#ready.size > 0)) return;
    for (const resolve of this.#idlers) resolve();
    this.#idlers = [];
  }

  #breathe(): void {
    this.#breath = setImmediate(() => {
      this.#breath = undefined;
      this.#inARow = 0;
      this.#pump();
    });
  }

  #begin(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry?.next) return;
    const { item } = entry.next;
    entry.next = undefined;
    this.#active += 1;
    this.#inARow += 1;
    entry.running = this.#run(key, entry, item);
  }

  async #run(key: string, entry: Entry<T>, item: T): Promise<void> {
    try {
      await this.#options.work(key, item);
      entry.failures = 0;
    } catch (error) {
      entry.failures += 1;
      const retryInMs = backoffMs(retryWaits, entry.failures);
      this.#options.failed(key, error, retryInMs);
      // A newer item is tried at once: it may be the repair.
      if (!entry.next && !this.#stopped)
        entry.cancelRetry = this.#options.clock.after(retryInMs, () => this.#retry(key, entry, item));
    } finally {
      this.#active -= 1;
      entry.running = undefined;
      if (entry.next) this.#plan(key, entry, entry.next.item);
      else if (!entry.cancelRetry) this.#entries.delete(key);
      this.#pump();
    }
  }

  #retry(key: string, entry: Entry<T>, item: T): void {
    entry.cancelRetry = undefined;
    this.#plan(key, entry, item);
    this.#pump();
  }
}

function endBackOff<T>(entry: Entry<T>): void {
  entry.cancelRetry?.();
  entry.cancelRetry = undefined;
}
