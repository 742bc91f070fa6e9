import type { Clock } from '../model/clock.ts';

/** Resolves when the work has ended, well or not, or after so many milliseconds. */
export function atMost(clock: Clock, milliseconds: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(milliseconds, resolve);
    const end = (): void => {
      cancel();
      resolve();
    };
    work.then(end, end);
  });
}

/** Resolves after so many milliseconds, or when the signal fires. */
export function pause(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  const aborted = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  return atMost(clock, milliseconds, aborted);
}
