import { type Clock, callAt } from '../model/clock.ts';

/** What is to be done later, by key: one appointment per key, the newest counts. */
export type Timetable = {
  /** Does it at an instant (epoch milliseconds), at once when that is past. Nothing after `stop`. */
  at(key: string, at: number, action: () => void): void;
  cancel(key: string): void;
  stop(): void;
};

/** An empty timetable. */
export function createTimetable(clock: Clock): Timetable {
  const cancels = new Map<string, () => void>();
  let stopped = false;

  function cancel(key: string): void {
    cancels.get(key)?.();
    cancels.delete(key);
  }

  return {
    at(key, at, action) {
      cancel(key);
      if (stopped) return;
      const due = (): void => {
        cancels.delete(key);
        action();
      };
      cancels.set(key, callAt(clock, at, due));
    },
    cancel,
    stop() {
      stopped = true;
      for (const key of [...cancels.keys()]) cancel(key);
    },
  };
}
