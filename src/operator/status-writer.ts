import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../model/clock.ts';
import type { Ref } from '../model/ref.ts';
import { createWorkQueue } from './work-queue.ts';

/** Counters and times are written at most this often per object, so that watches and Argo CD stay quiet. */
const quietMs = 60_000;
/** Status writes under way at the same time. */
const concurrency = 4;

/** A status as it should be. `urgent`: the parts whose change is written at once (conditions, the last test). */
export type DesiredStatus = { readonly status: Readonly<Record<string, unknown>>; readonly urgent: unknown };

/** Writes the status of custom resources: at once when something urgent changed, else at most once a minute. */
export type StatusWriter = {
  /** Compares what should be with what was written last, and writes or plans to. */
  touch(ref: Ref): void;
  forget(ref: Ref): void;
  /** While paused (the lock is not held) nothing is written; `resume` looks at everything again. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
};

type Written = { content: unknown; urgent: unknown; at: number };

/**
 * `desired` says how the status should be now (`undefined`: the object is gone), `current` how the API has it. `write`
 * rejects on failure and is tried again with a back-off of its own per object.
 */
export function createStatusWriter(options: {
  readonly desired: (ref: Ref) => DesiredStatus | undefined;
  readonly current: (ref: Ref) => DesiredStatus | undefined;
  readonly write: (ref: Ref, status: DesiredStatus['status']) => Promise<void>;
  readonly failed: (ref: Ref, error: unknown, retryInMs: number) => void;
  readonly clock: Clock;
}): StatusWriter {
  const { clock } = options;
  const written = new Map<Ref, Written>();
  const planned = new Map<Ref, () => void>();
  const touched = new Set<Ref>();
  let paused = false;

  const queue = createWorkQueue<Ref>({
    clock,
    concurrency,
    failed: (key, error, retryInMs) => options.failed(key as Ref, error, retryInMs),
    async work(_key, ref) {
      const next = options.desired(ref);
      if (!next || paused) return;
      await options.write(ref, next.status);
      written.set(ref, { content: next.status, urgent: next.urgent, at: clock.now() });
      // What changed while the write was under way is looked at again.
      touch(ref);
    },
  });

  function touch(ref: Ref): void {
    touched.add(ref);
    if (paused) return;
    const next = options.desired(ref);
    if (!next) return;
    const current = options.current(ref);
    const last = written.get(ref) ?? (current && { content: current.status, urgent: current.urgent, at: 0 });
    if (last && isDeepStrictEqual(last.content, next.status)) return;
    if (!last || !isDeepStrictEqual(last.urgent, next.urgent)) {
      cancelPlan(ref);
      queue.add(ref, ref);
      return;
    }
    if (planned.has(ref)) return;
    const waitMs = Math.max(0, last.at + quietMs - clock.now());
    planned.set(
      ref,
      clock.after(waitMs, () => {
        planned.delete(ref);
        queue.add(ref, ref);
      }),
    );
  }

  function cancelPlan(ref: Ref): void {
    planned.get(ref)?.();
    planned.delete(ref);
  }

  return {
    touch,
    forget(ref) {
      cancelPlan(ref);
      queue.drop(ref);
      written.delete(ref);
      touched.delete(ref);
    },
    pause() {
      paused = true;
    },
    resume() {
      paused = false;
      for (const ref of touched) touch(ref);
    },
    async stop() {
      paused = true;
      for (const cancel of planned.values()) cancel();
      planned.clear();
      await queue.stop();
    },
  };
}
