import type { Clock } from '../../../src/model/clock.ts';

/** Time that stands still until it is told to pass. */
export type VirtualClock = Clock & {
  /** Lets time pass, running every timer that falls due, in order, with the promises they settle in between. */
  advance(milliseconds: number): Promise<void>;
  /** Milliseconds until the next timer is due. */
  untilNext(): number;
  /** Steps the host's time, as an administrator or a time daemon does; no time passes. */
  step(milliseconds: number): void;
  /** Timers not yet due. */
  pending(): number;
};

/** Lets everything that is ready run: promises, and the sockets' events if there are any. */
export async function settle(turns = 5): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** A virtual clock that begins at `start` (epoch milliseconds). */
export function virtualClock(start = Date.UTC(2026, 0, 1)): VirtualClock {
  let now = start;
  let stepped = 0;
  let sequence = 0;
  const timers = new Map<number, { readonly at: number; readonly action: () => void }>();

  function nextDue(until: number): number | undefined {
    let best: [number, number] | undefined;
    for (const [id, timer] of timers)
      if (timer.at <= until && (best === undefined || timer.at < best[1])) best = [id, timer.at];
    return best?.[0];
  }

  return {
    now: () => now + stepped,
    monotonic: () => now,
    after(milliseconds, action) {
      const id = ++sequence;
      timers.set(id, { at: now + Math.max(0, milliseconds), action });
      return () => {
        timers.delete(id);
      };
    },
    async advance(milliseconds) {
      const until = now + milliseconds;
      await settle();
      for (let id = nextDue(until); id !== undefined; id = nextDue(until)) {
        const timer = timers.get(id);
        timers.delete(id);
        if (timer === undefined) break;
        now = Math.max(now, timer.at);
        timer.action();
        await settle();
      }
      now = until;
    },
    step(milliseconds) {
      stepped += milliseconds;
    },
    untilNext: () => Math.min(...[...timers.values()].map((timer) => timer.at - now)),
    pending: () => timers.size,
  };
}
