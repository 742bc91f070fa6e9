import type { Clock } from '../model/clock.ts';

/** First wait after a failed attempt, doubling to the longest: client-go's per-item limiter starts lower; nobody waits on ours. */
const firstRetryMs = 500;
const longestRetryMs = 60_000;

/** Work on objects by key: newest wins, one at a time per key, back-off per key. A slow key never delays another. */
export type WorkQueue<T> = {
  /** Replaces whatever waits for this key. */
  add(key: string, item: T): void;
  /** Drops what waits for this key and forgets its back-off. */
  drop(key: string): void;
  /** Stops taking work; resolves when what is running has ended. */
  stop(): Promise<void>;
  size(): number;
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
  let active = 0;
  let stopped = false;

  async function run(key: string, entry: Entry<T>, item: T): Promise<void> {
    try {
      await options.work(key, item);
      entry.failures = 0;
    } catch (error) {
      const retryInMs = Math.min(longestRetryMs, firstRetryMs * 2 ** entry.failures);
      entry.failures += 1;
      options.failed(key, error, retryInMs);
      // A newer item is tried at once: it may be the repair.
      if (!entry.next && !stopped && entries.get(key) === entry) {
        entry.cancelRetry = options.clock.after(retryInMs, () => {
          entry.cancelRetry = undefined;
          entry.next ??= { item };
          pump();
        });
      }
    } finally {
      active -= 1;
      entry.running = undefined;
      if (!entry.next && !entry.cancelRetry && entries.get(key) === entry) entries.delete(key);
      pump();
    }
  }

  function pump(): void {
    for (const [key, entry] of entries) {
      if (stopped || active >= options.concurrency) return;
      if (entry.running || !entry.next) continue;
      const { item } = entry.next;
      entry.next = undefined;
      active += 1;
      entry.running = run(key, entry, item);
    }
  }

  return {
    add(key, item) {
      if (stopped) return;
      const entry = entries.get(key) ?? { next: undefined, running: undefined, failures: 0, cancelRetry: undefined };
      entry.next = { item };
      entry.cancelRetry?.();
      entry.cancelRetry = undefined;
      entries.set(key, entry);
      pump();
    },
    drop(key) {
      const entry = entries.get(key);
      if (!entry) return;
      entry.next = undefined;
      entry.cancelRetry?.();
      entry.cancelRetry = undefined;
      entries.delete(key);
    },
    async stop() {
      stopped = true;
      for (const entry of entries.values()) entry.cancelRetry?.();
      await Promise.allSettled([...entries.values()].flatMap((entry) => entry.running ?? []));
      entries.clear();
    },
    size: () => entries.size,
  };
}
