import type { Clock } from '../../src/model/clock.ts';

/** A clock that stands still until told otherwise. */
export type VirtualClock = Clock & {
  /** Moves time on, running what falls due in order; promises settle in between. */
  advance(milliseconds: number): Promise<void>;
};

/** Lets promise chains run: several rounds, since one continuation may start another. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    let rounds = 20;
    const next = (): void => {
      rounds -= 1;
      if (rounds < 0) resolve();
      else setImmediate(next);
    };
    next();
  });
}

/** A clock at `start` (epoch milliseconds). */
export function virtualClock(start = Date.parse('2026-11-20T09:00:00Z')): VirtualClock {
  let now = start;
  const timers = new Set<{ readonly at: number; readonly action: () => void }>();
  const next = (): { readonly at: number; readonly action: () => void } | undefined =>
    [...timers].sort((a, b) => a.at - b.at)[0];
  return {
    now: () => now,
    monotonic: () => now,
    after(milliseconds, action) {
      const timer = { at: now + milliseconds, action };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    async advance(milliseconds) {
      const end = now + milliseconds;
      await settled();
      for (let timer = next(); timer && timer.at <= end; timer = next()) {
        timers.delete(timer);
        now = Math.max(now, timer.at);
        timer.action();
        await settled();
      }
      now = end;
      await settled();
    },
  };
}

/** The machine's clock, for tests with real sockets. */
export const realClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(milliseconds, action) {
    const timer = setTimeout(action, milliseconds);
    return () => clearTimeout(timer);
  },
};
