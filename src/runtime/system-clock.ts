import type { Clock } from '../model/clock.ts';

/** The host's time. A timer never keeps a stopping process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, action) {
    const timer = setTimeout(action, milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
