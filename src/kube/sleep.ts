import type { Clock } from '../model/clock.ts';

/** Resolves after `milliseconds`; rejects with the signal's reason when it fires first. */
export function sleep(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const abort = (): void => {
      cancel();
      reject(signal.reason);
    };
    const cancel = clock.after(milliseconds, () => {
      signal.removeEventListener('abort', abort);
      resolve();
    });
    signal.addEventListener('abort', abort, { once: true });
  });
}

/**
 * Lets everything that is due run first. Who hands objects over waits for this before it reads more, so that they are taken in
 * and dropped: what is read ahead lives long enough for the engine to take it for permanent.
 */
export function othersFirst(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
