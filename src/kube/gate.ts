/** Lets a few in at a time. */
export type Gate = {
  /** Resolves with the way out when it is one's turn, in order of asking; rejects with the signal's reason. */
  enter(signal: AbortSignal): Promise<() => void>;
};

/** A gate for `places` at a time. Shared by all reflectors of an API server: first lists are what it pays most for. */
export function createGate(places: number): Gate {
  let free = places;
  const waiting: (() => void)[] = [];

  function leave(): void {
    const next = waiting.shift();
    if (next === undefined) free++;
    else next();
  }
  /** The way out works once. */
  function wayOut(): () => void {
    let inside = true;
    return () => {
      if (inside) leave();
      inside = false;
    };
  }

  return {
    enter: (signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(signal.reason);
          return;
        }
        if (free > 0) {
          free--;
          resolve(wayOut());
          return;
        }
        const abort = (): void => {
          waiting.splice(waiting.indexOf(admit), 1);
          reject(signal.reason);
        };
        const admit = (): void => {
          signal.removeEventListener('abort', abort);
          resolve(wayOut());
        };
        waiting.push(admit);
        signal.addEventListener('abort', abort, { once: true });
      }),
  };
}
