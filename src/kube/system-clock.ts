import type { Clock } from '../model/clock.ts';

/** Node's timers hold at most 2^31 - 1 ms, and fire at once when asked for more. */
const longestTimerMs = 2 ** 31 - 1;

/** The host's time. A timer never keeps a stopping process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(milliseconds, action) {
    let timer: NodeJS.Timeout;
    const arm = (leftMs: number): void => {
      const further = leftMs > longestTimerMs;
      timer = setTimeout(further ? () => arm(leftMs - longestTimerMs) : action, Math.min(leftMs, longestTimerMs));
      timer.unref();
    };
    arm(milliseconds);
    return () => clearTimeout(timer);
  },
};
