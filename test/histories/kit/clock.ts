import type { Clock } from '../../../src/model/clock.ts';
import { settle } from '../../kube/support/virtual-clock.ts';

/** Time that passes when it is told to. Times are epoch milliseconds. */
export type StoryClock = Clock & { advance(milliseconds: number): Promise<void> };

/**
 * Who waits long (`callAt`) looks at the clock every 10 s. Nothing follows from a look that only waits on: it asks what time it is, once
 * more for how long to wait, and sets one timer. Days of such looks pass in a history, so nothing is given time to follow.
 */
const idleLook = 'now now after 10000';

/** A virtual clock on which quiet days are short. */
export function storyClock(start: number): StoryClock {
  let now = start;
  const timers = new Set<{ readonly at: number; readonly action: () => void }>();
  /** What the action of the present timer has done with the clock so far. */
  let look = '';

  function nextDue(until: number): { readonly at: number; readonly action: () => void } | undefined {
    let best: { readonly at: number; readonly action: () => void } | undefined;
    // Of those due at one instant the first that was set.
    for (const timer of timers) if (timer.at <= until && (best === undefined || timer.at < best.at)) best = timer;
    return best;
  }

  return {
    now() {
      look += 'now ';
      return now;
    },
    monotonic: () => now,
    after(milliseconds, action) {
      const timer = { at: now + Math.max(0, milliseconds), action };
      timers.add(timer);
      look += `after ${milliseconds}`;
      return () => void timers.delete(timer);
    },
    async advance(milliseconds) {
      const until = now + milliseconds;
      await settle();
      for (let timer = nextDue(until); timer; timer = nextDue(until)) {
        timers.delete(timer);
        now = Math.max(now, timer.at);
        look = '';
        timer.action();
        if (look !== idleLook) await settle();
      }
      now = until;
    },
  };
}
