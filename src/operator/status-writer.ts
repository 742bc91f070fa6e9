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
  /** Compares what should be with what was written last, and writes or plans to. While paused: nothing. */
  touch(ref: Ref): void;
  /** The object is gone. One that is made anew under its name is written anew. */
  forget(ref: Ref): void;
  /** Whether it is held back: the lock is not held. After `resume`, everything must be touched. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
};

/** What is known of one object's status. A new object of the same name gets a new file, so that late answers do no harm. */
type File = {
  written: { readonly content: unknown; readonly urgent: unknown; readonly at: number } | undefined;
  cancelPlan: (() => void) | undefined;
};

/**
 * `desired` says how the status should be now (`undefined`: nothing is to be written yet, or the object is gone), `current`
 * how the API has it. `write` rejects on failure and is tried again with a back-off of its own per object.
 */
export function createStatusWriter(options: {
  readonly desired: (ref: Ref) => DesiredStatus | undefined;
  readonly current: (ref: Ref) => DesiredStatus | undefined;
  readonly write: (ref: Ref, status: DesiredStatus['status']) => Promise<void>;
  readonly failed: (ref: Ref, error: unknown, retryInMs: number) => void;
  readonly clock: Clock;
  /** Whether it begins paused. */
  readonly paused: boolean;
}): StatusWriter {
  const { clock } = options;
  const files = new Map<Ref, File>();
  let { paused } = options;

  const queue = createWorkQueue<Ref>({
    clock,
    concurrency,
    // Keys are refs.
    failed: (key, error, retryInMs) => options.failed(key as Ref, error, retryInMs),
    async work(_key, ref) {
      const next = options.desired(ref);
      if (!next || paused) return;
      const file = fileOf(ref);
      // Touched while the same was being written.
      if (isDeepStrictEqual(file.written?.content, next.status)) return;
      await options.write(ref, next.status);
      file.written = { content: next.status, urgent: next.urgent, at: clock.now() };
      // What changed while the write was under way is looked at again.
      touch(ref);
    },
  });

  function fileOf(ref: Ref): File {
    const known = files.get(ref);
    if (known) return known;
    const made = { written: undefined, cancelPlan: undefined };
    files.set(ref, made);
    return made;
  }

  function touch(ref: Ref): void {
    // A retry writes what is so by then; it must not be hurried by every touch.
    if (paused || queue.backsOff(ref)) return;
    const next = options.desired(ref);
    if (!next) return;
    const file = fileOf(ref);
    const current = options.current(ref);
    const last = file.written ?? (current && { content: current.status, urgent: current.urgent, at: 0 });
    if (last && isDeepStrictEqual(last.content, next.status)) return;
    if (!last || !isDeepStrictEqual(last.urgent, next.urgent)) {
      cancelPlan(file);
      queue.add(ref, ref);
      return;
    }
    file.cancelPlan ??= clock.after(Math.max(0, last.at + quietMs - clock.now()), () => {
      file.cancelPlan = undefined;
      queue.add(ref, ref);
    });
  }

  function cancelPlan(file: File): void {
    file.cancelPlan?.();
    file.cancelPlan = undefined;
  }

  return {
    touch,
    forget(ref) {
      const file = files.get(ref);
      if (file) cancelPlan(file);
      files.delete(ref);
      queue.drop(ref);
    },
    pause() {
      paused = true;
    },
    resume() {
      paused = false;
    },
    async stop() {
      paused = true;
      for (const file of files.values()) cancelPlan(file);
      await queue.stop();
    },
  };
}
