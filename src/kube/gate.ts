/** Lets a few in at a time. Shared by all reflectors of an API server: first lists are what it pays most for. */
export class Gate {
  #free: number;
  readonly #waiters: (() => void)[] = [];

  constructor(places: number) {
    this.#free = places;
  }

  /** Resolves with the way out when it is one's turn, in order of asking; rejects with the signal's reason. */
  enter(signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      if (this.#free > 0) {
        this.#free--;
        resolve(this.#wayOut());
        return;
      }
      const abort = (): void => {
        this.#waiters.splice(this.#waiters.indexOf(admit), 1);
        reject(signal.reason);
      };
      const admit = (): void => {
        signal.removeEventListener('abort', abort);
        resolve(this.#wayOut());
      };
      this.#waiters.push(admit);
      signal.addEventListener('abort', abort, { once: true });
    });
  }

  /** The way out works once. */
  #wayOut(): () => void {
    let inside = true;
    return () => {
      if (inside) this.#leave();
      inside = false;
    };
  }

  #leave(): void {
    const next = this.#waiters.shift();
    if (next === undefined) this.#free++;
    else next();
  }
}
