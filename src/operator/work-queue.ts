import { type BackoffRange, backoffMs } from '../model/backoff.ts';
import type { Clock } from '../model/clock.ts';

/** First wait after a failed attempt, doubling to the longest: client-go's per-item limiter starts lower; nobody waits on ours. */
const retryWaits: BackoffRange = { firstMs: 500, longestMs: 60_000 };

/** Work on objects by key: newest wins, one at a time per key, back-off per key. A slow key never delays another. */
export type WorkQueue<T> = {
  /** Replaces whatever waits for this key, and ends its back-off. */
  add(key: string, item: T): void;
  /** Drops what waits for this key and forgets its back-off. What runs is let run: the key's next item comes after it. */
  drop(key: string): void;
  /** The last attempt for this key failed and the next one is planned. */
  backsOff(key: string): boolean;
  /** Resolves when everything added has been tried once: nothing waits (but for a retry) and nothing runs. */
  idle(): Promise<void>;
  /** Stops taking work; resolves when what is running has ended. */
  stop(): Promise<void>;
};

type Entry<T> = {
  next: { item: T } | undefined;
  running: Promise<void> | undefined;
  failures: number;
  cancelRetry: (() => void) | undefined;
};

/**
 * A work queue. `work` may reject: the item is tried again after a back-off unless a newer one came; `failed` is told of
 * each failure. At most `concurrency` keys are worked on at the same time.
 */
export function createWorkQueue<T>(options: {
  readonly work: (key: string, item: T) => Promise<void>;
  readonly failed: (key: string, error: unknown, retryInMs: number) => void;
  readonly clock: Clock;
  readonly concurrency: number;
}): WorkQueue<T> {
  const entries = new Map<string, Entry<T>>();
  let idlers: (() => void)[] = [];
  let active = 0;
  let stopped = false;

  async function run(key: string, entry: Entry<T>, item: T): Promise<void> {
    try {
      await options.work(key, item);
      entry.failures = 0;
    } catch (error) {
      entry.failures += 1;
      const retryInMs = backoffMs(retryWaits, entry.failures);
      options.failed(key, error, retryInMs);
      // A newer item is tried at once: it may be the repair.
      if (!entry.next && !stopped) entry.cancelRetry = options.clock.after(retryInMs, () => retry(entry, item));
    } finally {
      active -= 1;
      entry.running = undefined;
      if (!entry.next && !entry.cancelRetry) entries.delete(key);
      pump();
    }
  }

  function retry(entry: Entry<T>, item: T): void {
    entry.cancelRetry = undefined;
    entry.next = { item };
    pump();
  }

  function pump(): void {
    for (const [key, entry] of entries) {
      if (stopped || active >= options.concurrency) break;
      if (entry.running || !entry.next) continue;
      const { item } = entry.next;
      entry.next = undefined;
      active += 1;
      entry.running = run(key, entry, item);
    }
    if (active > 0 || (!stopped && [...entries.values()].some(({ next }) => next))) return;
    for (const resolve of idlers) resolve();
    idlers = [];
  }

  function calm(entry: Entry<T>): void {
    entry.cancelRetry?.();
    entry.cancelRetry = undefined;
  }

  return {
    add(key, item) {
      if (stopped) return;
      const entry = entries.get(key) ?? { next: undefined, running: undefined, failures: 0, cancelRetry: undefined };
      entry.next = { item };
      calm(entry);
      entries.set(key, entry);
      pump();
    },
    drop(key) {
      const entry = entries.get(key);
      if (!entry) return;
      entry.next = undefined;
      entry.failures = 0;
      calm(entry);
      if (!entry.running) entries.delete(key);
      pump();
    },
    backsOff: (key) => entries.get(key)?.cancelRetry !== undefined,
    idle: () =>
      new Promise((resolve) => {
        idlers.push(resolve);
        pump();
      }),
    async stop() {
      stopped = true;
      for (const entry of entries.values()) calm(entry);
      await Promise.allSettled([...entries.values()].flatMap((entry) => entry.running ?? []));
      entries.clear();
      pump();
    },
  };
}
