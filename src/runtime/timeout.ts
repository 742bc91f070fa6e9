import type { Clock } from '../model/clock.ts';

/** Resolves when the work has ended, whether it succeeded or failed, or after so many milliseconds. */
export function withTimeout(clock: Clock, milliseconds: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(milliseconds, resolve);
    const end = (): void => {
      cancel();
      resolve();
    };
    work.then(end, end);
  });
}
