import type { Clock } from '../model/clock.ts';
import type { Effects, Input, Turn } from '../model/turn.ts';

/** Carries out what a turn asked for. Commit comes first and is synchronous; nothing of a turn is done before it. */
export type Carry = (effects: Effects, inputs: readonly Input[], now: number) => void;

/** The one loop that owns the core. */
export type Loop = {
  /** Queues an input; a turn follows as soon as the process is free. */
  push(input: Input): void;
  /** Runs the turn for what is queued now, so that a reader sees a world without a backlog. */
  drain(): void;
  /** Epoch milliseconds since when a turn has been due without running, if one is. */
  waitingSince(): number | undefined;
  stop(): void;
};

/** A wake-up further away than this is taken in steps: Node's timers hold at most 2^31 - 1 ms. */
const longestSleepMs = 3_600_000;

/**
 * Queues inputs and runs turns. A turn takes everything that is there, awaits nothing, and its effects are carried out
 * before the next. `record` may replace the inputs (redacted), so that what is decided is exactly what was recorded. An
 * exception in a turn is a programming error: it is handed to `crashed`, and no further turn runs on what it left behind.
 */
export function createLoop(options: {
  readonly turn: Turn;
  readonly clock: Clock;
  readonly carry: Carry;
  readonly record?: (inputs: readonly Input[], now: number) => readonly Input[];
  readonly observe?: (seconds: number, inputs: number) => void;
  readonly crashed: (error: unknown) => void;
}): Loop {
  const { clock } = options;
  let queue: Input[] = [];
  let scheduled: NodeJS.Immediate | undefined;
  let cancelWake: (() => void) | undefined;
  let waitingSince: number | undefined;
  let lastNow = 0;
  let running = false;
  let stopped = false;

  function run(): void {
    scheduled = undefined;
    if (stopped || running || queue.length === 0) return;
    running = true;
    const startedAt = performance.now();
    // The core's time never runs backwards, whatever the host's clock does.
    const now = Math.max(clock.now(), lastNow);
    lastNow = now;
    const taken = queue;
    queue = [];
    waitingSince = undefined;
    try {
      const inputs = options.record?.(taken, now) ?? taken;
      const effects = options.turn(inputs, now);
      options.carry(effects, inputs, now);
      wakeAt(effects.wakeAt);
    } catch (error) {
      stop();
      options.crashed(error);
    } finally {
      running = false;
      options.observe?.((performance.now() - startedAt) / 1000, taken.length);
      // What was pushed while the turn's effects were carried out waits for the next one.
      if (queue.length > 0) schedule();
    }
  }

  function schedule(): void {
    waitingSince ??= clock.now();
    if (!stopped && !running) scheduled ??= setImmediate(run);
  }

  function wakeAt(at: number | undefined): void {
    cancelWake?.();
    cancelWake = undefined;
    if (at === undefined || stopped) return;
    cancelWake = clock.after(Math.min(Math.max(0, at - clock.now()), longestSleepMs), () => push({ kind: 'wake' }));
  }

  function push(input: Input): void {
    if (stopped) return;
    queue.push(input);
    schedule();
  }

  function stop(): void {
    stopped = true;
    cancelWake?.();
    if (scheduled) clearImmediate(scheduled);
    queue = [];
    waitingSince = undefined;
  }

  return {
    push,
    drain() {
      if (scheduled) clearImmediate(scheduled);
      run();
    },
    waitingSince: () => waitingSince,
    stop,
  };
}
