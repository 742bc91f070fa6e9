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

/** As many objects are handed over before others get their turn: 32 Pods are some 700 KB once they are parsed. */
const breathObjects = 32;

/**
 * Waits, each time that enough objects have been handed over, until everything that is due has run, so that they are taken in
 * and dropped before more is read: what is read ahead lives long enough for the engine to take it for permanent.
 */
export function createBreath(): (handedOver: number) => Promise<void> {
  let since = 0;
  return async (handedOver) => {
    since += handedOver;
    if (since < breathObjects) return;
    since = 0;
    await new Promise((resolve) => void setImmediate(resolve));
  };
}
