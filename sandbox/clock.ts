import { systemClock } from '../src/kube/system-clock.ts';
import type { Clock } from '../src/model/clock.ts';

/** A clock that starts now and runs `factor` times as fast as the real one: a story of minutes told in seconds. */
export function createScaledClock(factor: number): Clock {
  const start = Date.now();
  return {
    now: () => start + (Date.now() - start) * factor,
    monotonic: () => systemClock.monotonic() * factor,
    after: (milliseconds, action) => systemClock.after(milliseconds / factor, action),
  };
}

/** A clock that stands still until it is told to go on. */
export type VirtualClock = Clock & {
  /** Goes on by so many milliseconds, running what falls due in order of time; does not wait for any I/O it starts. */
  advance(milliseconds: number): void;
};

/** A clock for tests: time is what the test says it is. */
export function createVirtualClock(startMs: number): VirtualClock {
  type Timer = { readonly at: number; readonly order: number; readonly action: () => void };
  const timers = new Set<Timer>();
  let now = startMs;
  let order = 0;
  const next = (until: number): Timer | undefined =>
    [...timers].filter((timer) => timer.at <= until).sort((a, b) => a.at - b.at || a.order - b.order)[0];
  return {
    now: () => now,
    monotonic: () => now,
    after(milliseconds, action) {
      order += 1;
      const timer = { at: now + Math.max(0, milliseconds), order, action };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(milliseconds) {
      const until = now + milliseconds;
      for (let timer = next(until); timer; timer = next(until)) {
        timers.delete(timer);
        now = Math.max(now, timer.at);
        timer.action();
      }
      now = until;
    },
  };
}
